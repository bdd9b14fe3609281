import type { ScanPlace } from '../../watchlist/scan/scanned-number.ts';
import { cellWidth } from '../text/cells.ts';

/** Where a number stands, in a few words for a column: `line 3`, `mail 2, line 7`, `order.html, line 12`. */
export function placeWords({ message, part, line, subject }: ScanPlace): string {
  const words = [
    ...(message === null ? [] : [`mail ${message}`]),
    ...(part === null || part === 'text' ? [] : [part]),
    ...(line === null ? [] : [`line ${line}`]),
  ];
  if (words.length > 0) return words.join(', ');
  return subject === null ? '' : `“${subject}”`;
}

/**
 * The words of a place within a width: how many more there are goes first, then what stands before the line, then the
 * word `line`, and no number is cut.
 */
export function fitPlace(words: string, width: number): string {
  if (cellWidth(words) <= width) return words;
  const first = words.replace(/ \+\d+$/, '');
  const line = /(?:^|, )(line \d+)$/.exec(first)?.[1];
  const shorter = [first, ...(line === undefined ? [] : [line, line.slice('line '.length), '…'])];
  return shorter.find((text) => cellWidth(text) <= width) ?? words;
}

/** All places of a number as a sentence's end, with the subjects of mails: `in line 3 and 2 more places`. */
export function placesSentence(places: readonly ScanPlace[]): string {
  const named = places.slice(0, 3).map((place) => {
    const words = placeWords(place);
    return place.subject === null || words === `“${place.subject}”` ? words : `${words} of “${place.subject}”`;
  });
  const more = places.length - named.length;
  return [...new Set(named.filter((words) => words !== ''))].join('; ') + (more > 0 ? `; ${more} more` : '');
}
