import { hourMs } from '../lib/clock.ts';
import { fold } from '../lib/text.ts';
import { awaitedDelivery, deliveredAt, isLate, lateFrom } from '../parcels/delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { hasEnded, isClosed, parcelStage, shownStage } from '../parcels/parcel-state.ts';
import { isSnoozed } from '../parcels/snooze.ts';
import { quietSpell } from '../parcels/usual-times.ts';
import { nameFromCode } from '../service/couriers.ts';
import { stages } from '../service/status.ts';
import { absences, dueDays, parcelStates, type TermName, termNames } from './filter-vocabulary.ts';
import { lastEventTime, orderNoOf } from './parcel-facts.ts';
import { findDueDays } from './status/expected-delivery.ts';
import type { Viewing } from './status/status-now.ts';

export interface FilterContext extends Viewing {
  /** Ids of the parcels that are marked on the board. Absent outside the board. */
  readonly marked?: ReadonlySet<string>;
}

export type ParcelTest = (parcel: Parcel, context: FilterContext) => boolean;

/** The valid values of a term. */
type TermValues =
  | { readonly kind: 'listed'; readonly values: readonly string[] }
  /** The values that parcels have. If `matchesPart`, part of a value is enough. */
  | {
      readonly kind: 'from-parcels';
      readonly valuesOf: (parcel: Parcel) => readonly string[];
      readonly matchesPart: boolean;
    }
  /** A value in a format such as `example`. `isBegun` recognises an unfinished value. */
  | { readonly kind: 'format'; readonly example: string; readonly isUnfinished: (value: string) => boolean };

/** A filter term, `name:value`. */
export interface FilterTerm {
  readonly name: TermName;
  readonly values: TermValues;
  /** Returns the test for a folded value, or null if the value is invalid. */
  readonly parse: (value: string) => ParcelTest | null;
}

const hasNewChanges: ParcelTest = (parcel) => parcel.unread !== undefined;

const stateTests: Readonly<Record<keyof typeof parcelStates, ParcelTest>> = {
  unread: hasNewChanges,
  new: hasNewChanges,
  problem: (parcel) => shownStage(parcel) === 'attention',
  rejected: (parcel) => parcel.registration === 'rejected',
  quiet: (parcel, { now, usual }) => quietSpell(parcel, now, usual) !== null,
  late: isLate,
  slow: (parcel, { forecast }) => forecast?.(parcel)?.isSlow === true,
  closed: isClosed,
  snoozed: (parcel, { now }) => isSnoozed(parcel, now),
  marked: ({ id }, { marked }) => marked?.has(id) === true,
};

const absenceTests: Readonly<Record<(typeof absences)[number], ParcelTest>> = {
  label: ({ label }) => label === null,
  tag: ({ tags }) => tags.length === 0,
  courier: ({ courierCode, record }) => courierCode === null && record?.courierCode == null,
  order: (parcel) => orderNoOf(parcel) === null,
  date: isUnderWayWithoutDay,
  event: ({ lastEvent }) => lastEvent === null,
};

const terms: Readonly<Record<TermName, Omit<FilterTerm, 'name'>>> = {
  stage: listedTerm(stages, (stage) => (parcel) => parcelStage(parcel) === stage),
  courier: textTerm(courierTexts, { matchesPart: true }),
  to: textTerm(({ record, merchant }) => nonEmptyTexts([record?.shipTo ?? merchant?.country])),
  from: textTerm(({ record }) => nonEmptyTexts([record?.shipFrom])),
  tag: textTerm(({ tags }) => tags),
  is: listedTerm(Object.keys(parcelStates) as (keyof typeof parcelStates)[], (state) => stateTests[state]),
  due: listedTerm(dueDays, (day) =>
    day === 'none' ? isUnderWayWithoutDay : (parcel, viewing) => isDue(parcel, day, viewing),
  ),
  late: ageTerm((parcel, { now, zone }) => {
    const awaited = awaitedDelivery(parcel);
    return awaited === null ? null : now - lateFrom(awaited, { now, zone });
  }, '>='),
  delivered: ageTerm((parcel, { now }) => {
    const at = deliveredAt(parcel);
    return at === null ? null : now - at;
  }, '<='),
  label: textTerm(({ label }) => nonEmptyTexts([label]), { matchesPart: true }),
  order: textTerm(({ merchant, record }) => nonEmptyTexts([merchant?.orderNo || record?.orderNo]), {
    matchesPart: true,
  }),
  no: listedTerm(absences, (what) => absenceTests[what]),
  // Parcels without events never match.
  older: ageTerm((parcel, { now }) => {
    const event = lastEventTime(parcel);
    return event === null ? null : now - event.latest;
  }, '>'),
};

export const filterTerms: readonly FilterTerm[] = termNames.map((name) => ({ name, ...terms[name] }));

