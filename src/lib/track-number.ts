import { cleanText } from './clean-text.ts';
import { foldNumber } from './text.ts';

// External codes, numbers and ids end up in shells, file names and templates, so only known-safe characters are allowed.

/** In characters. Real values have at most fifty. */
const maxWordLength = 100;

const courierCodePattern = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const wordPattern = /^[A-Za-z0-9._/-]+$/;

export function isCourierCode(text: string): boolean {
  return text.length <= maxWordLength && courierCodePattern.test(text);
}

export function isWord(text: string): boolean {
  return text.length <= maxWordLength && wordPattern.test(text);
}

export function courierCodeOrNull(text: string | null): string | null {
  return text !== null && isCourierCode(text) ? text : null;
}

export function wordOrNull(text: string | null): string | null {
  return text !== null && isWord(text) ? text : null;
}

const minLength = 4;
const maxLength = 50;

const pasteNoise = (): RegExp => /[\s\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
const dashes = (): RegExp => /[\p{Pd}\u2212]/gu;
const invalidCharacter = /[^A-Z0-9_./-]/u;

export type TrackNoProblem = 'empty' | 'character' | 'too-short' | 'too-long' | 'no-digit';

export type TrackNoCheck =
  | { readonly ok: true; readonly trackNo: string }
  | { readonly ok: false; readonly reason: TrackNoProblem; readonly message: string };

/**
 * Normalises a tracking number: folds full-width forms, removes whitespace and invisible characters, and converts to
 * upper case. Accepts 4 to 50 letters, digits and `- . / _` with at least one digit.
 */
export function normaliseTrackNo(text: string): TrackNoCheck {
  const trackNo = trackNoForm(text);
  const problem = findProblem(trackNo, text);
  return problem === null ? { ok: true, trackNo } : { ok: false, ...problem };
}

export function trackNoForm(text: string): string {
  return foldNumber(text.normalize('NFKC').replace(pasteNoise(), '').replace(dashes(), '-'));
}

function findProblem(
  trackNo: string,
  input: string,
): { readonly reason: TrackNoProblem; readonly message: string } | null {
  if (trackNo === '') {
    return {
      reason: 'empty',
      message: 'The tracking number is empty. Type or paste the number you got from the sender.',
    };
  }
  const invalid = invalidCharacter.exec(trackNo)?.[0];
  if (invalid !== undefined) {
    const message = `A tracking number cannot contain "${invalid}". Use only letters A-Z, digits and - . / _.`;
    return { reason: 'character', message };
  }
  if (trackNo.length < minLength) {
    const message = `"${cleanText(input)}" is too short: a tracking number has at least ${minLength} characters. Check that you copied all of it.`;
    return { reason: 'too-short', message };
  }
  if (trackNo.length > maxLength) {
    const message = `The tracking number is too long: it has ${trackNo.length} characters, and the limit is ${maxLength}. Enter one number at a time.`;
    return { reason: 'too-long', message };
  }
  if (!/\d/.test(trackNo)) {
    return {
      reason: 'no-digit',
      message: `"${cleanText(input)}" has no digits, so it is not a tracking number. Check that you copied the right thing.`,
    };
  }
  return null;
}
