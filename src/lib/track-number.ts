import { cleanText } from './clean-text.ts';
import { foldNumber } from './text.ts';

/**
 * Names from outside: courier codes, numbers, ids. They end up in shells, file names, templates and other people's
 * programs, so they are made of a few known characters, or they are not taken. Whatever is to be read by a person only
 * is text (`clean-text.ts`), which may hold any letter.
 */

/** Longest name that is taken, in characters; real ones have some fifty at most. */
const longestWord = 100;

const courierCode = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const word = /^[A-Za-z0-9._/-]+$/;

/**
 * Whether a text can be a courier code, which is the last part of the address of a courier's page in the public list.
 */
export function isCourierCode(text: string): boolean {
  return text.length <= longestWord && courierCode.test(text);
}

/**
 * Whether a text can be a tracking number or an identifier of the service's: letters, digits and `-`, `.`, `/`, `_`.
 */
export function isWord(text: string): boolean {
  return text.length <= longestWord && word.test(text);
}

/** The text when it can be a courier code; else null. */
export function courierCodeOrNull(text: string | null): string | null {
  return text !== null && isCourierCode(text) ? text : null;
}

/** The text when it is a word; else null. */
export function wordOrNull(text: string | null): string | null {
  return text !== null && isWord(text) ? text : null;
}

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
