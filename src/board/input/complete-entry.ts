import { quotes } from './add-input.ts';
import { beginningWith, type Completions, completionsAt } from './completions.ts';

/** What is known of parcels already. */
interface KnownParcel {
  readonly trackNo: string;
  readonly label: string | null;
}

const quote = new RegExp(`[${quotes}]`, 'u');
/** What is being typed, back to white space, a separator, a quote or an `@`. */
const openWord = new RegExp(`[^\\s;,@\uFF20${quotes}]+$`, 'u');
/** Nothing but a separator stands before the number of an entry. */
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
