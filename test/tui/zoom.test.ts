import { afterEach, describe, expect, test } from 'vitest';
import { aBoard, aCheckpoint } from '../board/parcels.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningBoard, startBoard } from './board-harness.ts';

let running: RunningBoard | null = null;

afterEach(async () => {
  await running?.stop();
  running = null;
});

const start = async (size: readonly [number, number]): Promise<RunningBoard> => {
  running = await startBoard(
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
  test.each(['+', '\r'])('is the timeline with %j there, and Escape goes back step by step', async (key) => {
    const { screen } = await start([120, 30]);
    screen.type('\r');
    await screen.waitForText('⏎ zoom');
    screen.type(key);
    const whole = await screen.waitFor(isTimeline, 'the timeline alone');
    expect(whole.split('\n')[1]).toMatch(/^╭ .*╮$/);
    screen.type('\u001b');
    await screen.waitFor((text) => isBoth(text) && text.includes('h list'), 'both, the timeline focused');
    screen.type('\u001b');
    await screen.waitFor((text) => isBoth(text) && text.includes('⏎ timeline'), 'the list focused');
  });

  test('is the focused one, until - shows both again', async () => {
    const { screen } = await start([120, 30]);
    screen.type('+');
    await screen.waitFor(isList, 'the list alone');
    screen.type('+');
    await screen.waitForText('Already zoomed');
    screen.type('l');
    await screen.waitFor(isTimeline, 'the timeline alone');
    screen.type('h');
    await screen.waitFor(isList, 'the list alone again');
    screen.type('-');
    await screen.waitFor(isBoth, 'both');
    screen.type('-');
    await screen.waitForText('Both panes are visible. Press + to zoom one.');
  });

  test.each(['\t', '\u001b[Z'])(
    'is the other one with %j, never the bar, because - would be text there',
    async (key) => {
      const { screen } = await start([120, 30]);
      screen.type('+');
      await screen.waitFor(isList, 'the list alone');
      screen.type(key);
      await screen.waitFor(isTimeline, 'the timeline alone');
      screen.type(key);
      await screen.waitFor(isList, 'the list alone again');
      screen.type(key);
      screen.type('-');
      await screen.waitFor((text) => isBoth(text) && text.includes('press a:'), 'both, and nothing typed');
    },
  );

  test('gives way to the bar, its filter and the courier picker, each with the cursor in its field', async () => {
    const { screen } = await start([120, 30]);
    screen.type('+');
    screen.type('c');
    await screen.waitFor((text) => text.includes('search ') && !text.includes('1 All'), 'the picker alone');
    await eventually(() => expect(screen.cursor()).toEqual({ row: 2, column: 9 }));
    screen.type('\u001b');
    await screen.waitFor(isList, 'the list alone');
    screen.type('/');
    screen.type('lamp');
    await screen.waitFor((text) => isList(text) && text.includes('1 of '), 'the list filtered');
    screen.type('\r');
    screen.type('l');
    await screen.waitFor(isTimeline, 'the timeline');
    screen.type('e');
    await screen.waitFor((text) => isTimeline(text) && text.includes('label of'), 'the question');
  });
});

describe('a small window', () => {
  test.each([
    [60, 20],
    [40, 12],
  ] as const)('of %ix%i shows one pane at a time', async (columns, rows) => {
    const { screen } = await start([columns, rows]);
    await screen.waitFor(isList, 'the list alone');
    screen.type('\r');
    await screen.waitFor(isTimeline, 'the timeline alone');
    screen.type('\u001b');
    await screen.waitFor(isList, 'the list again');
    screen.type('l');
    await screen.waitFor(isTimeline, 'the timeline');
    screen.type('h');
    await screen.waitFor(isList, 'the list');
    screen.type('-');
    await screen.waitFor(isBoth, 'both, where the user wants it');
    screen.type('+');
    await screen.waitFor(isList, 'one again');
    screen.type('q');
    expect(await running?.exit).toMatchObject({ reason: 'quit' });
  });
});
