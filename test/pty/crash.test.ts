import { expect, test } from 'vitest';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';

const cli = await ownProgram();

/** The command that starts the demo and runs a line of code in it on SIGUSR2. */
const demoWithHandler = (code: string): readonly string[] => [
  process.execPath,
  '--import',
  `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code} });`)}`,
  cli,
  '--demo',
];

test.each([
  ['an uncaught error', "throw new Error('the roof fell in');"],
  ['an unhandled rejection', "Promise.reject(new Error('the roof fell in'));"],
])('%s is printed after the terminal is restored, and the program exits with code 1', async (_name, code) => {
  const home = await createHome();
  const session = startInShell(home, demoWithHandler(code));
  await session.run.waitForText('⏎ timeline');
  process.kill(await session.programId(), 'SIGUSR2');
  expect(await session.end()).toBe(1);
  await session.expectRestored();
  const screen = session.run.normalScreen();
  expect(screen).toContain('This is a bug in parcel-monitor; please report it');
  expect(screen).toContain('Error: the roof fell in');
  expect(screen.indexOf('the roof fell in')).toBeLessThan(screen.indexOf('AFTER'));
  const output = session.run.outputSince(0);
  expect(output.indexOf('the roof fell in')).toBeGreaterThan(output.lastIndexOf('\u001b[?1049l'));
});

test.each([
  ['a rendering error', 'Date.prototype.getUTCDay', 'Error: no ink left'],
  // Measuring text fails everywhere, even on Ink's own error screen.
  ['an error inside the rendering library', 'Intl.Segmenter.prototype.segment', 'This is a bug in parcel-monitor'],
])(
  '%s restores the terminal and is printed, and the program exits with code 1',
  async (_name, brokenFunction, message) => {
    const home = await createHome();
    const session = startInShell(
      home,
      demoWithHandler(`${brokenFunction} = () => { throw new Error('no ink left'); };`),
    );
    await session.run.waitForText('⏎ timeline');
    // Ink enables bracketed paste after its first frame, when it starts to listen for keys.
    await session.run.waitFor(() => session.run.outputSince(0).includes('\u001b[?2004h'), 'Ink');
    process.kill(await session.programId(), 'SIGUSR2');
    session.run.press('down');
    expect(await session.end()).toBe(1);
    await session.expectRestored();
    expect(session.run.normalScreen()).toContain(message);
  },
);

test('a Node warning is printed only after the board is closed', async () => {
  const home = await createHome();
  const session = startInShell(home, demoWithHandler("process.emitWarning('the milk is sour');"));
  await session.run.waitForText('⏎ timeline');
  process.kill(await session.programId(), 'SIGUSR2');
  await session.run.type('jjj').waitFor((text) => text.includes('updated just now'), 'a response');
  expect(session.run.outputSince(0)).not.toContain('sour');
  session.run.type('q');
  expect(await session.end()).toBe(0);
  await session.expectRestored();
  expect(session.run.normalScreen()).toContain('parcel-monitor: Warning: the milk is sour');
});
