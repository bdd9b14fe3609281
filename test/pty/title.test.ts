import { expect, test } from 'vitest';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();
const save = '\u001b[22;0t';
const restore = '\u001b[23;0t';
const occurrences = (text: string, part: string): number => text.split(part).length - 1;

test('the title shows what matters, goes back to the shell on Ctrl+Z and at the end, and returns with fg', async () => {
  const home = await createHome();
  const run = runInTerminal('/bin/bash', ['--norc', '-i'], {
    environment: { ...home.environment, PS1: 'shell> ' },
    size: [100, 24],
  });
  await run.waitForText('shell>');
  await run.type(`${process.execPath} ${cli} --demo\r`).waitForText('⏎ timeline');
  await expect.poll(() => run.outputSince(0)).toMatch(/\u001b\[22;0t\u001b\]0;! \d+ [^\u001b]*parcel-monitor\u001b\\/);
  await run
    .type('\u001a')
    .waitFor(() => !run.isOnAlternateScreen() && run.text().includes('Stopped'), 'the shell after Ctrl+Z');
  expect(occurrences(run.outputSince(0), restore)).toBe(1);
  const stopped = run.written();
  await run
    .type('fg\r')
    .waitFor((text) => run.isOnAlternateScreen() && text.includes('⏎ timeline'), 'the board after fg');
  expect(run.outputSince(stopped)).toContain(`${save}\u001b]0;`);
  await run.type('q').waitFor(() => !run.isOnAlternateScreen(), 'the shell after q');
  run.type('exit\r');
  await run.exit;
  expect(occurrences(run.outputSince(0), save)).toBe(2);
  expect(occurrences(run.outputSince(0), restore)).toBe(2);
});
