import fc from 'fast-check';

const firstHalf = 0xd800;
const halves = 0x800;

/**
 * Any Unicode character, except surrogates. The same that fast-check generates for the unit `binary`, without its table
 * of all million characters.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - halves)
  .map((index) => String.fromCodePoint(index < firstHalf ? index : index + halves), indexOf);

/** Throws if the value is not one character, as fast-check expects. */
function indexOf(value: unknown): number {
  const [character = '', ...others] = typeof value === 'string' ? value : '';
  const point = character.codePointAt(0);
  const isHalf = point !== undefined && point >= firstHalf && point < firstHalf + halves;
  if (point === undefined || isHalf || others.length > 0) throw new TypeError('This is not one character.');
  return point < firstHalf ? point : point - halves;
}
