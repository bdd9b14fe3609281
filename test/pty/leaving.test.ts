import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { waitForExit } from '../support/pseudo-terminal.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { startInShell } from './shell-session.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();
const demo = [process.execPath, cli, '--demo'];

test.each([
  ['q', 'q'],
  ['Ctrl+C', '\u0003'],
])('%s quits with code 0, restores the terminal and leaves no files behind', async (_name, key) => {
  const home = await createHome();
  const session = startInShell(home, demo);
  await session.run.waitForText('⏎ timeline');
  session.run.type(key);
  expect(await session.end()).toBe(0);
  await session.expectRestored();
  expect(await home.files()).toEqual([]);
});

test("a terminal's reply that arrives after the board has quit does not reach the shell", async () => {
  const home = await createHome();
  await writeFile(home.config, '{"theme": "auto"}');
  const session = startInShell(home, [process.execPath, cli]);
  const { emulator, type } = session.run;
  emulator.parser.registerOscHandler(11, () => {
    type('q');
    // The terminal replies late.
    setTimeout(() => type('\u001b]11;rgb:fdfd/f6f6/e3e3\u001b\\\u001b[?1;2c'), 200);
    return true;
  });
  emulator.parser.registerCsiHandler({ final: 'c' }, () => true);
  expect(await session.end()).toBe(0);
  await session.expectRestored();
  expect(session.run.normalScreen()).toMatch(/^BEFORE\nAFTER 0$/);
});

test('keys typed during startup are neither lost nor echoed onto the board', async () => {
  const home = await createHome();
  const session = startInShell(home, demo, { size: [120, 30] });
  await session.run.waitFor(() => session.run.outputSince(0).includes('BEFORE'), 'the shell');
  const help = await session.run.type('?').waitForText('Parcel list');
  expect(help.split('\n')[1]).toMatch(/^╭ Help ─+╮$/);
  session.run.press('ctrl+c');
  expect(await session.end()).toBe(0);
  await session.expectRestored();
});

test('Ctrl+C during startup stops waiting for the database and removes the progress line', async () => {
  const server = createServer((socket) => void sockets.push(socket));
  const sockets: Socket[] = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const address = `postgres://ann@127.0.0.1:${port}/parcels`;
  const home = await createHome({ PARCEL_MONITOR_STORE: address, PARCEL_MONITOR_API_KEY: 'key' });
  const session = startInShell(home, [process.execPath, cli]);
  await session.run.waitForText(`Connecting to ${address}`);
  session.run.type('x\r\u0003');
  expect(await session.end()).not.toBe(0);
  await session.expectTerminalAsBefore();
  expect(session.run.normalScreen()).not.toContain('Connecting');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGALRM', 142],
] as const)('%s ends the board with code %d and restores the terminal', async (signal, code) => {
  const home = await createHome();
  const session = startInShell(home, demo);
  await session.run.waitForText('⏎ timeline');
  process.kill(await session.programId(), signal);
  expect(await session.end()).toBe(code);
  await session.expectRestored();
  expect(await home.files()).toEqual([]);
});

test('the program ends when its terminal is closed', async () => {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli, '--demo'], { environment: home.environment });
  await run.waitForText('⏎ timeline');
  run.hangUp();
  await waitForExit(run.pid);
  expect(await home.files()).toEqual([]);
});

test('the program ends when its terminal is closed, even without SIGHUP', async () => {
  const home = await createHome();
  // The shell in between ignores SIGHUP, like nohup, and so do its children.
  const session = startInShell(home, ['sh', '-c', 'trap "" HUP; exec "$@"', 'sh', ...demo]);
  await session.run.waitForText('⏎ timeline');
  const programId = await session.programId();
  session.run.hangUp();
  await waitForExit(programId);
  await waitForExit(session.run.pid);
});

test('unrelated signals do not affect the board', async () => {
  const home = await createHome();
  const session = startInShell(home, demo);
  await session.run.waitForText('⏎ timeline');
  const programId = await session.programId();
  // By default, Node starts its debugger on SIGUSR1 and prints a message on the screen.
  for (const signal of ['SIGUSR1', 'SIGPIPE', 'SIGCONT'] as const) process.kill(programId, signal);
  for (let count = 0; count < 500; count += 1) process.kill(programId, 'SIGWINCH');
  await session.run.type('?').waitForText('Parcel list');
  session.run.press('ctrl+c');
  expect(await session.end()).toBe(0);
  await session.expectRestored();
  expect(session.run.outputSince(0)).not.toContain('Debugger');
});
