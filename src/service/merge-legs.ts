import type { Checkpoint } from './record.ts';
import { isSurelyNewestFirst, newestFirst, type RankedCheckpoint, rankCheckpoints } from './timeline-order.ts';

/**
 * Merges the overlapping lists of the first and the last-mile courier, newest first. Reports of one event are folded
 * and counted. An event of both belongs to the courier of the next older event, the oldest to the first courier.
 */
export function mergeLegs(main: readonly Checkpoint[], lastMile: readonly Checkpoint[]): readonly Checkpoint[] {
  if (lastMile.length === 0 && isSurelyNewestFirst(main)) return main;
  const ranked = newestFirst([...rankCheckpoints(lastMile), ...rankCheckpoints(main)]);
  const events: RankedCheckpoint[] = [];
  const newestReport = new Map<string, RankedCheckpoint>();
  /** The first courier's report of events that both report. */
  const shared = new Map<RankedCheckpoint, Checkpoint>();
  const ofFirst = new Set(main);
  const newestReports = new Map<RankedCheckpoint, Checkpoint>();
  for (const report of ranked) {
    const key = eventKey(report.checkpoint);
    const known = newestReport.get(key);
    if (known === undefined || !placesAgree(known.checkpoint.address, report.checkpoint.address)) {
      newestReport.set(key, report);
      events.push(report);
      newestReports.set(report, report.checkpoint);
    } else {
      const reports = [newestReports.get(known) ?? known.checkpoint, report.checkpoint];
      const [first, ...rest] = reports.filter((one) => ofFirst.has(one));
      if (first !== undefined && rest.length === 0) shared.set(known, first);
      known.checkpoint = fold(known.checkpoint, report.checkpoint);
    }
  }
  if (lastMile.length > 0) settleOwners(events, shared);
  return events.map((event) => event.checkpoint);
}

function settleOwners(
  newestFirst: readonly RankedCheckpoint[],
  shared: ReadonlyMap<RankedCheckpoint, Checkpoint>,
): void {
  let older: Checkpoint | null = null;
  for (const event of newestFirst.toReversed()) {
    const ofFirst = shared.get(event);
    if (ofFirst !== undefined) event.checkpoint = withOwner(event.checkpoint, older ?? ofFirst);
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

/** Cleaned texts have no line breaks. */
const eventKey = ({ at, local, detail }: Checkpoint): string => `${at ?? local ?? ''}\n${detail ?? '\n'}`;

export function placesAgree(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return true;
  const [a, b] = [words(one), words(other)];
  return a.includes(b) || b.includes(a);
}

export function isCloserPlace(place: string | null, other: string | null): boolean {
  if (place === null || other === null) return place !== null;
  return (words(place).length - words(other).length || place.length - other.length) > 0;
}

/** Returns the whole words of a text, because Essen is not in Hessen. */
function words(place: string): string {
  return ` ${(place.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [place]).join(' ')} `;
}

function fold(known: Checkpoint, other: Checkpoint): Checkpoint {
  return {
    ...other,
    ...known,
    address: isCloserPlace(other.address, known.address) ? other.address : known.address,
    local: known.local ?? other.local,
    offset: known.offset ?? other.offset,
    subStatus: known.subStatus ?? other.subStatus,
    repeats: (known.repeats ?? 1) + (other.repeats ?? 1),
  };
}
