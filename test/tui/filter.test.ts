import { describe, expect, test } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aBoard, aParcel } from '../board/parcels.ts';
import { type RunningBoard, startBoard } from './board-harness.ts';

const parcels = [...aBoard(), aParcel({ id: 'gift', label: 'Scarf', tags: ['gift'] })];

async function start(
  size: readonly [columns: number, rows: number] = [120, 30],
  listed: readonly Parcel[] = parcels,
): Promise<RunningBoard> {
  const board = await startBoard(listed, { size });
  await board.screen.type('/').waitForText('filter ▸');
  return board;
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

describe('filter terms', () => {
  test('are listed in the empty field', async () => {
    const { screen } = await start([80, 24]);
    expect(screen.text()).toContain('words, !not, or, stage: due: is: courier: to: tag: older:3d');
  });

  test('narrow the list together', async () => {
    const { screen } = await start();
    await screen
      .type('stage:in-transit !courier:yanwen\r')
      .waitFor((text) => text.includes('CJ Logistics') && !text.includes('Lamp'), 'the list without Yanwen');
  });

  test('narrow a long list with each letter', async () => {
    const many = Array.from({ length: 6_000 }, (_, index) => aParcel({ id: `many-${index}`, label: `Order ${index}` }));
    const { screen } = await start([120, 30], many);
    await screen
      .type('order 4711')
      .waitFor((text) => text.includes('1 of 1 '), 'the matching parcel, without another key press');
  });

  test('leave the columns where they are', async () => {
    const { screen } = await start([160, 30]);
    const headings = (text: string) => /^.* Parcel .* Last /m.exec(text)?.[0];
    const before = headings(screen.text());
    expect(before).toContain('Courier');
    const text = await screen.type('scarf').waitFor((shown) => shown.includes('1 of 1 '), 'the scarf alone');
    expect(headings(text)).toBe(before);
  });

  test.each(['-courier:yanwen', 'not courier:yanwen'])('exclude parcels when negated: %s', async (term) => {
    const { screen } = await start();
    await screen
      .type(`stage:in-transit ${term}\r`)
      .waitFor((text) => text.includes('CJ Logistics') && !text.includes('Lamp'), 'the list without Yanwen');
  });

  test('say how many archived parcels match if no others do', async () => {
    const scarf = aParcel({ id: 'old', label: 'Old hat', archivedAt: '2026-01-01T00:00:00Z' });
    const { screen } = await start([80, 24], [...parcels, scarf]);
    await screen.type('old hat\r').waitForText('No parcel matches. Press A: 1 archived parcel.');
    await screen.type('A').waitForText('Archive · “old hat”');
  });

  test('count archived matches for the filter set with :filter, not for the previous one', async () => {
    const scarf = aParcel({ id: 'old', label: 'Old scarf', archivedAt: '2026-01-01T00:00:00Z' });
    const { screen } = await start([80, 24], [...parcels, scarf]);
    await screen.type('nothing\r').waitForText('“nothing”');
    screen.type(':');
    await screen.waitForText('search :');
    const text = await screen.type('filter scarf\r').waitForText('“scarf”');
    expect(text).toContain('1 of 1 ');
    expect(text).not.toContain('No parcel matches');
    screen.type(':');
    await screen.waitForText('search :');
    await screen.type('filter old scarf\r').waitForText('No parcel matches. Press A: 1 archived parcel.');
  });

  test('hide nothing while unfinished, and show completions below the field', async () => {
    const { screen } = await start();
    const text = await screen.type('is:').waitForText('is: unread, new');
    expect(lastLine(text)).not.toContain('!');
    expect(text).toContain('Headphones');
  });

  test('narrow the list as soon as a value begins, and show its completions', async () => {
    const { screen } = await start();
    const text = await screen.type('is:un').waitForText('No parcel matches.');
    expect(lastLine(text)).toContain('is: unread ');
    expect(lastLine(text)).not.toContain('!');
  });

  test.each([
    ['courir:', 'Unknown filter "courir:". Use: stage: courier:', 'Did you mean "courier:"?'],
    ['stage:flown', '"stage:" cannot be "flown". Use: attention', ''],
    ['tag:gfit', 'No parcel has "tag:gfit". Use: gift.', 'Did you mean "tag:gift"?'],
  ])('are reported immediately if they do not exist, and Enter keeps the text: %s', async (typed, sentence, advice) => {
    const { screen } = await start();
    screen.type(`lamp ${typed}`);
    expect(lastLine(await screen.waitForText(sentence))).toContain(advice);
    screen.type('\r');
    await screen.type('x').waitForText(`filter ▸ lamp ${typed}x`);
  });

  test('cause an error if they are unfinished when applied', async () => {
    const { screen } = await start();
    await screen.type('older:3').waitForText('older: 12h');
    await screen.type('\r').waitForText('! "older:" cannot be "3"');
    await screen.type('d\r').waitForText('“older:3d”');
  });

  test('are suggested if the plain words match nothing', async () => {
    const { screen } = await start();
    screen.type('unread');
    expect(lastLine(await screen.waitForText('Did you mean "is:unread"?'))).toContain('No parcel matches.');
    await screen
      .type('\r')
      .waitFor((text) => !text.includes('filter ▸') && lastLine(text).includes('"is:unread"'), 'the applied filter');
  });

  test('show a suggestion in a narrow window', async () => {
    const { screen } = await start([60, 20]);
    screen.type('courir:');
    expect(lastLine(await screen.waitForText('Unknown filter'))).toMatch(
      /Unknown filter .*… Did you mean "courier:"\?/,
    );
  });
});
