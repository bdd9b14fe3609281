import { fold } from '../../lib/text.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { quotes } from './add-input.ts';

export interface Completions {
  /** Start and end of the part to replace, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** At least one, without duplicates, most likely first. */
  readonly candidates: readonly string[];
}

const maxCandidates = 50;

/** Returns the candidates that start with the typed text, ignoring case and accents. */
export function findByPrefix(texts: Iterable<string>, typed: string): readonly string[] {
  const prefix = fold(typed);
  const matches = new Set<string>();
  for (const text of texts) {
    if (matches.size === maxCandidates) break;
    if (text !== typed && fold(text).startsWith(prefix)) matches.add(text);
  }
  return [...matches];
}

/** Returns null if there are no candidates. */
export const completionsAt = (from: number, to: number, candidates: readonly string[]): Completions | null =>
  candidates.length === 0 ? null : { from, to, candidates };

/** Completes a whole line with the cursor at its end. Returns null if nothing matches. */
export const completeLine = (text: string, cursor: number, texts: Iterable<string>): Completions | null =>
  cursor < text.length ? null : completionsAt(0, text.length, findByPrefix(texts, text));

/** Completes the last item of a comma-separated list with the cursor at its end. Returns null if nothing matches. */
export function completeLast(text: string, cursor: number, texts: readonly string[]): Completions | null {
  if (cursor < text.length) return null;
  const parts = text.split(',').map((part) => part.trim());
  const last = text.slice(text.lastIndexOf(',') + 1);
  const from = text.length - last.trimStart().length;
  const others = new Set(parts.slice(0, -1));
  return completionsAt(
    from,
    text.length,
    findByPrefix(texts, text.slice(from)).filter((text) => !others.has(text)),
  );
}

const quote = new RegExp(`[${quotes}]`, 'u');
/** The word at the end, back to whitespace, a separator, a quote or `@`. */
const openWord = new RegExp(`[^\\s;,@\uFF20${quotes}]+$`, 'u');
const entryStart = /(?:^|[;,\n])[^\S\n]*$/;

/** In UTF-16 units. */
const maxHeadLength = 200;

/**
 * Completes a number from its beginning or from the label of its parcel. After the number and in quotes, completes the
 * label. Returns null if nothing matches.
 */
export function completeEntry(
  text: string,
  cursor: number,
  parcels: readonly Pick<Parcel, 'label' | 'trackNo'>[],
): Completions | null {
  // Limits the work for very long pastes.
  const line = Math.max(text.lastIndexOf('\n', cursor - 1) + 1, cursor - maxHeadLength);
  const head = text.slice(line, cursor);
  const labels = parcels.flatMap(({ label }) => (label === null || quote.test(label) ? [] : [label]));
  const quoteStart = findOpenQuote(head);
  if (quoteStart !== null) {
    const end = quote.test(text.charAt(cursor)) ? cursor + 1 : cursor;
    const matches = findByPrefix(labels, head.slice(quoteStart + 1));
    return completionsAt(line + quoteStart, end, matches.map(quoteLabel));
  }
  const word = openWord.exec(head);
  if (word === null || /^[^\s;,]/.test(text.slice(cursor))) return null;
  const from = line + word.index;
  const [typed] = word;
  if (!entryStart.test(text.slice(Math.max(0, line - 1), from))) {
    const phrases = phrasesBefore(head).map((phrase) => ({ phrase, found: findByPrefix(labels, phrase) }));
    const longest = phrases.find(({ found }) => found.length > 0);
    return longest === undefined
      ? null
      : completionsAt(cursor - longest.phrase.length, cursor, longest.found.map(quoteLabel));
  }
  const numbers = findByPrefix(
    parcels.map(({ trackNo }) => trackNo),
    typed,
  );
  if (numbers.length > 0) return completionsAt(from, cursor, numbers);
  const matchingLabels = new Set(findByPrefix(labels, typed));
  const parcelMatches = parcels.filter(({ label }) => label !== null && (matchingLabels.has(label) || label === typed));
  return completionsAt(from, cursor, [...new Set(parcelMatches.map(({ trackNo }) => trackNo))]);
}

/** Returns the texts that may be the start of a label, from each word after the number, longest first. */
function phrasesBefore(head: string): readonly string[] {
  const [entry = ''] = new RegExp(`[^;,@\uFF20${quotes}]*$`, 'u').exec(head) ?? [];
  const starts = [...entry.matchAll(/(?<=\s)\S/gu)].map(({ index }) => index);
  return starts.map((start) => entry.slice(start));
}

/** Returns the position of the unclosed quote, or null. */
function findOpenQuote(head: string): number | null {
  const positions = [...head.matchAll(new RegExp(quote, 'gu'))].map(({ index }) => index);
  return positions.length % 2 === 0 ? null : (positions.at(-1) ?? null);
}

const quoteLabel = (label: string): string => `"${label}"`;
