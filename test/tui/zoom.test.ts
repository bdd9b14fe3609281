import { describe, expect, test } from 'vitest';
import { aBoard, aCheckpoint } from '../board/parcels.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningBoard, startBoard } from './board-harness.ts';

const start = async (size: readonly [number, number]): Promise<RunningBoard> => {
  const running = await startBoard(
    aBoard().map((parcel) => ({ ...parcel, checkpointCount: 1 })),
    {
      size,
      histories: Object.fromEntries(
        aBoard().map(({ id }) => [
          id,
          { version: 1, received: null, checkpoints: [aCheckpoint({ detail: `Event of ${id}` })] },
        ]),
      ),
    },
  );
  await running.screen.waitForText('Headphones');
  return running;
};

const isList = (text: string): boolean => text.includes('1 All') && !text.includes('times:');
const isTimeline = (text: string): boolean => text.includes('times:') && !text.includes('1 All');
const isBoth = (text: string): boolean => text.includes('times:') && text.includes('1 All');

describe('a zoomed pane', () => {
  test.each(['+', '\r'])(
    'shows only the timeline after %j in the timeline, and Escape goes back step by step',
    async (key) => {
      const { screen } = await start([120, 30]);
      await screen.type('\r').waitForText('⏎ zoom');
      const zoomed = await screen.type(key).waitFor(isTimeline, 'the timeline alone');
      expect(zoomed.split('\n')[1]).toMatch(/^╭ .*╮$/);
      await screen
        .type('\u001b')
        .waitFor((text) => isBoth(text) && text.includes('h list'), 'both, the timeline focused');
      await screen.type('\u001b').waitFor((text) => isBoth(text) && text.includes('⏎ timeline'), 'the list focused');
    },
  );

  test('follows the focus, until - shows both again', async () => {
    const { screen } = await start([120, 30]);
    await screen.type('+').waitFor(isList, 'the list alone');
    await screen.type('+').waitForText('Already zoomed');
    await screen.type('l').waitFor(isTimeline, 'the timeline alone');
    await screen.type('h').waitFor(isList, 'the list alone again');
    await screen.type('-').waitFor(isBoth, 'both');
    await screen.type('-').waitForText('Both panes are visible. Press + to zoom one.');
  });

  test.each(['\t', '\u001b[Z'])(
    'switches to the other pane with %j, never to the bar, where - would be text',
    async (key) => {
      const { screen } = await start([120, 30]);
      await screen.type('+').waitFor(isList, 'the list alone');
      await screen.type(key).waitFor(isTimeline, 'the timeline alone');
      await screen.type(key).waitFor(isList, 'the list alone again');
      screen.type(key);
      await screen.type('-').waitFor((text) => isBoth(text) && text.includes('press a:'), 'both, and nothing typed');
    },
  );

  test('gives way to the bar, its filter and the courier picker, each with the cursor in its field', async () => {
    const { screen } = await start([120, 30]);
    screen.type('+');
    await screen.type('c').waitFor((text) => text.includes('search ') && !text.includes('1 All'), 'the picker alone');
    await eventually(() => expect(screen.cursor()).toEqual({ row: 2, column: 9 }));
    await screen.type('\u001b').waitFor(isList, 'the list alone');
    screen.type('/');
    await screen.type('lamp').waitFor((text) => isList(text) && text.includes('1 of '), 'the list filtered');
    screen.type('\r');
    await screen.type('l').waitFor(isTimeline, 'the timeline');
    await screen.type('e').waitFor((text) => isTimeline(text) && text.includes('label of'), 'the prompt');
  });
});
