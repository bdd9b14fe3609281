import { expect, test, vi } from 'vitest';
import { TerminalFocus } from '../../../src/ui/focus/terminal-focus.ts';
import { createFakeClock, someThursday } from '../../support/fake-clock.ts';

test('a terminal counts as focused until it reports otherwise, and each change of it is known by its time', async () => {
  const clock = createFakeClock();
  const focus = new TerminalFocus(clock);
  const onChange = vi.fn();
  const stop = focus.subscribe(onChange);
  expect(focus.get()).toEqual({ isFocused: true, since: someThursday });
  await clock.advance(5000);
  focus.report(true);
  expect(focus.get()).toEqual({ isFocused: true, since: someThursday });
  expect(onChange).not.toHaveBeenCalled();
  focus.report(false);
  expect(focus.get()).toEqual({ isFocused: false, since: someThursday + 5000 });
  await clock.advance(5000);
  focus.report(false);
  focus.report(true);
  expect(focus.get()).toEqual({ isFocused: true, since: someThursday + 10_000 });
  expect(onChange).toHaveBeenCalledTimes(2);
  stop();
  focus.report(false);
  expect(onChange).toHaveBeenCalledTimes(2);
});
