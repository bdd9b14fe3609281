import { render, Text } from 'ink';
import { expect, onTestFinished, test } from 'vitest';
import { useNow } from '../../src/ui/app/use-now.ts';
import { minute, now } from '../board/parcels.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createScreen } from '../support/screen.ts';

/** Draws some news, and counts how often. */
function start(first: unknown) {
  const clock = createFakeClock(now);
  const drawings: number[] = [];
  let tick = (): void => {};
  function Drawing({ news }: { readonly news: unknown }) {
    const [at, tickNow] = useNow(clock, news);
    tick = tickNow;
    drawings.push(at);
    return <Text>{at}</Text>;
  }
  const { stdin, stdout } = createScreen(40, 4);
  const ink = render(<Drawing news={first} />, { stdin: stdin as unknown as NodeJS.ReadStream, stdout });
  onTestFinished(() => ink.unmount());
  return { clock, drawings, tell: (news: unknown) => ink.rerender(<Drawing news={news} />), tick: () => tick() };
}

test('with news the instant moves on, and all that is computed for it is computed once', async () => {
  const { clock, drawings, tell } = start('first');
  await clock.advance(minute);
  tell('second');
  await clock.advance(minute);
  tell('second');
  expect(drawings).toEqual([now, now + minute, now + minute]);
});

test('a tick moves it on without news', async () => {
  const { clock, drawings, tick } = start('first');
  await clock.advance(minute);
  tick();
  await expect.poll(() => drawings).toEqual([now, now + minute]);
});
