import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from './any-character.ts';
import { isShortRun } from './rounds.ts';

// For this, fast-check creates a table of all million characters first, which takes a second.
it.skipIf(isShortRun())('chooses what fast-check chooses', () => {
  const texts = (unit: NonNullable<fc.StringConstraints['unit']>) =>
    fc.sample(fc.string({ unit }), { seed: 7, numRuns: 200 });
  expect(texts(anyCharacter)).toEqual(texts('binary'));
});

it('tells its own', () => {
  for (const own of ['a', '\ud7ff', '\ue000', '\u{10ffff}'])
    expect(anyCharacter.canShrinkWithoutContext(own)).toBe(true);
  for (const other of ['', 'ab', '\ud800', 7]) expect(anyCharacter.canShrinkWithoutContext(other)).toBe(false);
});
