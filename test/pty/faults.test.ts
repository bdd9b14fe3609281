import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { TerminalRun } from '../support/pseudo-terminal.ts';
import { json, raw, type Script, startScriptedServer } from '../support/scripted-server.ts';
import { openAccount } from './account.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';

const cli = await ownProgram();

/** All saved data is there, with its age. */
function expectGoodData(screen: string): void {
  expect(screen).toMatch(/! Headphones +UPS +Held by customs .* \d+[hd] ?│/);
  expect(screen).toMatch(
    /◆ Kettle +Hermes.* (?:Ready for pick-up(?:, waiting \d+ [hd])?|waiting \d+ [hd]) .* \d+[mhd] ?│/,
  );
  expect(screen).toMatch(/▸ Desk lamp +Yanwen +On board, depart.* \d+[mhd] ?│/);
  expect(screen).toMatch(/checked (?:just now|\d+ m ago)/);
}

/**
 * Opens a board with saved data and refreshes a parcel at another address, with a timeout of five seconds by default.
 */
async function askAt(baseUrl: string, timeoutSeconds = 5): Promise<TerminalRun> {
  const account = await openAccount(await createHome(), cli);
  await writeFile(account.home.config, JSON.stringify({ service: { timeoutSeconds } }));
  const run = account.openBoard(baseUrl);
  await run.waitForText('⏎ timeline');
  // The facts show when the parcel was checked.
  run.type('ir');
  return run;
}

async function askServer(script: Script, timeoutSeconds?: number): Promise<TerminalRun> {
  const server = await startScriptedServer(script);
  onTestFinished(() => server.close());
  return await askAt(server.baseUrl.href, timeoutSeconds);
}

const faults: readonly (readonly [name: string, script: Script, sentence: RegExp, word: string])[] = [
  [
    'a key that is refused',
    json({ code: 'A0230', msg: 'secret invalid', traceId: 'f'.repeat(32) }, 401),
    /API key .*\(A0230\).*"secret invalid"/,
    'stopped: key refused',
  ],
  [
    'a page that does not exist',
    raw('<html><body>Not Found</body></html>', 404, { 'content-type': 'text/html' }),
    /does not support .*\(HTTP 404\).*Check the base URL/,
    'wrong address',
  ],
  [
    'a web page in place of an answer',
    raw('<!doctype html><title>Sign in to the Wi-Fi</title>', 200, { 'content-type': 'text/html' }),
    /a web page, not the service's JSON.*Check the base URL/,
    'unexpected response',
  ],
  [
    'an answer that is cut off',
    raw('{"code":"00000","msg":"success","data":{"accepted":{"content":[{"trackNo":"1Z', 200, {
      'content-type': 'application/json',
    }),
    /damaged or cut off/,
    'unexpected response',
  ],
  [
    'a server that never answers',
    () => {
      // The connection stays open and silent.
    },
    /did not respond within 5 seconds.*last known data is kept/,
    'no response',
  ],
  [
    'a service error',
    json({ code: 'B0001', msg: 'busy' }, 503),
    /The service .*\(B0001\).*last known data is kept/,
    'service error',
  ],
];

test.each(faults)(
  '%s is reported in a sentence, and the last known data is kept',
  async (_name, script, sentence, word) => {
    const run = await askServer(script);
    const screen = await run.waitFor((text) => sentence.test(text) && text.includes(word), `${sentence} and "${word}"`);
    expectGoodData(screen);
    run.type('q');
    expect(await run.exit).toEqual({ code: 0, signal: 0 });
  },
);

test('a refused connection is reported in a sentence, and the last known data is kept', async () => {
  const server = await startScriptedServer(raw(''));
  const { href } = server.baseUrl;
  await server.close();
  const run = await askAt(href);
  const screen = await run.waitForText('cannot be reached: nothing is listening there');
  expect(screen).toContain('offline');
  expectGoodData(screen);
});

test('quitting does not wait for a server that never answers', async () => {
  // A wait for it would take longer than this test.
  const run = await askServer(() => {
    // The connection stays open and silent.
  }, 600);
  await run.waitForText('Checking');
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
});
