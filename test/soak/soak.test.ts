import { expect, test } from 'vitest';
import { builtCli } from '../support/built-cli.ts';
import { soak } from './soak-run.ts';
import { mustBeNone } from './tally.ts';

/** A short round of `npm run soak`: bounded by what is done, not by time. */
test('boards and commands that are killed beside a service in trouble lose nothing', { timeout: 400_000 }, async () => {
  const told: string[] = [];
  const { callsCounted, log, tally } = await soak({
    cli: builtCli,
    seed: 1,
    speed: 600,
    paceMs: 30,
    isOver: (done) => done.of('keys sent') >= 150 && done.of('boards started') >= 5 && done.of('commands run') >= 8,
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
});
