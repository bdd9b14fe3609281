import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

test('without an API key the board asks for it and keeps added numbers', async () => {
  const home = await createHome();
  const server = await startScriptedServer(json({ code: '00000', msg: 'success', data: [] }));
  try {
    const run = runInTerminal(process.execPath, [cli], {
      environment: { ...home.environment, PARCEL_MONITOR_BASE_URL: server.baseUrl.href },
    });
    const first = await run.waitForText('The API key for http://127.0.0.1');
    expect(first).toContain('not set up');
    // Letters are part of the key here; Tab skips it.
    await run.type('\t').waitForText('What is your time zone');
    await run.type('\r').waitForText('How do you want to be notified of changes?');
    await run.type('\r').waitForText('Your first numbers');
    await run.type('1Z999AA10123456784 "Lamp"\r').waitForText('Added Lamp');
    await run.press('escape').waitForText('⏎ timeline');
    const added = await run.type('i').waitForText('no checks: not set up');
    expect(added).toMatch(/Lamp +Waiting for registration/);
    expect(added).not.toMatch(/next update|update due/);
    await run.type('r').waitForText('The service is not set up. Press C');
    await run.type('D').waitForText('There is no API key yet');
    await run.press('escape').waitForText('⏎ timeline');
    run.type('q');
    expect(await run.exit).toEqual({ code: 0, signal: 0 });
    const kept = JSON.parse(await readFile(home.watchlist, 'utf8'));
    expect(kept.parcels).toEqual([
      expect.objectContaining({ trackNo: '1Z999AA10123456784', label: 'Lamp', registration: 'pending' }),
    ]);
    expect(server.seen).toEqual([]);
  } finally {
    await server.close();
  }
});

test('with a key but no base URL the board asks for the service first', async () => {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli], {
    environment: { ...home.environment, PARCEL_MONITOR_API_KEY: 'a-key' },
  });
  await run.waitForText('Which service tracks your parcels?');
  const key = await run.type('\r').waitForText('The current key');
  expect(key).toContain('PARCEL_MONITOR_API_KEY');
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
});

test('a board that was opened before the setup applies config.json and keeps the typed text', async () => {
  const home = await createHome();
  const sandbox = await startTestSandbox();
  const run = runInTerminal(process.execPath, [cli], { environment: home.environment });
  await run.waitForText('Which service tracks your parcels?');
  await run.type('a').waitForText('Esc leave');
  await run.type('1Z999AA10123456784 "Lamp"\r').waitForText('Added Lamp');
  await run.type('half a num').waitForText('half a num');
  await writeFile(home.config, JSON.stringify({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey }), { mode: 0o600 });
  const taken = await run.waitFor(
    (screen) => !/not set up|Waiting for registration/.test(screen),
    'that the service is set up',
  );
  expect(taken).toContain('half a num');
  run.press('escape');
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
});
