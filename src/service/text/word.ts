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
