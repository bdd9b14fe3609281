import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { modesLeftOn, type TerminalRun, waitForExit } from '../support/pseudo-terminal.ts';
import { frameFaults } from './board-screen.ts';
import { createHome, type Home } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';

const cli = await ownProgram();

/** Each resize redraws the whole window. Together, they write far more than an unread terminal can buffer. */
const resizeCount = 30;

/** Schedules a write for later, then writes more than the terminal can buffer. Exits unless that blocks it. */
const lateWriteScript = `
const { writeToTerminalLater } = await import('${new URL('../../src/system/child-processes.ts', import.meta.url).href}');
const { makeNonBlocking } = await import('${new URL('../../src/system/standard-streams.ts', import.meta.url).href}');
makeNonBlocking(process.stdout);
process.stdout.write('ready\\n');
process.stdin.once('data', () => {
  writeToTerminalLater('LATER', process);
  process.stdout.write('.'.repeat(2 ** 20));
  setImmediate(() => process.exit(7));
});
`;

/** A demo whose terminal has stopped reading and accepts no more output. */
async function openFrozenDemo(home: Home) {
  const session = startInShell(home, [process.execPath, cli, '--demo'], { size: [200, 60] });
  await session.run.waitForText('⏎ timeline');
  session.run.stopReading();
  await fill(session.run);
  return { ...session, programId: await session.programId() };
}

/** Makes the board draw until its terminal is full. */
async function fill(run: TerminalRun): Promise<void> {
  for (let count = 0; count < resizeCount; count += 1) {
    run.resize(201 - (count % 2), 60);
    // Long enough that two resizes are not drawn as one.
    await delay(60);
  }
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends a board with a frozen terminal', async (signal, code) => {
  const home = await createHome();
  const { run, programId } = await openFrozenDemo(home);
  process.kill(programId, signal);
  await waitForExit(programId);
  run.resumeReading();
  await run.waitFor(() => run.outputSince(0).includes(`AFTER ${code}`) && !run.isOnAlternateScreen(), 'the shell');
  expect(modesLeftOn(run.outputSince(0))).toEqual([]);
});

test('Ctrl+C ends a board with a frozen terminal', async () => {
  const home = await createHome();
  const { run, programId } = await openFrozenDemo(home);
  run.press('ctrl+c');
  await waitForExit(programId);
  // The pending output restores the terminal.
  run.resumeReading();
  await run.waitFor(() => run.outputSince(0).includes('AFTER 0') && !run.isOnAlternateScreen(), 'the shell');
  expect(modesLeftOn(run.outputSince(0))).toEqual([]);
});

test('output scheduled for later does not block a program whose terminal is frozen', async () => {
  const home = await createHome();
  const { run, programId } = startInShell(home, [process.execPath, '--input-type=module', '--eval', lateWriteScript]);
  await run.waitForText('ready');
  const id = await programId();
  run.stopReading();
  run.press('enter');
  await waitForExit(id);
  run.resumeReading();
  await run.waitForText('AFTER 7');
  expect(run.outputSince(0)).toContain('LATER');
});

test('the board is drawn completely once its terminal reads again', async () => {
  const home = await createHome();
  const { run, end, expectRestored } = await openFrozenDemo(home);
  run.resumeReading();
  await run.waitFor(() => frameFaults(run, 200, 60).length === 0, 'a complete frame');
  await run.type('?').waitForText('Parcel list');
  run.press('ctrl+c');
  expect(await end()).toBe(0);
  await expectRestored();
});
