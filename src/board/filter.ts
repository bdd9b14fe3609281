import { hourMs } from '../lib/clock.ts';
import { fold } from '../lib/text.ts';
import { isLate } from '../parcels/expected-delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isClosed, parcelStage, shownStage } from '../parcels/parcel-stage.ts';
import { stageTable } from '../parcels/stages.ts';
import { noUsualStillness, quietSpell } from '../parcels/stillness.ts';
import { courierWords } from '../service/couriers.ts';
import { stages } from '../service/status.ts';
import { type FilterToken, filterTokens, statesOfParcels, type TermName, termNames } from './filter-syntax.ts';
import { deliveredPhrase, lastingPhrases, orderNoOf, remarkOf } from './parcel-facts.ts';
import { courierName, lastEventTime } from './status/stage.ts';
import { statusWordings, type Viewing } from './status/status-now.ts';

export type ParcelTest = (parcel: Parcel, viewing: Viewing) => boolean;

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

/** What can follow the colon of a term. */
export type TermValues =
  | { readonly kind: 'listed'; readonly values: readonly string[] }
  /** Any value of the parcels at hand; a part of it is enough if `inPart`. */
  | { readonly kind: 'of-parcels'; readonly of: (parcel: FilteredNames) => readonly string[]; readonly inPart: boolean }
  /** A value of this form, such as `example`; `isBegun` recognises an unfinished one. */
  | { readonly kind: 'form'; readonly example: string; readonly isBegun: (value: string) => boolean };

/** A filter term, `name:value`. */
export interface FilterTerm {
  readonly name: TermName;
  readonly values: TermValues;
  /** Returns the test for a folded value, or null if the value is not valid. */
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

export const filterTerms: readonly FilterTerm[] = termNames.map((name) => ({ name, ...terms[name] }));

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
      const isMeant = (text: string): boolean => (inPart ? fold(text).includes(value) : fold(text) === value);
      return (parcel) => of(parcel).some(isMeant);
    },
  };
}

const agePattern = /^(\d+)([hdw])$/;
const unitMs: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };

/** A parcel without events has no event that is older. */
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
  // As in the list before the first answer.
  const shown = courierCode !== null && courierNameEN == null ? courierWords(courierCode) : null;
  return given([courierCode, shown, courierNameEN, courierNameCN, lastMile?.courierCode, lastMile?.courierName]);
}

const given = (texts: readonly (string | null | undefined)[]): readonly string[] =>
  texts.filter((text): text is string => text != null && text !== '');

export interface UsedTerm extends Pick<FilterToken, 'end' | 'negated' | 'start'> {
  readonly term: FilterTerm;
  /** Folded. */
  readonly value: string;
  /** Null if the value is not valid; the term then filters nothing. */
  readonly test: ParcelTest | null;
}

export interface FilterWord {
  /** Folded. */
  readonly text: string;
  readonly negated: boolean;
}

/** Not the name of a term. */
export interface UnknownTerm {
  readonly name: string;
  readonly value: string;
}

/** A parsed filter; a parcel must match all parts. */
export interface ReadFilter {
  readonly words: readonly FilterWord[];
  readonly terms: readonly UsedTerm[];
  readonly unknown: readonly UnknownTerm[];
}

/** Parses a filter. Parts with problems filter nothing; `filterProblem` describes them. */
export function readFilter(text: string): ReadFilter {
  const words: FilterWord[] = [];
  const terms: UsedTerm[] = [];
  const unknown: UnknownTerm[] = [];
  for (const { end, name, negated, start, value } of filterTokens(text)) {
    const folded = fold(value);
    const term = name === null ? undefined : filterTerms.find((one) => one.name === name);
    if (term !== undefined) {
      terms.push({ term, value: folded, negated, test: folded === '' ? null : term.read(folded), start, end });
    } else if (name !== null) unknown.push({ name, value });
    else if (folded !== '') words.push({ text: folded, negated });
  }
  return { words, terms, unknown };
}

/**
 * The folded text that words are searched in, one field per line: number, label, tags, couriers, stage, place, last
 * event, order number, remark, the facts above the timeline, status and delivery time.
 */
export function searchText(parcel: Parcel, viewing: Viewing): string {
  const { record, lastEvent } = parcel;
  const lastMile = record?.lastMile;
  const wordings = statusWordings(parcel, viewing);
  const texts = [
    parcel.trackNo,
    parcel.label,
    ...parcel.tags,
    parcel.courierCode,
    courierName(parcel),
    record?.courierNameCN,
    lastMile?.trackNo,
    lastMile?.courierCode,
    lastMile?.courierName,
    stageTable[shownStage(parcel)].title,
    stageTable[shownStage(parcel)].formerly,
    lastEvent?.address,
    lastEvent?.detail,
    orderNoOf(parcel),
    remarkOf(parcel),
    ...lastingPhrases(parcel),
    wordings[0],
    wordings.at(-1),
    deliveredPhrase(parcel, viewing.now, viewing.zone),
  ];
  const lines: string[] = [];
  for (const text of texts) if (text) lines.push(fold(text));
  return lines.join('\n');
}

/** {@link searchText}, computed once per parcel, because each typed letter searches all parcels. */
export function searchTexts(viewing: Viewing): (parcel: Parcel) => string {
  const known = new Map<Parcel, string>();
  return (parcel) => {
    const before = known.get(parcel);
    if (before !== undefined) return before;
    const text = searchText(parcel, viewing);
    known.set(parcel, text);
    return text;
  };
}

/**
 * Compiles a filter. Words match anywhere in the text of a parcel; `!`, or `-` and `not` before a term, negate.
 * Ignores case, accents and character width. An empty filter matches everything.
 * @param textOf returns the text to search; computed per parcel by default
 */
export function createFilter(
  filterText: string,
  viewing: Viewing,
  textOf: (parcel: Parcel) => string = (parcel) => searchText(parcel, viewing),
): (parcel: Parcel) => boolean {
  const { terms, words } = readFilter(filterText);
  const tests = terms.flatMap(({ negated, test }) => (test === null ? [] : [{ negated, test }]));
  const hasWords = (parcel: Parcel): boolean => {
    const searched = textOf(parcel);
    return words.every(({ negated, text }) => searched.includes(text) !== negated);
  };
  return (parcel) =>
    tests.every(({ negated, test }) => test(parcel, viewing) !== negated) && (words.length === 0 || hasWords(parcel));
}
