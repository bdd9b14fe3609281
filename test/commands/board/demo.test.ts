import { expect, test } from 'vitest';
import type { ShowBoard } from '../../../src/settings/session/context.ts';
import { createBriskClock } from '../../support/brisk-clock.ts';
import { userForEachTest } from '../../support/cli-user.ts';
import { startBoard } from '../../tui/board-harness.ts';

const user = userForEachTest();

test.each([
  ['installed', {}, 'parcel-monitor setup'],
  ['run in a clone', { npm_lifecycle_event: 'demo', npm_package_name: 'parcel-monitor' }, 'npm start -- setup'],
  [
    "run by another project's script",
    { npm_lifecycle_event: 'demo', npm_package_name: 'shop' },
    'parcel-monitor setup',
  ],
])('the demo of a program that is %s says how to begin with your own parcels', async (_how, environment, command) => {
  let told = '';
  const showBoard: ShowBoard = async ({ setupProblem = '' }) => {
    told = setupProblem;
    return { reason: 'quit', error: null };
  };
  const demo = user.begin(['--demo'], createBriskClock(), { showBoard, environment });
  expect(await demo.ended).toBe(0);
  expect(told).toBe(`This is the demo. Press q, then run "${command}".`);
  expect(demo.stderr()).toBe(`parcel-monitor: That was the demo. For your own parcels, run "${command}".\n`);
});

test('C in the demo says so on the board, even in 80 columns', async () => {
  const setupProblem = 'This is the demo. Press q, then run "parcel-monitor setup".';
  const { screen } = await startBoard([], {
    size: [80, 24],
    board: { setupProblem: setupProblem, badge: 'DEMO' },
  });
  screen.type('C');
  expect((await screen.waitForText('This is the demo.')).replace(/\s+/g, ' ')).toContain('run "parcel-monitor setup".');
});
