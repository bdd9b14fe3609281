import type { NumberContext } from './context-words.ts';
import { type FormatMatch, isUnmistakable } from './match-formats.ts';
import type { ScanTrust } from './scanned-number.ts';
import type { WordGroups } from './text-words.ts';

/** What stands around words that may be a number. */
export interface Surroundings {
  readonly context: NumberContext;
  /** Whether the words are all that stands in their line, or in their cell of a table. */
  readonly isAlone: boolean;
}

/** For what would be a number with another check digit; it is never more than doubtful. */
export function trustInMistyped(
  { count, isEven, isUniform, text }: WordGroups,
  mistyped: FormatMatch,
  { context, isAlone }: Surroundings,
): ScanTrust | null {
  if (mistyped.isDistinctive) {
    if (count === 1 || isAlone || context === 'parcel') return 'doubtful';
    // The letters of two words may be a word of the text.
    return isEven && (count > 2 || !/[A-Z]$/.test(text)) ? 'doubtful' : null;
  }
  if (context === 'other') return null;
  return count === 1 || (isUniform && count > 2) ? 'doubtful' : null;
}

/**
 * How far words can be relied on to be a number; null when they are rather something else.
 * @param best the most telling of the formats that they have; null for none
 */
export function trustIn(groups: WordGroups, best: FormatMatch | null, around: Surroundings): ScanTrust | null {
  const { context } = around;
  if (best?.isVerified === true && best.isDistinctive) return context === 'other' ? 'likely' : 'sure';
  if (best?.isDistinctive === true) {
    // Letters at the end may be a word of the text, and groups of any size may be anything.
    if (groups.count > 1 && (!groups.isEven || /[A-Z]$/.test(groups.text)) && context !== 'parcel') return null;
    return context === 'other' ? 'doubtful' : 'likely';
  }
  if (groups.count > 1) return trustInGroups(groups, best, around);
  if (best?.isVerified === true) {
    if (context === 'other') return around.isAlone || isUnmistakable(groups.text) ? 'doubtful' : null;
    if (context === 'parcel' || around.isAlone) return 'likely';
    return groups.digits >= 12 ? 'doubtful' : null;
  }
  return context === 'other' ? null : trustInLooks(groups, around);
}

/** For digits in groups, which a telephone number has, too. */
function trustInGroups(
  { digits, isEven }: WordGroups,
  best: FormatMatch | null,
  { context, isAlone }: Surroundings,
): ScanTrust | null {
  if (best?.isVerified !== true || !isEven || context === 'other') return null;
  if (context === 'parcel') return 'likely';
  return isAlone && digits >= 12 ? 'doubtful' : null;
}

/** For what has no check digit that would tell it from other numbers. */
function trustInLooks({ digits, text }: WordGroups, { context, isAlone }: Surroundings): ScanTrust | null {
  const isDate = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:\d{4}|\d{6})?$/.test(text);
  const isHash = text.length >= 32 && /^[0-9A-F]+$/.test(text) && /[A-F]/.test(text);
  if (digits < 6 || text.length < 8 || digits * 2 < text.length || isDate || isHash) return null;
  if (context === 'parcel') return 'likely';
  if (!isAlone) return null;
  return text.length >= 9 ? 'likely' : 'doubtful';
}
