import { completeFilter } from '../../../board/filter/complete-filter.ts';
import type { FilteredNames } from '../../../board/filter/filter-terms.ts';
import { termNames } from '../../../board/filter/term-list.ts';
import { defaultOperations } from '../../../service/operations.ts';
import { mappableFields } from '../../import/import-columns.ts';
import { bareWord, type OfferedWord } from './expected-words.ts';

/*
 * Words that are typed part by part: each offered one is the whole of what stands there, with one part more.
 */

/** A filter, with what its last word or term can become, as on the board; a term where a new one begins. */
export function filterWords(typed: string, parcels: readonly FilteredNames[]): readonly OfferedWord[] {
  if (typed === '' || /\s$/.test(typed)) return termNames.map((name) => bareWord(`${typed}${name}:`));
  const found = completeFilter(typed, typed.length, parcels);
  return (found?.candidates ?? []).map((candidate) => bareWord(typed.slice(0, found?.from) + candidate));
}

/** Pairs of a field and a heading: the fields that are not named yet. What headings there are, only the file knows. */
export function columnMapWords(typed: string): readonly OfferedWord[] {
  const head = /^.*,/s.exec(typed)?.[0] ?? '';
  if (typed.slice(head.length).includes('=')) return [];
  const named = head.split(',').map((pair) => pair.split('=', 1)[0]?.trim());
  return mappableFields.filter((field) => !named.includes(field)).map((field) => bareWord(`${head}${field}=`));
}

/** A fault, and behind a colon how often it happens, and to which operation and numbers. */
export function faultWords(typed: string, faults: Readonly<Record<string, string>>): readonly OfferedWord[] {
  const head = /^.*:/s.exec(typed)?.[0];
  if (head === undefined) return Object.entries(faults).map(([word, about]) => ({ word, about }));
  return ['p=', 'count=', 'number=', 'delay=', ...Object.keys(defaultOperations)].map((part) => bareWord(head + part));
}
