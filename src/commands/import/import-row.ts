import type { LeftEntry } from '../../board/input/partial-add.ts';
import type { GivenFields } from '../../watchlist/columns/column-names.ts';

/** One parcel of a file, as text; `place` says where it stands, e.g. `line 3`. */
export interface ImportRow {
  readonly place: string;
  readonly fields: GivenFields;
  /** What is wrong with a line that was read as in the input bar; absent when nothing is. */
  readonly problem?: LeftEntry;
}

/** Most places that are named. */
const mostNamed = 12;

/** Where several rows stand, for a sentence: `line 3`, `lines 2, 4-9, 12 …`. */
export function placeList(places: readonly string[]): string {
  const [word = ''] = (places[0] ?? '').split(' ');
  const numbers = [...new Set(places.map((place) => Number(place.split(' ')[1])))].sort((a, b) => a - b);
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last.to + 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  const named = ranges.slice(0, mostNamed).flatMap(({ from, to }) => {
    if (from === to) return [String(from)];
    return to === from + 1 ? [String(from), String(to)] : [`${from}-${to}`];
  });
  const plural = word === 'entry' ? 'entries' : `${word}s`;
  return `${numbers.length === 1 ? word : plural} ${named.join(', ')}${ranges.length > mostNamed ? ' …' : ''}`;
}
