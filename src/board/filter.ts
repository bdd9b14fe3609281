import { hourMs } from '../lib/clock.ts';
import { fold } from '../lib/text.ts';
import { awaitedDelivery, isLate, lateFrom } from '../parcels/expected-delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { hasEnded, isClosed, isSnoozed, parcelStage, shownStage } from '../parcels/parcel-stage.ts';
import { stageTable } from '../parcels/stages.ts';
import { noUsualStillness, quietSpell } from '../parcels/stillness.ts';
import { courierWords } from '../service/couriers.ts';
import { stages } from '../service/status.ts';
import {
  absences,
  dueDays,
  type FilterToken,
  filterTokens,
  statesOfParcels,
  type TermName,
  termNames,
  weekdays,
} from './filter-syntax.ts';
import { newestEventText } from './list/row-texts.ts';
import { deliveredPhrase, lastingPhrases, orderNoOf, remarkOf } from './parcel-facts.ts';
import { dueDaysOf } from './status/expected-day.ts';
import { arrivedBy, courierName, lastEventTime } from './status/stage.ts';
import { statusWordings, type Viewing } from './status/status-now.ts';

/** Context for evaluating terms. */
export interface Filtering extends Viewing {
  /** Ids of the parcels that are marked on a board. Absent elsewhere. */
  readonly marked?: ReadonlySet<string>;
}

type ParcelTest = (parcel: Parcel, filtering: Filtering) => boolean;

export interface FilteredNames extends Pick<Parcel, 'trackNo' | 'courierCode' | 'label' | 'tags'> {
  readonly merchant?: { readonly country?: string; readonly orderNo?: string };
  readonly record: {
    readonly courierNameEN: string | null;
    readonly courierNameCN: string | null;
    readonly shipTo: string | null;
    readonly shipFrom: string | null;
    readonly orderNo?: string | null;
    readonly lastMile?: { readonly courierCode: string | null; readonly courierName: string | null } | null;
  } | null;
}

/** Valid values of a term. */
type TermValues =
  | { readonly kind: 'listed'; readonly values: readonly string[] }
  /** Any value of the filtered parcels. If `inPart`, a part of it is enough. */
  | { readonly kind: 'of-parcels'; readonly of: (parcel: FilteredNames) => readonly string[]; readonly inPart: boolean }
  /** A value with a pattern, such as `example`. `isBegun` recognises an unfinished one. */
  | { readonly kind: 'form'; readonly example: string; readonly isBegun: (value: string) => boolean };

/** A filter term, `name:value`. */
export interface FilterTerm {
  readonly name: TermName;
  readonly values: TermValues;
  /** Returns the test for a folded value, or null if the value is not valid. */
  readonly read: (value: string) => ParcelTest | null;
}

const hasNewChanges: ParcelTest = (parcel) => parcel.unread !== undefined;

