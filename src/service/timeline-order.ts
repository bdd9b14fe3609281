import { dayMs, type EpochMs, minuteMs } from '../lib/clock.ts';
import { maxOffsetMs, minOffsetMs, parseDay, parseInstant, parseOffset, parseWallTime } from '../lib/date-time.ts';
import type { Checkpoint } from './record.ts';

export interface RankedCheckpoint {
  checkpoint: Checkpoint;
  rank: number;
}

export function instantOf({ at }: Pick<Checkpoint, 'at'>): number | null {
  return parseInstant(at);
}

/** Leaves out events that were more than a day ahead when first received. */
export const plausibleEvents = (list: readonly Checkpoint[]): readonly Checkpoint[] =>
  list.some(({ future }) => future === true) ? list.filter(({ future }) => future !== true) : list;

export const plausibleInstant = (event: Pick<Checkpoint, 'at' | 'future'>): number | null =>
  event.future === true ? null : instantOf(event);

export interface EventSpan {
  readonly earliest: EpochMs;
  readonly latest: EpochMs;
}

/**
 * Returns the earliest and latest possible instant of an event, or null if the time is unknown. A local time without a
 * zone may be from any zone.
 */
export function eventSpan({ at, local, offset }: Pick<Checkpoint, 'at' | 'local' | 'offset'>): EventSpan | null {
  const instant = instantOf({ at });
  if (instant !== null) return { earliest: instant, latest: instant };
  const minutes = parseOffset(offset);
  const [max, min] = minutes === null ? [maxOffsetMs, minOffsetMs] : [minutes * minuteMs, minutes * minuteMs];
  const wall = parseWallTime(local);
  if (wall !== null) return { earliest: wall - max, latest: wall - min };
  const day = parseDay(local);
  return day === null ? null : { earliest: day - max, latest: day + dayMs - 1 - min };
}

/** Returns the local time as if it were UTC. If the time of day is unknown, returns the start of the day. */
export const localTime = ({ local }: Pick<Checkpoint, 'local'>): EpochMs | null =>
  parseWallTime(local) ?? parseDay(local);

/**
 * Ranks events by their instant. An event without one is ranked by its local time, but stays between its neighbours;
 * an event in the future just keeps its position.
 */
export function rankCheckpoints(list: readonly Checkpoint[]): readonly RankedCheckpoint[] {
  const ceilings: number[] = [];
  let ceiling = Number.POSITIVE_INFINITY;
  for (const checkpoint of list) {
    ceiling = plausibleInstant(checkpoint) ?? ceiling;
    ceilings.push(ceiling);
  }
  let floor = Number.NEGATIVE_INFINITY;
  const oldestFirst = list.toReversed().map((checkpoint, fromEnd): RankedCheckpoint => {
    const highest = ceilings[list.length - 1 - fromEnd] ?? Number.POSITIVE_INFINITY;
    const estimate = checkpoint.future === true ? null : localTime(checkpoint);
    floor = plausibleInstant(checkpoint) ?? Math.min(highest, Math.max(floor, estimate ?? floor));
    return { checkpoint, rank: floor };
  });
  return oldestFirst.reverse();
}

export function newestFirst(ranked: readonly RankedCheckpoint[]): RankedCheckpoint[] {
  // Infinity minus Infinity is NaN.
  return ranked.toSorted((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank));
}

const wholeSecondLength = '2026-01-01T00:00:00Z'.length;

/** Whether the list is sorted and without duplicates: all instants are known and strictly descending. */
export function isSurelyNewestFirst(list: readonly Checkpoint[]): boolean {
  // Instants of the same length can be compared as strings.
  return list.every(({ at, future }, index) => {
    const before = list[index - 1]?.at;
    return (
      future !== true && at?.length === wholeSecondLength && (before === undefined || (before !== null && at < before))
    );
  });
}

/**
 * Merges the overlapping lists of the first and the last-mile courier, newest first. Several reports of one event are
 * merged and counted. If both couriers report an event, it is attributed to the courier of the next older event; if it is
 * the oldest, to the first courier.
 */
export function mergeLegs(main: readonly Checkpoint[], lastMile: readonly Checkpoint[]): readonly Checkpoint[] {
  if (lastMile.length === 0 && isSurelyNewestFirst(main)) return main;
  const ranked = newestFirst([...rankCheckpoints(lastMile), ...rankCheckpoints(main)]);
  const events: RankedCheckpoint[] = [];
  const newestReport = new Map<string, RankedCheckpoint>();
  /** The first courier's report of each event that both couriers report. */
  const shared = new Map<RankedCheckpoint, Checkpoint>();
  const mainReports = new Set(main);
  const newestReports = new Map<RankedCheckpoint, Checkpoint>();
  for (const report of ranked) {
    const key = eventKey(report.checkpoint);
    const match = newestReport.get(key);
    if (match === undefined || !placesAgree(match.checkpoint.address, report.checkpoint.address)) {
      newestReport.set(key, report);
      events.push(report);
      newestReports.set(report, report.checkpoint);
    } else {
      const reports = [newestReports.get(match) ?? match.checkpoint, report.checkpoint];
      const [first, ...rest] = reports.filter((report) => mainReports.has(report));
      if (first !== undefined && rest.length === 0) shared.set(match, first);
      match.checkpoint = mergeReports(match.checkpoint, report.checkpoint);
    }
  }
  if (lastMile.length > 0) assignOwners(events, shared);
  return events.map((event) => event.checkpoint);
}

function assignOwners(
  newestFirst: readonly RankedCheckpoint[],
  shared: ReadonlyMap<RankedCheckpoint, Checkpoint>,
): void {
  let older: Checkpoint | null = null;
  for (const event of newestFirst.toReversed()) {
    const mainReport = shared.get(event);
    if (mainReport !== undefined) event.checkpoint = withOwner(event.checkpoint, older ?? mainReport);
    older = event.checkpoint;
  }
}

export function withOwner(event: Checkpoint, { courierCode, courierName }: Checkpoint): Checkpoint {
  if (event.courierCode === courierCode && event.courierName === courierName) return event;
  const { courierCode: _code, courierName: _name, ...unowned } = event;
  return {
    ...unowned,
    ...(courierCode === undefined ? {} : { courierCode }),
    ...(courierName === undefined ? {} : { courierName }),
  };
}

/** The line break separates the parts, because cleaned text does not contain any. */
const eventKey = ({ at, local, detail }: Checkpoint): string => `${at ?? local ?? ''}\n${detail ?? '\n'}`;

export function placesAgree(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return true;
  const [wordsA, wordsB] = [spacedWords(a), spacedWords(b)];
  return wordsA.includes(wordsB) || wordsB.includes(wordsA);
}

export function isCloserPlace(place: string | null, other: string | null): boolean {
  if (place === null || other === null) return place !== null;
  return (spacedWords(place).length - spacedWords(other).length || place.length - other.length) > 0;
}

/** Returns a place's words with a space around each, because "Essen" must not match "Hessen". */
function spacedWords(place: string): string {
  return ` ${(place.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [place]).join(' ')} `;
}

function mergeReports(main: Checkpoint, other: Checkpoint): Checkpoint {
  return {
    ...other,
    ...main,
    address: isCloserPlace(other.address, main.address) ? other.address : main.address,
    local: main.local ?? other.local,
    offset: main.offset ?? other.offset,
    subStatus: main.subStatus ?? other.subStatus,
    repeats: (main.repeats ?? 1) + (other.repeats ?? 1),
  };
}
