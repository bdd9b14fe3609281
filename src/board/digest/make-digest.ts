import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Stage } from '../../service/record/status.ts';
import { foldCourier } from '../../watchlist/model/identity.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { awaitedDelivery } from '../../watchlist/rules/awaited-delivery.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { type UsualStillness, usualStillness } from '../../watchlist/rules/quiet.ts';
import { arrangeAll } from '../list/arrange.ts';
import { columnNeeds, mostOfStatus, plannedCheck } from '../list/column-needs.ts';
import { lastEventDay } from '../list/groups.ts';
import { expectedText, ownStatusWordings, statusOrEventWordings } from '../list/row-texts.ts';
import { endOfWindow } from '../status/expected-wording.ts';
import { tourDay } from '../status/standing.ts';
import type { Viewing } from '../status/status-now.ts';
import { parcelLook } from '../status/view-stage.ts';
import { cellWidth } from '../text/cells.ts';
import { dateInZone } from '../time/zone-time.ts';
import { type ChangingColumn, changingColumns, type ListDigest, type WidthBounds } from './list-digest.ts';

/** Days for which a digest holds. */
export const digestDays = 7;

/** More parcels than this are not looked at to find the widest text. */
const mostCandidates = 200;

const hour = 60 * 60_000;
/** That on which clocks are put forward. */
const shortestDay = 23 * hour;
/** Nothing was delivered on this day. */
const noDay = Date.UTC(9000, 0);

/** What a digest is made of. */
export interface DigestInput {
  readonly parcels: readonly Parcel[];
  /** Where the line of each begins in the file, in bytes. */
  readonly places: readonly number[];
  readonly now: EpochMs;
  /** The viewer's zone. */
  readonly zone: Zone;
  readonly checks: ListDigest['checks'];
  /** Lets everybody else have a turn. */
  readonly pause: () => Promise<void>;
}

/** Makes the digest of a watchlist, for the {@link digestDays} that follow. Others have their turn in between. */
export async function makeDigest({ parcels, places, now, zone, checks, pause }: DigestInput): Promise<ListDigest> {
  const placeOf = new Map(parcels.map((parcel, index) => [parcel, places[index] ?? 0]));
  const placesOf = (some: readonly Parcel[]): number[] => some.map((parcel) => placeOf.get(parcel) ?? 0);
  const usual = usualStillness(parcels);
  const { groups, order } = arrangeAll({ parcels, now: noDay, zone });
  const widths = await measured(order, { now, usual, zone }, pause);
  const bounds = (column: ChangingColumn): WidthBounds => boundsOf(column, widths, placeOf);
  const planned = order.map(plannedCheck).filter((at) => at !== null);
  return {
    madeAt: now,
    zone: zone.name,
    ids: order.map(({ id }) => id),
    places: Uint32Array.from(placesOf(order)),
    groups: groups.map(({ key, parcels: { length } }) => [key, length]),
    delivered: runsOf(
      groups.find(({ key }) => key === 'delivered')?.parcels.map((parcel) => lastEventDay(parcel, zone)) ?? [],
    ),
    unread: order.flatMap(({ unread }, position) => (unread === undefined ? [] : [position])),
    ...countsOf(order, zone),
    usual: [...usual],
    needs: { ...columnNeeds(order, { now, usual, zone, hasStageHeadings: true }), ...leastOf(widths), next: 0 },
    bounds: { status: bounds('status'), statusOrEvent: bounds('statusOrEvent'), expected: bounds('expected') },
    farthest: planned.reduce<EpochMs | null>((far, at) => (far === null || at > far ? at : far), null),
    checks,
  };
}

/** Neighbours that are the same, and how many they are. */
function runsOf<Value>(values: readonly Value[]): [Value, number][] {
  const runs: [Value, number][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] === value) last[1] += 1;
    else runs.push([value, 1]);
  }
  return runs;
}

/** What the header counts, by what does not depend on the day. */
function countsOf(watched: readonly Parcel[], zone: Zone): Pick<ListDigest, 'counts' | 'tours'> {
  const counts = new Map<Stage, number>();
  const tours = new Map<string, [date: string | null, offset: number | null, count: number]>();
  for (const parcel of watched) {
    const stage = parcelStage(parcel);
    const tour = stage === 'out-for-delivery' ? tourDay(parcel, (at) => dateInZone(at, zone)) : undefined;
    if (tour == null) {
      // A tour that is postponed is none.
      const counted = tour === null ? 'in-transit' : stage;
      counts.set(counted, (counts.get(counted) ?? 0) + 1);
      continue;
    }
    const key = `${tour.date} ${tour.offset}`;
    const known = tours.get(key);
    if (known === undefined) tours.set(key, [tour.date, tour.offset, 1]);
    else known[2] += 1;
  }
  return { counts: [...counts], tours: [...tours.values()] };
}

