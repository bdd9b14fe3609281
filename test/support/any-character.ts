import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogateCount = 0x800;

/**
 * Any Unicode character, except surrogates. The same characters as fast-check's unit `binary`, without its table of
 * a million characters.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - surrogateCount)
  .map((index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogateCount), indexOf);

/** Throws if the value is not one character, as fast-check expects. */
function indexOf(value: unknown): number {
  const [character = '', ...rest] = typeof value === 'string' ? value : '';
  const point = character.codePointAt(0);
  const isSurrogate = point !== undefined && point >= firstSurrogate && point < firstSurrogate + surrogateCount;
  if (point === undefined || isSurrogate || rest.length > 0) throw new TypeError('Expected exactly one character.');
  return point < firstSurrogate ? point : point - surrogateCount;
}
