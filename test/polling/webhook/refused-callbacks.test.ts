import { expect, it } from 'vitest';
import { RefusedCallbacks } from '../../../src/polling/webhook/push-recorder.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

function open() {
  const clock = createFakeClock();
  const notices: (readonly [notice: string, before: string | null])[] = [];
  const refused = new RefusedCallbacks(clock, (notice, before) => notices.push([notice, before]));
  return { clock, notices, refused };
}

it('shows the first notice immediately, then replaces it with a count once a minute', async () => {
  const { clock, refused, notices } = open();
  refused.add('The signature is wrong.', 'Check the key.');
  const first = 'A webhook callback was refused. The signature is wrong. Check the key.';
  expect(notices).toEqual([[first, null]]);
  for (let more = 0; more < 500; more += 1) refused.add('The signature is wrong.', 'Check the key.');
  await clock.advance(59_000);
  expect(notices).toHaveLength(1);
  await clock.advance(1_000);
  expect(notices.slice(1)).toEqual([
    ['501 webhook callbacks were refused. The signature is wrong. Check the key.', first],
  ]);
  await clock.advance(600_000);
  expect(notices).toHaveLength(2);
  expect(clock.timers()).toBe(0);
});

it('shows the latest reason and the final count when it closes', () => {
  const { clock, refused, notices } = open();
  refused.close();
  expect(notices).toEqual([]);
  refused.add('The signature is wrong.', 'Check the key.');
  refused.add('The timestamp is off.', 'Check the clock.');
  refused.close();
  expect(notices.at(-1)?.[0]).toBe('2 webhook callbacks were refused. The timestamp is off. Check the clock.');
  expect(clock.timers()).toBe(0);
});
