import { expect, test } from 'vitest';
import { keys, type TerminalRun } from '../support/pseudo-terminal.ts';
import { listedTitles, selectedAt, selectedRow } from './board-screen.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

async function openDemo(size: readonly [number, number] = [160, 50]): Promise<TerminalRun> {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli, '--demo'], { environment: home.environment, size });
  await run.waitForText('⏎ timeline');
  return run;
}

const lastRow = (text: string): string => text.split('\n').at(-1) ?? '';
const inputBar = (text: string): string => text.split('\n').at(-2) ?? '';

test('a number is added by keystrokes with a courier from the picker, and is tracked', async () => {
  const run = await openDemo();
  await run.type('a').waitForText('Esc leave');
  for (const key of '1Z999AA10123456784') run.type(key);
  await run.waitFor((text) => inputBar(text).includes('1Z999AA10123456784'), 'the number in the input bar');
  run.type(' ');
  await run.type('@').waitForText('⏎ choose');
  for (const key of 'ups') run.type(key);
  await run.waitFor((text) => text.includes('▌ ups '), 'UPS found and chosen');
  await run
    .press('enter')
    .waitFor((text) => inputBar(text).includes('1Z999AA10123456784 @ups'), 'the courier in the input bar');
  const mark = run.written();
  await run.press('enter').waitFor((text) => lastRow(text).includes('Added 1Z999AA10123456784'), 'the number added');
  expect(run.outputSince(mark)).toMatch(/pending|Not registered|Waiting|Pending/i);
  const tracked = await run
    .press('escape')
    .waitFor(
      (text) => selectedRow(text).includes('1Z999AA1') && /╭ 1Z999AA10123456784 ─+ UPS/.test(text),
      'the number tracked under UPS',
    );
  expect(tracked).not.toContain('pending');
});

test('Enter opens the timeline, and t switches between three clocks that the pane names', async () => {
  const run = await openDemo();
  await run.type('/').waitForText('filter ▸');
  await run.type('spices').waitForText('1 of 1 · 13 in all');
  await run.press('enter').waitForText('⏎ timeline');
  const event = await run
    .press('enter')
    .waitFor((text) => text.includes('h list') && text.includes('+07:00'), 'event times');
  expect(event).toContain('times: local to event');
  const local = await run.type('t').waitForText('times: Europe/Berlin');
  const utc = await run.type('t').waitForText('times: UTC');
  await run.type('t').waitForText('times: local to event');
  const firstTime = (text: string): string => /● (\d\d:\d\d)/.exec(text)?.[1] ?? '';
  const minutes = (text: string): number => {
    const [hour = 0, minute = 0] = firstTime(text).split(':').map(Number);
    return hour * 60 + minute;
  };
  expect(firstTime(event)).toMatch(/\d/);
  expect((minutes(event) - minutes(utc) + 1440) % 1440).toBe(7 * 60);
  expect([60, 120]).toContain((minutes(local) - minutes(utc) + 1440) % 1440);
});

test('the key of the input bar, a number and Enter in one write add the number', async () => {
  const run = await openDemo();
  await run
    .type('a1Z999AA10123456784\r')
    .waitFor((text) => lastRow(text).includes('Added 1Z999AA10123456784'), 'the number added');
});

test('a label that arrives in two reads keeps the space between them', async () => {
  const run = await openDemo();
  await run.type('aRB123456785CN "the blue ').waitFor((text) => inputBar(text).includes('the blue'), 'the first half');
  await run
    .type('reading lamp"\r')
    .waitFor((text) => lastRow(text).includes('Added the blue reading lamp'), 'the number added');
});

test('arrow keys work in both forms that terminals send', async () => {
  const run = await openDemo();
  const names = listedTitles(run.text());
  await run.press('down').waitFor((text) => selectedRow(text).includes(names[1] ?? '-'), 'the second parcel selected');
  await run
    .press('applicationDown')
    .waitFor((text) => selectedRow(text).includes(names[2] ?? '-'), 'the third parcel selected');
  run.press('applicationUp');
  await run.press('up').waitFor((text) => selectedRow(text).includes(names[0] ?? '-'), 'the first parcel selected');
  expect(selectedAt(run.text())).toBeGreaterThan(0);
});

test('a paste of three lines gives three entries, and Enter adds them all', async () => {
  const run = await openDemo();
  run.paste('1Z999AA10123456784\r\n1Z999AA10123456793\r\nRB123456785CN\r\n');
  await run.waitFor(
    (text) => inputBar(text).includes('1Z999AA10123456784 ⏎ 1Z999AA10123456793 ⏎ RB123456785CN'),
    'three entries in the input bar',
  );
  await run.press('enter').waitFor((text) => /Added (3|2) numbers?/.test(lastRow(text)), 'the numbers added');
});

test('Escape alone leaves the input bar and keeps the typed text', async () => {
  const run = await openDemo();
  await run.type('a').waitForText('Esc leave');
  await run.type('RB12').waitFor((text) => inputBar(text).includes('RB12'), 'the text');
  const left = await run.press('escape').waitForText('⏎ timeline');
  expect(inputBar(left)).toContain('RB12');
});

test('typed keys and escape sequences that are split into two reads are joined', async () => {
  const run = await openDemo();
  const names = listedTitles(run.text());
  run.type(keys.down.slice(0, 1));
  await run
    .type(keys.down.slice(1))
    .waitFor((text) => selectedRow(text).includes(names[1] ?? '-'), 'the second parcel selected');
});
