import { expect, test } from 'vitest';
import { builtCli } from '../support/built-cli.ts';
import { soak } from './soak-run.ts';
import { mustBeNone } from './tally.ts';

/** A short round of `npm run soak`: bounded by what is done, not by time. */
test.each([
  { store: 'file', on: 'one machine', keys: 150, boards: 5, commands: 8 },
  { store: 'postgres', on: 'four machines with one database', keys: 60, boards: 3, commands: 5 },
] as const)(
  'boards and commands on $on that are killed beside a service in trouble lose nothing',
  {
    timeout: 400_000,
  },
  async ({ boards, commands, keys, store }) => {
    const told: string[] = [];
    const { callsCounted, log, tally } = await soak({
      cli: builtCli,
      seed: 1,
      store,
      speed: 600,
      paceMs: 30,
      isOver: (done) =>
        done.of('keys sent') >= keys && done.of('boards started') >= boards && done.of('commands run') >= commands,
      tell: (line) => told.push(line),
    });
    expect(told).toEqual([]);
    expect(mustBeNone.filter((name) => tally.of(name) > 0)).toEqual([]);
    expect(tally.of('adds acknowledged')).toBeGreaterThan(0);
    expect(tally.of('watches started')).toBeGreaterThan(1);
    expect(tally.of('lines of the log printed')).toBeGreaterThan(0);
    expect(tally.of('store looks')).toBeGreaterThan(3);
    expect(callsCounted).toBeGreaterThan(0);
    // One that was killed in the middle of a question may not have reached it.
    expect(callsCounted).toBeLessThanOrEqual(log.figures().calls);
  },
);
