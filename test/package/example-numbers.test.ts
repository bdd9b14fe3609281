import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../.config/bundle.ts';
import { commandsOf, notesOf, programToDescribe } from '../../.config/manual/command-section.ts';
import { unverifiedKind } from '../../src/parcels/check-digit.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';

/** A number of a well-known shape, in one piece or in groups, and the courier if one follows after an `@`. */
const shape =
  /(?<number>\b1Z[ 0-9A-Z]{16,24}(?<! )|\b[A-Z]{2} ?\d{3} ?\d{3} ?\d{3} ?[A-Z]{2}\b|\b\d{12,26}\b)(?: ?@(?<courier>[\w-]+))?/g;

/** Returns the numbers in a document that the program would warn about. */
function invalidNumbersIn(text: string): readonly string[] {
  return [...text.matchAll(shape)].flatMap(({ groups = {} }) => {
    const { courier, number = '' } = groups;
    const kind = unverifiedKind(number.replaceAll(' ', ''), courier ?? null);
    return kind === null ? [] : [`${number} is not ${kind}`];
  });
}

let user: CliUser;
beforeAll(async () => {
  user = await createCliUser();
});
afterAll(() => user.remove());

describe('example numbers', () => {
  it.each(['README.md', 'src/manual.md', 'src/README.md', '.github/CONTRIBUTING.md', '.github/board.svg'])(
    'in %s have valid check digits',
    (name) => expect(invalidNumbersIn(readFileSync(join(root, name), 'utf8'))).toEqual([]),
  );

  it('in the help of the program and of each command have valid check digits', async () => {
    const helpTexts = commandsOf(programToDescribe()).map((command) => command.helpInformation() + notesOf(command));
    expect(invalidNumbersIn((await user.run(['--help'])).stdout)).toEqual([]);
    expect(helpTexts.flatMap(invalidNumbersIn)).toEqual([]);
    expect(helpTexts.join('').match(shape)?.length).toBeGreaterThan(5);
  });

  it('are recognised in all common spellings', () => {
    expect(invalidNumbersIn('`1Z 999 AA1 01 2345 6785`, RB 123 456 780 GB and 123456789013 @fedex')).toHaveLength(3);
    expect(invalidNumbersIn('`1Z 999 AA1 01 2345 6784` and RB123456785GB')).toEqual([]);
  });
});
