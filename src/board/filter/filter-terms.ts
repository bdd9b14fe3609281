import { hourMs } from '../../service/clock/clock.ts';
import { courierWords } from '../../service/record/courier-words.ts';
import { stages } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { isLate } from '../../watchlist/rules/late-delivery.ts';
import { isClosed, parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { noUsualStillness, quietSpell } from '../../watchlist/rules/usual-stillness.ts';
import type { Viewing } from '../status/status-now.ts';
import { lastEventTime } from '../status/view-stage.ts';
import { fold } from '../text/fold.ts';
import { statesOfParcels, type TermName, termNames } from './term-list.ts';

/** Whether a parcel has what a term names. */
export type ParcelTest = (parcel: Parcel, viewing: Viewing) => boolean;

/** What a value of a term can be taken from: what names a parcel, or says where it goes and with whom. */
export interface FilteredNames extends Pick<Parcel, 'trackNo' | 'courierCode' | 'label' | 'tags'> {
  readonly merchant?: { readonly country?: string };
  readonly record: {
    readonly courierNameEN: string | null;
    readonly courierNameCN: string | null;
    readonly shipTo: string | null;
    readonly shipFrom: string | null;
    readonly lastMile?: { readonly courierCode: string | null; readonly courierName: string | null } | null;
  } | null;
}

/** What may stand behind the colon of a term. */
export type TermValues =
  /** One of these. */
  | { readonly kind: 'listed'; readonly values: readonly string[] }
  /** Anything; what the parcels at hand have. A part of it suffices when `inPart`. */
  | { readonly kind: 'of-parcels'; readonly of: (parcel: FilteredNames) => readonly string[]; readonly inPart: boolean }
  /** A text of a form, such as `example`, which `isBegun` recognises before it is whole. */
  | { readonly kind: 'form'; readonly example: string; readonly isBegun: (value: string) => boolean };

/** A term of a filter, `name:value`. */
export interface FilterTerm {
  readonly name: TermName;
  readonly values: TermValues;
  /** The test for a folded value; null for one that the term does not have. */
  readonly read: (value: string) => ParcelTest | null;
}

const stateTests: Readonly<Record<keyof typeof statesOfParcels, ParcelTest>> = {
  unread: (parcel) => parcel.unread !== undefined,
  quiet: (parcel, { now, usual = noUsualStillness }) => quietSpell(parcel, now, usual) !== null,
  late: isLate,
  closed: isClosed,
};

const terms: Readonly<Record<TermName, Omit<FilterTerm, 'name'>>> = {
  stage: listedTerm(stages, (stage) => (parcel) => parcelStage(parcel) === stage),
  courier: textTerm(couriersOf, { inPart: true }),
  to: textTerm(({ record, merchant }) => given([record?.shipTo ?? merchant?.country])),
  from: textTerm(({ record }) => given([record?.shipFrom])),
  tag: textTerm(({ tags }) => tags),
  is: listedTerm(Object.keys(statesOfParcels) as (keyof typeof statesOfParcels)[], (state) => stateTests[state]),
  older: {
    values: { kind: 'form', example: '12h, 3d or 2w', isBegun: (value) => /^\d*$/.test(value) },
    read: olderThan,
  },
};

/** All terms, in the order of the help. */
export const filterTerms: readonly FilterTerm[] = termNames.map((name) => ({ name, ...terms[name] }));

/** The values that a term can have, each once. */
export function valuesAmong({ values }: FilterTerm, parcels: readonly FilteredNames[]): readonly string[] {
  if (values.kind === 'listed') return values.values;
  if (values.kind === 'form') return [];
  const all = new Set<string>();
  for (const parcel of parcels) for (const one of values.of(parcel)) all.add(one);
  const byFolded = new Map<string, string>();
  for (const one of all) if (!byFolded.has(fold(one))) byFolded.set(fold(one), one);
  return [...byFolded.values()];
}

function listedTerm<Value extends string>(
  values: readonly Value[],
  testFor: (value: Value) => ParcelTest,
): Omit<FilterTerm, 'name'> {
  return {
    values: { kind: 'listed', values },
    read: (text) => {
      const value = values.find((one) => one === text);
      return value === undefined ? null : testFor(value);
    },
  };
}

function textTerm(
  of: (parcel: FilteredNames) => readonly string[],
  { inPart = false }: { readonly inPart?: boolean } = {},
): Omit<FilterTerm, 'name'> {
  return {
    values: { kind: 'of-parcels', of, inPart },
    read: (value) => {
      // Many parcels share few names.
      const known = new Map<string, boolean>();
      const isMeant = (text: string): boolean => {
        const before = known.get(text);
        if (before !== undefined) return before;
        const isIt = inPart ? fold(text).includes(value) : fold(text) === value;
        known.set(text, isIt);
        return isIt;
      };
      return (parcel) => of(parcel).some(isMeant);
    },
  };
}

const agePattern = /^(\d+)([hdw])$/;
const unitMs: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };

/** A parcel without an event has none that is older. */
function olderThan(value: string): ParcelTest | null {
  const [, count, unit = ''] = agePattern.exec(value) ?? [];
  if (count === undefined) return null;
  const age = Number(count) * (unitMs[unit] ?? 0);
  return (parcel, { now }) => {
    const event = lastEventTime(parcel);
    return event !== null && now - event.latest > age;
  };
}

function couriersOf({ courierCode, record }: FilteredNames): readonly string[] {
  const { courierNameCN, courierNameEN, lastMile } = record ?? {};
  // As the list shows it before the first answer.
  const shown = courierCode !== null && courierNameEN == null ? courierWords(courierCode) : null;
  return given([courierCode, shown, courierNameEN, courierNameCN, lastMile?.courierCode, lastMile?.courierName]);
}

const given = (texts: readonly (string | null | undefined)[]): readonly string[] =>
  texts.filter((text): text is string => text != null && text !== '');
