import { expect, test } from 'vitest';
import { modesLeftOn } from '../support/pseudo-terminal.ts';
import { frameFaults } from './board-screen.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

test('Ctrl+Z returns to the shell, and fg redraws the whole board, which responds to keys', async () => {
  const home = await createHome();
  const run = runInTerminal('/bin/bash', ['--norc', '-i'], {
    environment: { ...home.environment, PS1: 'shell> ' },
    size: [100, 24],
  });
  await run.waitForText('shell>');
  await run.type(`${process.execPath} ${cli} --demo\r`).waitForText('⏎ timeline');
  await run
    .type('\u001a')
    .waitFor(() => !run.isOnAlternateScreen() && run.text().includes('Stopped'), 'the shell after Ctrl+Z');
  // The shell would read focus reports as keys.
  expect(modesLeftOn(run.outputSince(0))).not.toContain('1004');
  await run.type('echo still$((40+2))\r').waitForText('still42');
  // The board is suspended, so only the shell notices.
  run.resize(120, 30);
  await run
    .type('fg\r')
    .waitFor(
      () => run.isOnAlternateScreen() && frameFaults(run, 120, 30).length === 0,
      'a complete board after fg, at the new window size',
    );
  expect(modesLeftOn(run.outputSince(0))).toContain('1004');
  await run.type('?').waitForText('Parcel list');
  await run.press('ctrl+c').waitFor(() => !run.isOnAlternateScreen(), 'the shell after Ctrl+C');
  run.type('exit\r');
  expect((await run.exit).code).toBe(0);
});
