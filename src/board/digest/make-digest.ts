import { type EpochMs, hourMs } from '../../service/clock/clock.ts';
import { foldCourier } from '../../watchlist/model/identity.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { awaitedDelivery } from '../../watchlist/rules/awaited-delivery.ts';
import type { Viewer } from '../../watchlist/rules/late-delivery.ts';
import { usualStillness } from '../../watchlist/rules/usual-stillness.ts';
import { inBatches } from '../../watchlist/store/in-batches.ts';
import { columnNeeds, mostOfStatus, plannedCheck, widest } from '../list/column-needs.ts';
import { lastEventDay, type ParcelGroup } from '../list/groups.ts';
import type { ColumnNeeds } from '../list/list-columns.ts';
import { expectedText, ownStatusWordings, statusOrEventWordings } from '../list/row-texts.ts';
import { endOfWindow } from '../status/expected-wording.ts';
import type { Viewing } from '../status/status-now.ts';
import { parcelLook } from '../status/view-stage.ts';
import { cellWidth } from '../text/cells.ts';
import { runsOf } from './changed-digest.ts';
import { mappedInTurns, orderedInTurns, parcelsInTurn } from './in-turns.ts';
import { type ChangingColumn, changingColumns, type ListDigest, type WidthBounds } from './list-digest.ts';
import { Tally } from './tally.ts';

/** Days for which a digest holds. */
export const digestDays = 7;

/** More parcels than this are not looked at to find the widest text. */
const mostCandidates = 200;

/** That on which clocks are put forward. */
const shortestDay = 23 * hourMs;

/** What a digest is made of. */
export interface DigestInput extends Viewer {
  readonly parcels: readonly Parcel[];
  /** Where the line of each begins in the file, in bytes; null for a list that others change: what is made can follow that. */
  readonly places: readonly number[] | null;
  readonly checks: ListDigest['checks'];
  /** Lets everybody else have a turn. */
  readonly pause: () => Promise<void>;
}

/** Makes the digest of a watchlist, for the {@link digestDays} that follow. Others have their turn in between. */
export async function makeDigest({ parcels, places, now, zone, checks, pause }: DigestInput): Promise<ListDigest> {
  const placeOf = new Map(places === null ? [] : parcels.map((parcel, index) => [parcel, places[index] ?? 0]));
  const placesOf = (some: readonly Parcel[]): number[] => some.map((parcel) => placeOf.get(parcel) ?? 0);
  const usual = usualStillness(parcels);
  const { columns, groups, order } = await orderedInTurns(parcels, zone, pause);
  const viewing = { now, usual, zone };
  const needs = await neededInTurns(order, viewing, pause);
  // Of a list that others change, what is wide now has to do.
  const widths = places === null ? [] : await measured(order, viewing, pause);
  const least = leastOf(widths);
  const bounds = (column: ChangingColumn): WidthBounds => boundsOf(column, least[column], widths, placeOf);
  const delivered = await mappedInTurns(deliveredOf(groups), (parcel) => lastEventDay(parcel, zone), pause);
  const planned = (await mappedInTurns(order, plannedCheck, pause)).filter((at) => at !== null);
  // What the header counts, by what does not depend on the day.
  const tally = new Tally(zone);
  const tours = await mappedInTurns(order, (parcel) => tally.add(parcel), pause);
  return {
    madeAt: now,
    zone: zone.name,
    ids: order.map(({ id }) => id),
    places: Uint32Array.from(placesOf(order)),
    groups: groups.map(({ key, parcels: { length } }) => [key, length]),
    delivered: runsOf(delivered),
    unread: order.flatMap(({ unread }, position) => (unread === undefined ? [] : [position])),
    counts: [...tally.counts],
    tours: tally.tours,
    usual: [...usual],
    needs: { ...needs, ...(places === null ? {} : least), next: 0 },
    bounds: { status: bounds('status'), statusOrEvent: bounds('statusOrEvent'), expected: bounds('expected') },
    farthest: planned.reduce<EpochMs | null>((far, at) => (far === null || at > far ? at : far), null),
    checks,
    changeable: places === null ? { ...columns, tours: tours.filter((tour) => tour !== null) } : null,
  };
}

const deliveredOf = (groups: readonly ParcelGroup[]): readonly Parcel[] =>
  groups.find(({ key }) => key === 'delivered')?.parcels ?? [];

/** The least and the most of some widths. */
interface Range {
  readonly least: number;
  readonly most: number;
}

/** Cells of the texts of a parcel, as long as the digest holds. */
type WidthRange = Readonly<Record<ChangingColumn, Range>>;

interface Measured {
  readonly parcel: Parcel;
  readonly range: WidthRange;
}

/** How many parcels are measured before everybody else has a turn. */
const measuredInTurn = 100;

/** Columns of the whole list, a part of it at a time. */
async function neededInTurns(
  order: readonly Parcel[],
  viewing: Required<Viewing>,
  pause: DigestInput['pause'],
): Promise<ColumnNeeds> {
  let needs = columnNeeds([], viewing);
  for (const some of inBatches(order, parcelsInTurn)) {
    await pause();
    needs = widest(needs, columnNeeds(some, { ...viewing, hasStageHeadings: true }));
  }
  return needs;
}

async function measured(
  watched: readonly Parcel[],
  viewing: Required<Viewing>,
  pause: DigestInput['pause'],
): Promise<readonly Measured[]> {
  const known = new Map<string, number>();
  const widthOf = (text: string): number => {
    const width = known.get(text) ?? cellWidth(text);
    known.set(text, width);
    return width;
  };
  const measure = (parcel: Parcel): Measured => ({ parcel, range: rangeOf(parcel, viewing, widthOf) });
  return await mappedInTurns(watched, measure, pause, measuredInTurn);
}

function rangeOf(parcel: Parcel, viewing: Required<Viewing>, widthOf: (text: string) => number): WidthRange {
  const [status, statusOrEvent, expected]: [number[], number[], number[]] = [[], [], []];
  let before: string | null = null;
  for (const now of instantsOfChange(parcel, viewing)) {
    const then = { ...viewing, now, hasStageHeadings: true };
    const wordings = ownStatusWordings(parcel, then);
    expected.push(widthOf(expectedText(parcel, then)?.short ?? ''));
    // What stands in place of a status depends on nothing else.
    if (wordings[0] === before) continue;
    before = wordings[0];
    status.push(Math.min(mostOfStatus(parcel), widthOf(before)));
    const hasEvent = parcel.lastEvent !== null;
    statusOrEvent.push(hasEvent ? widthOf(statusOrEventWordings(parcel, then, wordings)[0]) : 0);
  }
  return { status: rangeAmong(status), statusOrEvent: rangeAmong(statusOrEvent), expected: rangeAmong(expected) };
}

const rangeAmong = (widths: readonly number[]): Range => ({ least: Math.min(...widths), most: Math.max(0, ...widths) });

/** Instants between which the texts of a parcel hardly change: they speak of days, and of the end of a window. */
function instantsOfChange(parcel: Parcel, { now, usual }: Required<Viewing>): readonly EpochMs[] {
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
  least: number,
  widths: readonly Measured[],
  placeOf: ReadonlyMap<Parcel, number>,
): WidthBounds {
  const wider = widths
    .filter(({ range }) => range[column].most > least)
    .map(({ parcel, range }) => ({ place: placeOf.get(parcel) ?? 0, most: range[column].most }))
    .sort((left, right) => right.most - left.most);
  return { candidates: wider.slice(0, mostCandidates), others: wider[mostCandidates]?.most ?? 0 };
}
