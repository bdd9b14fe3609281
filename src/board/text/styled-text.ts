/**
 * Simple texts with looks: what is written to the terminal, taken apart without what knows all scripts and sequences. The
 * bundle puts this before the packages that measure and take apart the texts of a frame (`.config/ink-parts.ts`).
 */
import { isSimple, simpleWidth } from './simple-text.ts';

/** A sequence with one code for a look, or the beginning or end of a link to an address without blanks. */
const sequence = /(\u001b\[\d{1,3}m|\u001b\]8;;[!-~]*\u001b\\)/;

/**
 * A text taken apart at its sequences: simple texts, some of them empty, stand at even places, sequences at odd ones. Null
 * when anything else is in it.
 */
export function styledParts(text: string): readonly string[] | null {
  const parts = text.split(sequence);
  return parts.every((part, index) => index % 2 === 1 || isSimple(part)) ? parts : null;
}

/** Cells that a text takes besides its sequences; null when only tables of all scripts know. */
export function styledWidth(text: string): number | null {
  if (!text.includes('\u001b')) return isSimple(text) ? simpleWidth(text) : null;
  const parts = styledParts(text);
  return parts === null
    ? null
    : parts.reduce((sum, part, index) => (index % 2 === 1 ? sum : sum + simpleWidth(part)), 0);
}
