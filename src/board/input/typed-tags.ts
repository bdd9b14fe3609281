import { cleanText } from '../../service/text/clean-text.ts';

/** A tag of a list, as it was typed. */
interface TypedTag {
  readonly name: string;
  /** A `-` stands before it. */
  readonly isTakenOff: boolean;
}

/** A tag in quotes, a quote in it written twice; or what stands between commas, and before the next `#`. */
const part = /\s*(-?)(?:"((?:[^"]|"")*)"(?=\s*(?:,|$))|(?:#\s*)?((?:[^,\s]|\s+(?!-?#))*))\s*,?/gy;

/** Reads a list of tags: separated by commas, in quotes what would otherwise be read as something else. A `#` before a tag does not matter. */
export function typedTags(text: string): readonly TypedTag[] {
  return [...text.matchAll(part)].flatMap(([, sign, quoted, plain = '']) => {
    const name = cleanText(quoted?.replaceAll('""', '"') ?? plain).trim();
    return name === '' ? [] : [{ name, isTakenOff: sign === '-' }];
  });
}
