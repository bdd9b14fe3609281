import { cleanText } from './clean-text.ts';
import { foldNumber } from './same-number.ts';

/** Shortest and longest number that we hand to the service, in characters. */
const shortest = 4;
const longest = 50;

/** White space, controls and invisible characters, which come along when a number is copied from a page or a mail. Made when it is needed. */
const copiedAlong = (): RegExp => /[\s\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** Dashes and minus signs that word processors put in place of the hyphen. */
const dashes = (): RegExp => /[\p{Pd}\u2212]/gu;
const firstForbidden = /[^A-Z0-9_./-]/u;

/** What can be wrong with a number. */
export type TrackNoFlaw = 'empty' | 'character' | 'too-short' | 'too-long' | 'no-digit';

/** A number that can be watched, or a sentence that says what is wrong with it and what to do. */
export type TrackNoCheck =
  | { readonly ok: true; readonly trackNo: string }
  | { readonly ok: false; readonly flaw: TrackNoFlaw; readonly message: string };

/**
 * Brings a typed or pasted tracking number into the one form in which it is kept: full-width forms folded, white space
 * and invisible characters removed, ASCII letters in upper case, dashes kept. Accepts 4 to 50 letters, digits, dashes,
 * dots, slashes and underscores with at least one digit; couriers' own check digits are not judged.
 */
export function normaliseTrackNo(text: string): TrackNoCheck {
  const trackNo = trackNoForm(text);
  const complaint = complaintAbout(trackNo, text);
  return complaint === null ? { ok: true, trackNo } : { ok: false, ...complaint };
}

/** A text in the form in which numbers are kept, whether it can be a number or not. */
export function trackNoForm(text: string): string {
  return foldNumber(text.normalize('NFKC').replace(copiedAlong(), '').replace(dashes(), '-'));
}

/** Quotes what was entered as it was entered, not in the form in which numbers are kept. */
function complaintAbout(
  trackNo: string,
  entered: string,
): { readonly flaw: TrackNoFlaw; readonly message: string } | null {
  if (trackNo === '') {
    return { flaw: 'empty', message: 'The tracking number is empty: type or paste the number from the sender.' };
  }
  const strange = firstForbidden.exec(trackNo)?.[0];
  if (strange !== undefined) {
    const message = `A number cannot contain "${strange}": use letters A-Z, digits and - . / _ only.`;
    return { flaw: 'character', message };
  }
  if (trackNo.length < shortest) {
    const message = `"${cleanText(entered)}" is too short: at least ${shortest} characters. Check that nothing is missing.`;
    return { flaw: 'too-short', message };
  }
  if (trackNo.length > longest) {
    const message = `This is too long: ${trackNo.length} characters, at most ${longest}. Give one number at a time.`;
    return { flaw: 'too-long', message };
  }
  if (!/\d/.test(trackNo)) {
    return {
      flaw: 'no-digit',
      message: `"${cleanText(entered)}" has no digits, so it is not a tracking number. Check what was copied.`,
    };
  }
  return null;
}
