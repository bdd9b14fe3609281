import type { Scan } from '../../watchlist/scan/scanned-number.ts';
import { counted } from '../text/counted.ts';
import { placeWords } from './place-words.ts';

/** What somebody should know of how a text was read, as sentences; empty when all of it was. */
export function scanNotes({ leftOut, problems }: Pick<Scan, 'leftOut' | 'problems'>): readonly string[] {
  const [first] = problems;
  const more = problems.length - 1;
  return [
    ...(leftOut === 0 ? [] : [`${counted(leftOut, 'more number')} left out: add these first.`]),
    ...(first === undefined
      ? []
      : [
          `${[placeWords(first.place), first.message].filter((words) => words !== '').join(': ')}${more > 0 ? ` (and ${more} more)` : ''}`,
        ]),
  ];
}