export function possibleValues({ values }: FilterTerm, parcels: readonly Parcel[]): readonly string[] {
  if (values.kind === 'listed') return values.values;
  if (values.kind === 'format') return [];
  const byFolded = new Map<string, string>();
  for (const value of new Set(parcels.flatMap(values.valuesOf)))
    if (!byFolded.has(fold(value))) byFolded.set(fold(value), value);
  return [...byFolded.values()];
}

/**
 * Expands an abbreviated value. Returns the exact match, or all values that start with the text, or all values with a
 * later word that does.
 */
export function matchAbbreviation<Value extends string>(values: readonly Value[], text: string): readonly Value[] {
  const exactMatches = values.filter((value) => value === text);
  if (exactMatches.length > 0) return exactMatches;
  const prefixMatches = values.filter((value) => value.startsWith(text));
  return prefixMatches.length > 0 ? prefixMatches : values.filter((value) => value.includes(`-${text}`));
}

function listedTerm<Value extends string>(
  values: readonly Value[],
  testFor: (value: Value) => ParcelTest,
): Omit<FilterTerm, 'name'> {
  return {
    values: { kind: 'listed', values },
    parse: (text) => {
      const tests = matchAbbreviation(values, text).map(testFor);
      return tests.length === 0 ? null : (parcel, viewing) => tests.some((test) => test(parcel, viewing));
    },
  };
}

function textTerm(
  valuesOf: (parcel: Parcel) => readonly string[],
  { matchesPart = false }: { readonly matchesPart?: boolean } = {},
): Omit<FilterTerm, 'name'> {
  return {
    values: { kind: 'from-parcels', valuesOf, matchesPart },
    parse: (value) => {
      const matches = (text: string): boolean => (matchesPart ? fold(text).includes(value) : fold(text) === value);
      return (parcel) => valuesOf(parcel).some(matches);
    },
  };
}

const agePattern = /^(\d+)([hdw])$/;
const unitMs: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };

const agePasses = {
  '>=': (age: number, bound: number) => age >= bound,
  '>': (age: number, bound: number) => age > bound,
  '<=': (age: number, bound: number) => age <= bound,
} as const;

/** @param ageOf returns milliseconds, or null if the parcel cannot match */
function ageTerm(
  ageOf: (parcel: Parcel, viewing: Viewing) => number | null,
  passes: keyof typeof agePasses,
): Omit<FilterTerm, 'name'> {
  return {
    values: { kind: 'format', example: '12h, 3d or 2w', isUnfinished: (value) => /^\d*$/.test(value) },
    parse: (value) => {
      const [, count, unit = ''] = agePattern.exec(value) ?? [];
      if (count === undefined) return null;
      const bound = Number(count) * (unitMs[unit] ?? 0);
      return (parcel, viewing) => {
        const age = ageOf(parcel, viewing);
        return age !== null && agePasses[passes](age, bound);
      };
    },
  };
}

function isUnderWayWithoutDay(parcel: Parcel, viewing: Viewing): boolean {
  const isUnderWay = parcel.archivedAt === null && parcel.registration !== 'rejected' && !hasEnded(parcel);
  return isUnderWay && findDueDays(parcel, viewing) === null;
}

type DueDay = Exclude<(typeof dueDays)[number], 'none'>;

/** Returns the first and last day that a value of `due:` means, as days from today. */
function daysFromToday(day: DueDay, { now, zone }: Viewing): readonly [number, number] {
  if (day === 'today') return [0, 0];
  if (day === 'tomorrow') return [1, 1];
  if (day === 'week') return [0, 6];
  if (day === 'later') return [7, Number.POSITIVE_INFINITY];
  // Monday is 1, as in `getUTCDay`.
  const weekday = dueDays.indexOf(day) - dueDays.indexOf('mon') + 1;
  const ahead = (weekday - new Date(zone.wallTime(now)).getUTCDay() + 7) % 7;
  return [ahead, ahead];
}

/** Whether a parcel may arrive on one of these days. */
function isDue(parcel: Parcel, day: DueDay, viewing: Viewing): boolean {
  const due = findDueDays(parcel, viewing);
  if (due === null) return false;
  const [first, last] = daysFromToday(day, viewing);
  return due.first <= last && due.last >= first;
}

function courierTexts({ courierCode, record }: Parcel): readonly string[] {
  const { courierNameCN, courierNameEN, lastMile } = record ?? {};
  // The list shows this name until the first response.
  const shownName = courierCode !== null && courierNameEN == null ? nameFromCode(courierCode) : null;
  return nonEmptyTexts([
    courierCode,
    shownName,
    courierNameEN,
    courierNameCN,
    lastMile?.courierCode,
    lastMile?.courierName,
  ]);
}

const nonEmptyTexts = (texts: readonly (string | null | undefined)[]): readonly string[] =>
  texts.filter((text): text is string => text != null && text !== '');
