import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runLine } from '../../../src/commands/program/command-line.ts';
import type { FrequentCommands } from '../../../src/commands/program/frequent-commands.ts';
import { readPlainLine } from '../../../src/commands/program/plain-line.ts';
import type { CommandContext } from '../../../src/commands/session/context.ts';
import { exitCode } from '../../../src/process/exit-code.ts';
import { rounds } from '../../support/rounds.ts';

/** What Commander makes of a line, in the shape of a plain line; null where it says what is wrong, or helps. */
async function readByCommander(argv: readonly string[]): Promise<unknown> {
  let read: unknown = null;
  const noted =
    (command: keyof FrequentCommands): FrequentCommands[keyof FrequentCommands] =>
    async (_context, globals, options, words) => {
      read = { command, globals, options, words };
      return exitCode.done;
    };
  const silent = { write: () => undefined, isTerminal: false, columns: null, rows: null };
  const context = { stdout: silent, stderr: silent, version: '1.2.3' } as unknown as CommandContext;
  const frequent = { board: noted('board'), list: noted('list'), status: noted('status'), add: noted('add') };
  await runLine(context, argv, frequent).catch(() => null);
  return read;
}

/** Commander hands over the options of every command twice, and those that were not given as well. */
function comparable(read: unknown): unknown {
  const { command, globals, options, words } = read as NonNullable<ReturnType<typeof readPlainLine>>;
  const { ascii, color, store } = globals;
  const { ascii: _ascii, color: _color, store: _store, ...own } = options as Readonly<Record<string, unknown>>;
  return { command, globals: { ascii, color, store }, words, options: own };
}

const word = fc.constantFrom(
  ...[
    '--json',
    '--all',
    '--stage',
    '--filter',
    '--sort',
    '--columns',
    '--format',
    '--label',
    '--courier',
    '--tag',
    '--ascii',
    '--no-color',
    '--store',
  ],
  ...['--color', '--zone', '--help', '-h', '-V', '--json=1', '--', '-', '', 'help', 'list', 'add', 'pickup', 'a b'],
  ...['RB100000005CN', '--toString', '__proto__', 'constructor', '--yes', '-y'],
);
const line = fc
  .tuple(fc.constantFrom('list', 'status', 'add', 'show', 'toString', '--ascii'), fc.array(word, { maxLength: 6 }))
  .map(([command, words]) => [command, ...words]);

describe('a plain line', () => {
  it('means what Commander takes it for', async () => {
    await fc.assert(
      fc.asyncProperty(line, async (argv) => {
        const plain = readPlainLine(argv);
        if (plain !== null) expect(comparable(plain)).toEqual(comparable(await readByCommander(argv)));
      }),
      { numRuns: rounds(400) },
    );
  });

  it.each([
    [[]],
    [['list']],
    [['list', '--json']],
    [['list', '--stage', 'attention', '--no-color', '--ascii']],
    [['status']],
    [['status', '--format', '{attention}!{out}']],
    [['add', 'RB100000005CN']],
    [['add', 'RB100000005CN', '@dhl', '--label', 'Red lamp']],
  ])('%j is one, and is read without Commander', async (argv) => {
    expect(comparable(readPlainLine(argv))).toEqual(comparable(await readByCommander(argv)));
  });

  it.each([
    [['list', 'lamp']],
    [['list', '--jsno']],
    [['list', '--help']],
    [['list', '--stage']],
    [['list', '--filter', '--json']],
    [['list', '--stage', 'pickup', '--stage', 'attention']],
    [['add', '-']],
    [['add', '--', '-x']],
    [['ls']],
    [['--demo']],
  ])('%j is none', (argv) => {
    expect(readPlainLine(argv)).toBeNull();
  });
});
