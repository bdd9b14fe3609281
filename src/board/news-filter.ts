import { fold } from '../lib/text.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { createFilterOf } from './filter.ts';
import type { Filtering } from './filter-terms.ts';
import { orderNoOf } from './parcel-facts.ts';
import type { PhraseBook } from './phrase-book.ts';
import { courierName } from './status/stage.ts';

/**
 * Compiles filters for the news. Terms match the current parcel of a change. Words match the text, number and label of
 * the change, and the courier, tags and order number of the parcel.
 */
export function newsFilters(
  parcels: readonly Parcel[],
  phraseBook: PhraseBook | null = null,
): (text: string, filtering: Filtering) => (change: Change) => boolean {
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]));
  // Cached, because each typed letter searches all changes.
  const known = new Map<Change, string>();
  const parcelOf = ({ parcelId }: Change): Parcel | null => byId.get(parcelId) ?? null;
  const textOf = (change: Change): string => {
    const before = known.get(change);
    if (before !== undefined) return before;
    const { courierCode, label, message, to, trackNo } = change;
    const detail = to?.lastEvent?.detail ?? null;
    const english = detail === null ? null : phraseBook?.(detail);
    const parcel = parcelOf(change);
    const current =
      parcel === null ? [] : [parcel.label, courierName(parcel), ...parcel.tags, orderNoOf(parcel), parcel.note];
    const text = fold([message, english, trackNo, label, courierCode, ...current].filter((part) => part).join('\n'));
    known.set(change, text);
    return text;
  };
  return (text, filtering) => createFilterOf(text, filtering, { parcelOf, textOf });
}
