import { expect, test } from 'vitest';
import type { ReplaceableServices } from '../../src/settings/session/context.ts';
import { aBoard } from '../board/parcels.ts';
import { startBoard } from './board-harness.ts';

test('applied settings are shown briefly, and a notice shows how many more are waiting', async () => {
  let replace: (services: Partial<ReplaceableServices>) => void = () => undefined;
  const running = await startBoard(aBoard(), {
    board: {
      onReplaced: (listener) => {
        replace = listener as typeof replace;
        return () => undefined;
      },
    },
  });
  const { clock, monitor, screen } = running;
  replace({ news: { sentence: 'config.json is in use now.' } });
  expect(await screen.waitForText('config.json is in use now.')).not.toContain('! config.json');
  await clock.advance(10_000);
  await screen.waitUntilGone('is in use now');
  for (const notice of ['First.', 'Second.', 'Third.']) monitor.notify(notice);
  await screen.waitForText('First. (2 more)');
  monitor.dismissNotice();
  await screen.waitForText('Second. (1 more)');
  monitor.dismissNotice();
  expect(await screen.waitForText('Third.')).not.toContain('more)');
});
