import { expect, test } from 'vitest';
import { selectedRow } from './board-screen.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

const lastRow = (text: string): string => text.split('\n').at(-1) ?? '';
const inputBar = (text: string): string => text.split('\n').at(-2) ?? '';

test('a number typed in the input bar, with a courier chosen from the picker, is added and tracked', async () => {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli, '--demo'], { environment: home.environment, size: [160, 50] });
  await run.waitForText('⏎ timeline');
  await run.type('a').waitForText('Esc leave');
  for (const key of '1Z999AA10123456784') run.type(key);
  await run.waitFor((text) => inputBar(text).includes('1Z999AA10123456784'), 'the number in the input bar');
  run.type(' ');
  await run.type('@').waitForText('⏎ choose');
  for (const key of 'ups') run.type(key);
  await run.waitFor((text) => text.includes('▌ ups '), 'UPS selected in the picker');
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
