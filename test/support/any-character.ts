import fc from 'fast-check';

const firstHalf = 0xd800;
const halves = 0x800;

/**
 * Any one character of Unicode, but for halves of a pair. The same that fast-check chooses for the unit `binary`, which makes a
 * table of all million of them first.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - halves)
  .map((index) => String.fromCodePoint(index < firstHalf ? index : index + halves), indexOf);

/** Throws for what is not one character, as fast-check expects it. */
function indexOf(value: unknown): number {
  const [character = '', ...others] = typeof value === 'string' ? value : '';
  const point = character.codePointAt(0);
  const isHalf = point !== undefined && point >= firstHalf && point < firstHalf + halves;
  if (point === undefined || isHalf || others.length > 0) throw new TypeError('This is not one character.');
  return point < firstHalf ? point : point - halves;
}