/** Cells of the texts of a parcel, as long as the digest holds. */
type WidthRange = Readonly<Record<ChangingColumn, { readonly least: number; readonly most: number }>>;

interface Measured {
  readonly parcel: Parcel;
  readonly range: WidthRange;
}

/** How many parcels are measured before everybody else has a turn. */
const measuredInTurn = 100;

async function measured(
  watched: readonly Parcel[],
  viewing: Viewing & { readonly usual: UsualStillness },
  pause: DigestInput['pause'],
): Promise<readonly Measured[]> {
  const known = new Map<string, number>();
  const widthOf = (text: string): number => {
    const width = known.get(text) ?? cellWidth(text);
    known.set(text, width);
    return width;
  };
  const found: Measured[] = [];
  for (const parcel of watched) {
    if (found.length % measuredInTurn === 0) await pause();
    found.push({ parcel, range: rangeOf(parcel, viewing, widthOf) });
  }
  return found;
}

function rangeOf(
  parcel: Parcel,
  viewing: Viewing & { readonly usual: UsualStillness },
  widthOf: (text: string) => number,
): WidthRange {
  const [status, statusOrEvent, expected] = [new Range(), new Range(), new Range()];
  let before: string | null = null;
  for (const now of instantsOfChange(parcel, viewing)) {
    const then = { ...viewing, now, hasStageHeadings: true };
    const wordings = ownStatusWordings(parcel, then);
    expected.add(widthOf(expectedText(parcel, then)?.short ?? ''));
    // What stands in place of a status depends on nothing else.
    if (wordings[0] === before) continue;
    before = wordings[0];
    status.add(Math.min(mostOfStatus(parcel), widthOf(before)));
    const hasEvent = parcel.lastEvent !== null;
    statusOrEvent.add(hasEvent ? widthOf(statusOrEventWordings(parcel, then, wordings)[0]) : 0);
  }
  return { status, statusOrEvent, expected };
}

/** The least and the most of some widths. */
class Range {
  least = Number.POSITIVE_INFINITY;
  most = 0;

  add(width: number): void {
    this.least = Math.min(this.least, width);
    this.most = Math.max(this.most, width);
  }
}

/** Instants between which the texts of a parcel hardly change: they speak of days, and of the end of a window. */
function instantsOfChange(
  parcel: Parcel,
  { now, usual }: Viewing & { readonly usual: UsualStillness },
): readonly EpochMs[] {
  const look = parcelLook(parcel);
  const awaited = awaitedDelivery(parcel);
  const isQuietAtTimes = usual.has(foldCourier(parcel.courierCode) ?? '');
  const isAlwaysTheSame = look !== 'pickup' && look !== 'out-for-delivery' && !isQuietAtTimes && awaited === null;
  if (isAlwaysTheSame) return [now];
  const days = Array.from({ length: digestDays + 2 }, (_, index) => now + index * shortestDay);
  const end = awaited === null ? null : endOfWindow(awaited);
  return end === null ? days : [...days, end - 1, end, end + 1];
}

function leastOf(widths: readonly Measured[]): Record<ChangingColumn, number> {
  const least = { status: 0, statusOrEvent: 0, expected: 0 };
  for (const { range } of widths) {
    for (const column of changingColumns) least[column] = Math.max(least[column], range[column].least);
  }
  return least;
}

function boundsOf(
  column: ChangingColumn,
  widths: readonly Measured[],
  placeOf: ReadonlyMap<Parcel, number>,
): WidthBounds {
  const least = leastOf(widths)[column];
  const wider = widths
    .filter(({ range }) => range[column].most > least)
    .map(({ parcel, range }) => ({ place: placeOf.get(parcel) ?? 0, most: range[column].most }))
    .sort((left, right) => right.most - left.most);
  return { candidates: wider.slice(0, mostCandidates), others: wider[mostCandidates]?.most ?? 0 };
}
