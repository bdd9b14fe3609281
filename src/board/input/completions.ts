import { fold } from '../../lib/text.ts';
import { quotes } from './add-input.ts';

export interface Completions {
  /** Where that part begins and ends, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** At least one, none of them twice; likeliest first. */
  readonly candidates: readonly string[];
}

const mostCandidates = 50;

/** The texts that begin with what was typed, but are more than it; without regard to case and accents. */
export function beginningWith(texts: Iterable<string>, typed: string): readonly string[] {
  const wanted = fold(typed);
  const found = new Set<string>();
  for (const text of texts) {
    if (found.size === mostCandidates) break;
    if (text !== typed && fold(text).startsWith(wanted)) found.add(text);
  }
  return [...found];
}

/** Candidates in a place of a line; null when there are none. */
export const completionsAt = (from: number, to: number, candidates: readonly string[]): Completions | null =>
  candidates.length === 0 ? null : { from, to, candidates };

/** A whole line that can be one of some texts, with the cursor at its end; null when none begins so. */
export const completeLine = (text: string, cursor: number, texts: Iterable<string>): Completions | null =>
  cursor < text.length ? null : completionsAt(0, text.length, beginningWith(texts, text));

/** The last one of a list that commas separate, with the cursor at its end; null when none of the texts begins so. */
export function completeLast(text: string, cursor: number, texts: readonly string[]): Completions | null {
  if (cursor < text.length) return null;
  const parts = text.split(',').map((part) => part.trim());
  const last = text.slice(text.lastIndexOf(',') + 1);
  const from = text.length - last.trimStart().length;
  const others = new Set(parts.slice(0, -1));
  return completionsAt(
    from,
    text.length,
    beginningWith(texts, text.slice(from)).filter((one) => !others.has(one)),
  );
}

interface KnownParcel {
  readonly trackNo: string;
  readonly label: string | null;
}

const quote = new RegExp(`[${quotes}]`, 'u');
/** What is being typed, back to white space, a separator, a quote or an `@`. */
const openWord = new RegExp(`[^\\s;,@\uFF20${quotes}]+$`, 'u');
const beginsEntry = /(?:^|[;,\n])[^\S\n]*$/;

/** In UTF-16 units. */
const longestHead = 200;

/**
 * What the word or the open label before the cursor can become: in the place of the number a number that begins so, or that
 * of a parcel whose label does; behind it, and in quotes, a label. Null when nothing is known that begins so.
 */
export function completeEntry(text: string, cursor: number, parcels: readonly KnownParcel[]): Completions | null {
  // Nobody types a longer entry, and a paste can be of any length.
  const line = Math.max(text.lastIndexOf('\n', cursor - 1) + 1, cursor - longestHead);
  const head = text.slice(line, cursor);
  const labels = parcels.flatMap(({ label }) => (label === null || quote.test(label) ? [] : [label]));
  const quoted = openQuote(head);
  if (quoted !== null) {
    const closed = quote.test(text.charAt(cursor)) ? cursor + 1 : cursor;
    const found = beginningWith(labels, head.slice(quoted + 1));
    return completionsAt(line + quoted, closed, found.map(inQuotes));
  }
  const word = openWord.exec(head);
  if (word === null || /^[^\s;,]/.test(text.slice(cursor))) return null;
  const from = line + word.index;
  const [typed] = word;
  if (!beginsEntry.test(text.slice(Math.max(0, line - 1), from))) {
    const phrases = phrasesBefore(head).map((phrase) => ({ phrase, found: beginningWith(labels, phrase) }));
    const longest = phrases.find(({ found }) => found.length > 0);
    return longest === undefined
      ? null
      : completionsAt(cursor - longest.phrase.length, cursor, longest.found.map(inQuotes));
  }
  const numbers = beginningWith(
    parcels.map(({ trackNo }) => trackNo),
    typed,
  );
  if (numbers.length > 0) return completionsAt(from, cursor, numbers);
  const named = new Set(beginningWith(labels, typed));
  const theirs = parcels.filter(({ label }) => label !== null && (named.has(label) || label === typed));
  return completionsAt(from, cursor, [...new Set(theirs.map(({ trackNo }) => trackNo))]);
}

/** What the end of a line may be of a label: from each word behind the number on, the longest first. */
function phrasesBefore(head: string): readonly string[] {
  const [entry = ''] = new RegExp(`[^;,@\uFF20${quotes}]*$`, 'u').exec(head) ?? [];
  const starts = [...entry.matchAll(/(?<=\s)\S/gu)].map(({ index }) => index);
  return starts.map((start) => entry.slice(start));
}

/** Where the quote stands that is not closed yet; null when none is open. */
function openQuote(head: string): number | null {
  const places = [...head.matchAll(new RegExp(quote, 'gu'))].map(({ index }) => index);
  return places.length % 2 === 0 ? null : (places.at(-1) ?? null);
}

const inQuotes = (label: string): string => `"${label}"`;
