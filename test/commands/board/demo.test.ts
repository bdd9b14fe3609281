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
])('the demo says how to track your own parcels if the program is %s', async (_how, environment, command) => {
  let message = '';
  const showBoard: ShowBoard = async ({ setupProblem = '' }) => {
    message = setupProblem;
    return { reason: 'quit', error: null };
  };
  const demo = user.start(['--demo'], createBriskClock(), { showBoard, environment });
  expect(await demo.ended).toBe(0);
  expect(message).toBe(`This is the demo. Press q, then run "${command}".`);
  expect(demo.stderr()).toBe(`parcel-monitor: That was the demo. For your own parcels, run "${command}".\n`);
});

test('pressing C on the board says that this is the demo, even in 80 columns', async () => {
  const setupProblem = 'This is the demo. Press q, then run "parcel-monitor setup".';
  const { screen } = await startBoard([], {
    size: [80, 24],
    board: { setupProblem: setupProblem, badge: 'DEMO' },
  });
  screen.type('C');
  expect((await screen.waitForText('This is the demo.')).replace(/\s+/g, ' ')).toContain('run "parcel-monitor setup".');
});
