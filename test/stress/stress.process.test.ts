import { describe, expect, it, test } from 'vitest';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';
import { builtCli } from '../support/built-cli.ts';
import { loseTheLease } from './losing-the-lease.ts';
import type { ScenarioOptions, StoreName } from './measure.ts';
import { runRandomPrograms } from './random-life.ts';
import {
  addDuringEdits,
  addSimultaneously,
  cutStatements,
  killOneOfFourWriters,
  killOnlyWriter,
  killServer,
} from './write-measures.ts';

const noProblems = { lost: 0, doubled: 0, damaged: 0, broken: 0 };

/** Options for a short round of `npm run stress`, and its output. */
function shortRun(
  store: StoreName,
  rounds: number,
): { readonly options: ScenarioOptions; readonly reported: readonly string[] } {
  const reported: string[] = [];
  const report = (line: string): void => void reported.push(line);
  return {
    reported: reported,
    options: { store, report, shouldContinue: (done) => done < rounds, random: seededRandom(1, store) },
  };
}

describe('the watchlist and its change log lose nothing and duplicate nothing', () => {
  it('in files, when the only writer is killed at any moment', async () => {
    const measure = await killOnlyWriter(shortRun('file', 12).options);
    expect(measure).toMatchObject(noProblems);
    expect(measure['changes']).toBeGreaterThan(0);
  });

  it.each(['file', 'postgres'] as const)('in %s, when one of several writers is killed', async (store) => {
    expect(await killOneOfFourWriters(shortRun(store, 4).options)).toMatchObject(noProblems);
  });

  it('in files, when processes write at the same time', async () => {
    expect(await addSimultaneously(shortRun('file', 1).options, 30)).toMatchObject(noProblems);
  });

  it('in files, when an editor rewrites them at the same time', async () => {
    const measure = await addDuringEdits(shortRun('file', 1).options, 30);
    expect(measure).toMatchObject(noProblems);
    expect(measure['edits']).toBeGreaterThan(5);
  });

  it('in a database, when the server is killed', async () => {
    expect(await killServer(shortRun('postgres', 1).options)).toMatchObject(noProblems);
  });

  it('in a database, when a connection breaks before, at or after any statement', async () => {
    const measure = await cutStatements(shortRun('postgres', 1).options, ['before', 'after']);
    expect(measure).toMatchObject(noProblems);
    expect(measure['cuts']).toBeGreaterThan(20);
  });
});

test('nothing is queried or registered twice when the polling host is killed', { timeout: 200_000 }, async () => {
  const { options, reported } = shortRun('postgres', 1);
  // On one machine, so that the other hosts notice its death immediately.
  const measure = await loseTheLease(options, { cli: builtCli, ways: ['killed'], areOwnMachines: false });
  // `npm run stress` also checks how long the takeover took.
  expect({ measure, reported }).toMatchObject({ measure: { by_two_hosts: 0, registered_twice: 0, too_early: 0 } });
  expect(measure['queries']).toBeGreaterThan(30);
});

test.each([
  { store: 'file', on: 'one machine', keys: 150, boards: 5, commands: 8 },
  { store: 'postgres', on: 'four machines with one database', keys: 60, boards: 3, commands: 5 },
] as const)(
  'boards and commands on $on lose nothing when they are killed amid service errors',
  { timeout: 400_000 },
  async ({ boards, commands, keys, store }) => {
    const { options, reported } = shortRun(store, 1);
    const measure = await runRandomPrograms(options, {
      cli: builtCli,
      speed: 600,
      paceMs: 30,
      isOver: (done) =>
        done.of('keys_sent') >= keys && done.of('boards_started') >= boards && done.of('commands_run') >= commands,
    });
    expect(reported).toEqual([]);
    expect(measure).toMatchObject(noProblems);
    for (const name of ['adds_acknowledged', 'log_lines_printed', 'calls_answered']) {
      expect(measure[name], name).toBeGreaterThan(0);
    }
  },
);
