import { expect, onTestFinished, test } from 'vitest';
import { fastClockEnvironment } from '../clock/clock-shift.ts';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { openAccount } from './account.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';

const cli = await ownProgram();

test('only one of two boards polls, and the other says so, until the first is killed', async () => {
  const server = await startScriptedServer(
    json({ code: '00000', msg: 'success', data: { accepted: { content: [] } } }),
  );
  onTestFinished(() => server.close());
  const account = await openAccount(await createHome(), cli);
  const environment = fastClockEnvironment(4);
  const first = account.openBoard(server.baseUrl.href, environment);
  await first.waitFor((text) => text.includes('⏎ timeline') && /next|updated/.test(text), 'a board that polls');
  const second = account.openBoard(server.baseUrl.href, environment);
  await second.waitForText('updated by another window');
  expect(first.text()).not.toContain('updated by another window');
  // Pausing one board pauses both.
  await first.type('P').waitForText('paused');
  await second.waitForText('paused');
  first.type('P');
  await second.waitFor((text) => !text.includes('paused'), 'the end of the pause');
  process.kill(first.pid, 'SIGKILL');
  expect((await first.exit).signal).toBe(9);
  await second.waitFor((text) => !text.includes('updated by another window'), 'that the second board polls');
  second.type('q');
  expect(await second.exit).toEqual({ code: 0, signal: 0 });
});
