import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';
import { createHome } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();

test('without a key the board says how to get and set one, offers the demonstration and keeps what is added', async () => {
  const home = await createHome();
  const server = await startScriptedServer(json({ code: '00000', msg: 'success', data: [] }));
  try {
    const run = runInTerminal(process.execPath, [cli], {
      environment: { ...home.environment, PARCEL_MONITOR_BASE_URL: server.baseUrl.href },
    });
    const first = await run.waitForText('There is no API key yet');
    expect(first).toContain('parcel-monitor --demo');
    expect(first).toContain("Developers → API in the provider's admin portal");
    expect(first).toContain('export PARCEL_MONITOR_API_KEY=');
    expect(first).toContain('not set up');
    run.type('a');
    await run.waitForText('Esc leave');
    run.type('1Z999AA10123456784 "Lamp"\r');
    const added = await run.waitForText('Added Lamp');
    expect(added).toMatch(/Lamp +Waiting for registration/);
    expect(added).toContain('no checks: not set up');
    expect(added).not.toMatch(/next update|update due/);
    run.press('escape');
    await run.waitForText('⏎ timeline');
    run.type('r');
    await run.waitForText('The service is not set up, so nothing can be checked.');
    run.type('D');
    await run.waitForText('export PARCEL_MONITOR_API_KEY=');
    run.press('escape');
    await run.waitForText('⏎ timeline');
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

test('without a key and a base URL the board also says how to name the service', async () => {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli], { environment: home.environment });
  const first = await run.waitForText('There is no API key yet');
  expect(first).toContain('export PARCEL_MONITOR_PROFILE=track123');
  expect(first).toContain('export PARCEL_MONITOR_BASE_URL=');
});

test('with a key but no base URL the board asks for the base URL, and for nothing else', async () => {
  const home = await createHome();
  const run = runInTerminal(process.execPath, [cli], {
    environment: { ...home.environment, PARCEL_MONITOR_API_KEY: 'a-key' },
  });
  const first = await run.waitForText('There is no base URL yet');
  expect(first).not.toContain('API key');
  run.type('t');
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
});

test('a board that was opened before anything was set up takes config.json over and goes on with what was typed', async () => {
  const home = await createHome();
  const sandbox = await startTestSandbox();
  const run = runInTerminal(process.execPath, [cli], { environment: home.environment });
  await run.waitForText('There is no API key yet');
  run.type('a');
  await run.waitForText('Esc leave');
  run.type('1Z999AA10123456784 "Lamp"\r');
  await run.waitForText('Added Lamp');
  run.type('half a num');
  await run.waitForText('half a num');
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
