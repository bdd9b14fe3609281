import { fold } from '../text/fold.ts';

/** What can stand in place of a part of a line, which begins like each of them. */
export interface Completions {
  /** Where that part begins and ends, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** At least one, none of them twice; likeliest first. */
  readonly candidates: readonly string[];
}

/** Nobody goes through more. */
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
