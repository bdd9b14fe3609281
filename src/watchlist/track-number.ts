/** Shortest and longest number that we hand to the service, in characters. */
const shortest = 4;
const longest = 50;

/** White space, controls and invisible characters, which come along when a number is copied from a page or a mail. */
const copiedAlong = /[\s\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** Dashes and minus signs that word processors put in place of the hyphen. */
const dashes = /[\p{Pd}\u2212]/gu;
const permitted = /^[A-Z0-9_./-]+$/;
const firstForbidden = /[^A-Z0-9_./-]/u;

/** A number that can be watched, or a sentence that says what is wrong with it and what to do. */
export type TrackNoCheck =
  | { readonly ok: true; readonly trackNo: string }
  | { readonly ok: false; readonly message: string };

/**
 * Brings a typed or pasted tracking number into the one form in which it is kept: full-width forms folded, white space
 * and invisible characters removed, ASCII letters in upper case, dashes kept. Accepts 4 to 50 letters, digits, dashes,
 * dots, slashes and underscores with at least one digit; couriers' own check digits are not judged.
 */
export function normaliseTrackNo(text: string): TrackNoCheck {
  const trackNo = text
    .normalize('NFKC')
    .replace(copiedAlong, '')
    .replace(dashes, '-')
    .replace(/[a-z]+/g, (letters) => letters.toUpperCase());
  const message = complaint(trackNo);
  return message === null ? { ok: true, trackNo } : { ok: false, message };
}

function complaint(trackNo: string): string | null {
  if (trackNo === '') return 'The tracking number is empty: type or paste the number from the sender.';
  const strange = firstForbidden.exec(trackNo)?.[0];
  if (strange !== undefined || !permitted.test(trackNo)) {
    return `A number cannot hold "${strange ?? '?'}": use letters A-Z, digits and - . / _ only.`;
  }
  if (trackNo.length < shortest) {
    return `"${trackNo}" is too short: at least ${shortest} characters. Check that nothing is missing.`;
  }
  if (trackNo.length > longest) {
    return `This is too long: ${trackNo.length} characters, at most ${longest}. Give one number at a time.`;
  }
  if (!/\d/.test(trackNo)) {
    return `"${trackNo}" holds no digit. Copy the tracking number, not a word.`;
  }
  return null;
}
