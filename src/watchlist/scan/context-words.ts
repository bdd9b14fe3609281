import { otherNumberWords, parcelNumberWords } from './data/context-words.ts';

/** What the text around a number says that it is. */
export type NumberContext = 'parcel' | 'other' | null;

/** How much of the text before a number says what it is, in characters. */
export const contextReach = 70;

/** The words of one kind by their first two characters. */
type WordIndex = ReadonlyMap<string, readonly string[]>;

const indexed = (words: string): WordIndex =>
  Map.groupBy(words.trim().split(/\s*[,\n]\s*/), (word) => word.slice(0, 2));
const parcelIndex = indexed(parcelNumberWords);
const otherIndex = indexed(otherNumberWords);

/** A word that says what a number is, and how far before the end of the text it begins, in characters. */
export interface ContextWord {
  readonly kind: 'parcel' | 'other';
  readonly distance: number;
}

/** What a text before a number, or a heading above it, says that it is; what stands last decides. */
export const contextOf = (text: string): NumberContext => lastContextWord(text)?.kind ?? null;

/** The last word of a text that says what a number is; null where none does. */
export function lastContextWord(text: string): ContextWord | null {
  const near = contextForm(text.slice(-contextReach));
  for (let at = near.length - 2; at >= 0; at -= 1) {
    if (!mayBegin(near, at)) continue;
    const start = near.slice(at, at + 2);
    if (begins(parcelIndex.get(start), near, at)) return { kind: 'parcel', distance: near.length - at };
    if (begins(otherIndex.get(start), near, at)) return { kind: 'other', distance: near.length - at };
  }
  return null;
}

const begins = (words: readonly string[] | undefined, text: string, at: number): boolean =>
  words?.some((word) => text.startsWith(word, at)) === true;

/** Latin words are compared from their beginning; other scripts are written without spaces. */
function mayBegin(text: string, at: number): boolean {
  if (text.charCodeAt(at) >= 0x250) return true;
  return at === 0 || !/[a-z]/.test(text[at - 1] ?? '');
}

/** Small letters without accents. */
function contextForm(text: string): string {
  const small = text.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(small)) return small;
  return small
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o');
}
