import { describe, expect, it, test } from 'vitest';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';
import { builtCli } from '../support/built-cli.ts';
import { losingTheLease } from './losing-the-lease.ts';
import type { StoreName, Taking } from './measure.ts';
import { livingAtRandom } from './random-life.ts';
import {
  addingAtOnce,
  addingBesideAnEditor,
  cuttingStatements,
  killingServer,
  killingTheOnlyWriter,
  killingWriters,
} from './write-measures.ts';

const unharmed = { lost: 0, doubled: 0, damaged: 0, broken: 0 };

/** A short round of `npm run stress`, and its output. */
function short(store: StoreName, rounds: number): { readonly taking: Taking; readonly told: readonly string[] } {
  const told: string[] = [];
  const tell = (line: string): void => void told.push(line);
  return { told, taking: { store, tell, goesOn: (done) => done < rounds, random: seededRandom(1, store) } };
}

describe('the watchlist and its change log lose and duplicate nothing', () => {
  it('in files, when the only writer is killed at any moment', async () => {
    const measure = await killingTheOnlyWriter(short('file', 12).taking);
    expect(measure).toMatchObject(unharmed);
    expect(measure['changes']).toBeGreaterThan(0);
  });

  it.each(['file', 'postgres'] as const)('in %s, when one of several writers is killed', async (store) => {
    expect(await killingWriters(short(store, 4).taking)).toMatchObject(unharmed);
  });

  it('in files, when processes write at the same time', async () => {
    expect(await addingAtOnce(short('file', 1).taking, 30)).toMatchObject(unharmed);
  });

  it('in files, when an editor rewrites them at the same time', async () => {
    const measure = await addingBesideAnEditor(short('file', 1).taking, 30);
    expect(measure).toMatchObject(unharmed);
    expect(measure['edits']).toBeGreaterThan(5);
  });

  it('in a database, when the server is killed', async () => {
    expect(await killingServer(short('postgres', 1).taking)).toMatchObject(unharmed);
  });

  it('in a database, when a connection breaks before, at or after any statement', async () => {
    const measure = await cuttingStatements(short('postgres', 1).taking, ['before', 'after']);
    expect(measure).toMatchObject(unharmed);
    expect(measure['cuts']).toBeGreaterThan(20);
  });
});

test('nothing is queried or registered twice when the polling host is killed', { timeout: 200_000 }, async () => {
  const { taking, told } = short('postgres', 1);
  // On one machine, so that its death is noticed immediately.
  const measure = await losingTheLease(taking, { cli: builtCli, ways: ['killed'], areOwnMachines: false });
  // The long run checks how long it took.
  expect({ measure, told }).toMatchObject({ measure: { by_two_hosts: 0, registered_twice: 0, too_early: 0 } });
  expect(measure['queries']).toBeGreaterThan(30);
});

test.each([
  { store: 'file', on: 'one machine', keys: 150, boards: 5, commands: 8 },
  { store: 'postgres', on: 'four machines with one database', keys: 60, boards: 3, commands: 5 },
] as const)(
  'boards and commands on $on lose nothing when they are killed during service errors',
  { timeout: 400_000 },
  async ({ boards, commands, keys, store }) => {
    const { taking, told } = short(store, 1);
    const measure = await livingAtRandom(taking, {
      cli: builtCli,
      speed: 600,
      paceMs: 30,
      isOver: (done) =>
        done.of('keys_sent') >= keys && done.of('boards_started') >= boards && done.of('commands_run') >= commands,
    });
    expect(told).toEqual([]);
    expect(measure).toMatchObject(unharmed);
    for (const name of ['adds_acknowledged', 'log_lines_printed', 'calls_answered']) {
      expect(measure[name], name).toBeGreaterThan(0);
    }
  },
);
