import type { Parcel } from '../../watchlist/model/parcel.ts';
import { deliveredLocal } from '../../watchlist/rules/delivery.ts';
import type { Viewing } from '../status/status-now.ts';
import { courierName, instantOf, parcelTitle } from '../status/view-stage.ts';
import { cellWidth } from '../text/cells.ts';
import { timeOfDaySuffices } from '../time/zone-time.ts';
import { columnHeadings } from './column-headings.ts';
import {
  ageWidth,
  type ColumnNeeds,
  columnOrder,
  longNextWidth,
  markedAgeWidth,
  shortNextWidth,
} from './list-columns.ts';
import type { ListRowInput } from './list-row.ts';
import { expectedText, newestEventText, ownStatusWordings, placeText, statusOrEventWordings } from './row-texts.ts';

const noNeeds: ColumnNeeds = {
  name: 0,
  courier: 0,
  status: 0,
  statusOrEvent: 0,
  place: 0,
  event: 0,
  expected: 0,
  next: 0,
  age: 0,
};

/**
 * What the columns of a list need to show these parcels whole. Of all parcels, not only of those in sight: columns that
 * move while one scrolls cannot be read.
 */
export function columnNeeds(
  parcels: readonly Parcel[],
  viewing: Viewing & Pick<ListRowInput, 'hasStageHeadings'>,
): ColumnNeeds {
  const needs: Record<keyof ColumnNeeds, number> = { ...noNeeds };
  for (const parcel of parcels) {
    const see = (name: keyof ColumnNeeds, text: string, most = Number.POSITIVE_INFINITY): void => {
      // A text has no more cells than two a character.
      if (text.length * 2 > needs[name]) needs[name] = Math.max(needs[name], Math.min(most, cellWidth(text)));
    };
    see('name', parcelTitle(parcel));
    see('courier', courierName(parcel) ?? '');
    const wordings = ownStatusWordings(parcel, viewing);
    see('status', wordings[0], mostOfStatus(parcel));
    const event = newestEventText(parcel);
    // Which of the two stands there takes longer to find than that neither needs more room.
    if (parcel.lastEvent !== null && Math.max(wordings[0].length, event.length) * 2 > needs.statusOrEvent)
      see('statusOrEvent', statusOrEventWordings(parcel, viewing, wordings)[0]);
    see('place', placeText(parcel));
    see('event', event);
    see('expected', expectedText(parcel, viewing)?.short ?? '');
    needs.next = Math.max(needs.next, nextWidth(parcel, viewing));
    if (parcel.lastEvent !== null || deliveredLocal(parcel) !== null)
      needs.age = Math.max(needs.age, parcel.lastEvent?.certain === true ? ageWidth : markedAgeWidth);
  }
  return underHeadings(needs);
}

/** What columns need whose headings are to be whole, too. */
function underHeadings(texts: ColumnNeeds): ColumnNeeds {
  const needs = { ...texts };
  for (const name of columnOrder) {
    if (needs[name] > 0) needs[name] = Math.max(needs[name], cellWidth(columnHeadings[name]));
  }
  return { ...needs, statusOrEvent: Math.max(needs.status, needs.statusOrEvent) };
}

/** Cells that hold most statuses. */
const usualStatus = 30;

/** Cells that a status is given at most: behind that of a parcel without an event stand empty cells. */
const mostOfStatus = ({ lastEvent }: Parcel): number => (lastEvent === null ? usualStatus : Number.POSITIVE_INFINITY);

/** Cells of the next check of a watched parcel; times of day are enough where it is not further away than that. */
function nextWidth({ archivedAt, nextPollAt }: Parcel, { now }: Viewing): number {
  const at = archivedAt === null ? instantOf(nextPollAt) : null;
  if (at === null) return 0;
  return at - now < timeOfDaySuffices ? shortNextWidth : longNextWidth;
}