const stateTests: Readonly<Record<keyof typeof statesOfParcels, ParcelTest>> = {
  unread: hasNewChanges,
  new: hasNewChanges,
  problem: (parcel) => shownStage(parcel) === 'attention',
  rejected: (parcel) => parcel.registration === 'rejected',
  quiet: (parcel, { now, usual = noUsualStillness }) => quietSpell(parcel, now, usual) !== null,
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
  courier: textTerm(couriersOf, { inPart: true }),
  to: textTerm(({ record, merchant }) => given([record?.shipTo ?? merchant?.country])),
  from: textTerm(({ record }) => given([record?.shipFrom])),
  tag: textTerm(({ tags }) => tags),
  is: listedTerm(Object.keys(statesOfParcels) as (keyof typeof statesOfParcels)[], (state) => stateTests[state]),
  due: listedTerm(dueDays, (day) =>
    day === 'none' ? isUnderWayWithoutDay : (parcel, viewing) => isDue(parcel, day, viewing),
  ),
  late: ageTerm((parcel, { now, zone }) => {
    const awaited = awaitedDelivery(parcel);
    return awaited === null ? null : now - lateFrom(awaited, { now, zone });
  }, 'least'),
  delivered: ageTerm((parcel, { now }) => {
    const at = parcelStage(parcel) === 'delivered' ? arrivedBy(parcel) : null;
    return at === null ? null : now - at;
  }, 'most'),
  label: textTerm(({ label }) => given([label]), { inPart: true }),
  order: textTerm(({ merchant, record }) => given([merchant?.orderNo || record?.orderNo]), { inPart: true }),
  no: listedTerm(absences, (what) => absenceTests[what]),
  // A parcel without events has no event that is older.
  older: ageTerm((parcel, { now }) => {
    const event = lastEventTime(parcel);
    return event === null ? null : now - event.latest;
  }, 'more'),
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

/**
 * Returns the value itself, or else all values that begin with the text, or else all values with a later word that
 * does.
 */
export function beginningValues<Value extends string>(values: readonly Value[], text: string): readonly Value[] {
  const same = values.filter((one) => one === text);
  if (same.length > 0) return same;
  const beginning = values.filter((one) => one.startsWith(text));
  return beginning.length > 0 ? beginning : values.filter((one) => one.includes(`-${text}`));
}

function listedTerm<Value extends string>(
  values: readonly Value[],
  testFor: (value: Value) => ParcelTest,
): Omit<FilterTerm, 'name'> {
  return {
    values: { kind: 'listed', values },
    read: (text) => {
      const tests = beginningValues(values, text).map(testFor);
      return tests.length === 0 ? null : (parcel, viewing) => tests.some((test) => test(parcel, viewing));
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

const agePasses = {
  least: (age: number, bound: number) => age >= bound,
  more: (age: number, bound: number) => age > bound,
  most: (age: number, bound: number) => age <= bound,
} as const;

/** @param ageOf returns milliseconds, or null for a parcel that never matches */
function ageTerm(
  ageOf: (parcel: Parcel, viewing: Viewing) => number | null,
  passes: keyof typeof agePasses,
): Omit<FilterTerm, 'name'> {
  return {
    values: { kind: 'form', example: '12h, 3d or 2w', isBegun: (value) => /^\d*$/.test(value) },
    read: (value) => {
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
  return isUnderWay && dueDaysOf(parcel, viewing) === null;
}

type DueDay = Exclude<(typeof dueDays)[number], 'none'>;

/** Returns the first and the last day of a value of `due:`, counted from today. */
function daysFromToday(day: DueDay, { now, zone }: Viewing): readonly [number, number] {
  if (day === 'today') return [0, 0];
  if (day === 'tomorrow') return [1, 1];
  if (day === 'week') return [0, 6];
  if (day === 'later') return [7, Number.POSITIVE_INFINITY];
  const ahead = (weekdays.indexOf(day) - new Date(zone.wallTime(now)).getUTCDay() + 7) % 7;
  return [ahead, ahead];
}

/** Whether a parcel may arrive on one of these days. */
function isDue(parcel: Parcel, day: DueDay, viewing: Viewing): boolean {
  const due = dueDaysOf(parcel, viewing);
  if (due === null) return false;
  const [first, last] = daysFromToday(day, viewing);
  return due.first <= last && due.last >= first;
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
  /** Null if the value is not valid. The term then filters nothing. */
  readonly test: ParcelTest | null;
}

interface FilterWord {
  /** Folded. */
  readonly text: string;
  readonly negated: boolean;
}

/** Not the name of a term. */
interface UnknownTerm {
  readonly name: string;
  readonly value: string;
}

/** Parts of a filter. A parcel must match all of them. */
interface Alternative {
  readonly words: FilterWord[];
  readonly terms: UsedTerm[];
  readonly groups: Group[];
}

/** A parcel must match one alternative. */
interface Group {
  readonly negated: boolean;
  readonly alternatives: Alternative[];
}

/** A parsed filter, and all parts of its alternatives together. */
export interface ReadFilter extends Pick<Alternative, 'words' | 'terms'> {
  readonly whole: Group;
  readonly unknown: readonly UnknownTerm[];
}

const newGroup = (negated: boolean): Group => ({ negated, alternatives: [{ words: [], terms: [], groups: [] }] });

/** Parses a filter. Parts with problems filter nothing. `filterProblem` describes them. */
export function readFilter(text: string): ReadFilter {
  const whole = newGroup(false);
  const [words, terms, unknown]: [FilterWord[], UsedTerm[], UnknownTerm[]] = [[], [], []];
  const open = [whole];
  for (const { end, kind, name, negated, start, value } of filterTokens(text)) {
    const { alternatives } = open.at(-1) ?? whole;
    const current = alternatives.at(-1);
    if (kind === 'or') alternatives.push(...newGroup(false).alternatives);
    else if (kind === 'close') open.pop();
    else if (kind === 'open') {
      const group = newGroup(negated);
      current?.groups.push(group);
      open.push(group);
    } else {
      const folded = fold(value);
      const term = name === null ? undefined : filterTerms.find((one) => one.name === name);
      if (term !== undefined) {
        const used = { term, value: folded, negated, test: folded === '' ? null : term.read(folded), start, end };
        terms.push(used);
        current?.terms.push(used);
      } else if (name !== null) unknown.push({ name, value });
      else if (folded !== '') {
        words.push({ text: folded, negated });
        current?.words.push({ text: folded, negated });
      }
    }
  }
  return { whole, words, terms, unknown };
}

/**
 * Returns the folded text that words are searched in, one field per line: number, label, note, tags, couriers, stage,
 * place, last event, order number, remark, the facts above the timeline, status and delivery time.
 */
export function searchText(parcel: Parcel, viewing: Viewing): string {
  const { record, lastEvent } = parcel;
  const lastMile = record?.lastMile;
  const wordings = statusWordings(parcel, viewing);
  const texts = [
    parcel.trackNo,
    parcel.label,
    parcel.note,
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
    newestEventText(parcel, viewing.phraseBook),
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

/** What a filter tests: a parcel itself, or a change of a parcel. */
interface Filtered<Item> {
  /** Null if its parcel is gone. Then no term matches. */
  readonly parcelOf: (item: Item) => Parcel | null;
  /** Returns the folded text to search. */
  readonly textOf: (item: Item) => string;
}

/**
 * Compiles a filter. Words match anywhere in the text of a parcel. `!`, or `-` and `not` before a term or group,
 * negate. Ignores case, accents and character width. An empty filter matches everything.
 * @param textOf returns the text to search; computed per parcel by default
 */
export const createFilter = (
  filterText: string,
  viewing: Filtering,
  textOf: (parcel: Parcel) => string = (parcel) => searchText(parcel, viewing),
): ((parcel: Parcel) => boolean) => createFilterOf(filterText, viewing, { parcelOf: (parcel) => parcel, textOf });

export function createFilterOf<Item>(
  filterText: string,
  viewing: Filtering,
  filtered: Filtered<Item>,
): (item: Item) => boolean {
  const test = groupTest(readFilter(filterText).whole, filtered);
  return (item) => test?.(item, viewing) !== false;
}

/** Returns null for a group without parts, which filters nothing. */
function groupTest<Item>(
  { alternatives, negated }: Group,
  filtered: Filtered<Item>,
): ((item: Item, viewing: Filtering) => boolean) | null {
  const passes = alternatives.flatMap(({ groups, terms, words }) => {
    const inner = groups.flatMap((group) => groupTest(group, filtered) ?? []);
    if (inner.length + terms.length + words.length === 0) return [];
    const tests = terms.flatMap(({ negated: isNegated, test }) => (test === null ? [] : [{ isNegated, test }]));
    return (item: Item, viewing: Filtering): boolean => {
      const parcel = filtered.parcelOf(item);
      const isMet = (test: ParcelTest): boolean => parcel !== null && test(parcel, viewing);
      if (!tests.every(({ isNegated, test }) => isMet(test) !== isNegated)) return false;
      if (!inner.every((test) => test(item, viewing))) return false;
      if (words.length === 0) return true;
      const searched = filtered.textOf(item);
      return words.every(({ negated: isNegated, text }) => searched.includes(text) !== isNegated);
    };
  });
  if (passes.length === 0) return null;
  return (item, viewing) => passes.some((pass) => pass(item, viewing)) !== negated;
}
