import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { createBriskClock } from '../support/brisk-clock.ts';
import type { InProcessCommand } from '../support/cli-in-process.ts';
import { createFastClock } from '../support/fast-clock.ts';
import { realClock } from '../support/real-clock.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { callbackBody, wireRecordOf } from '../support/webhook-callback.ts';
import { listContract, watchContract } from './contract.ts';
import { connectedTo, otherTrackNo, prepareWatch, trackNo } from './watch-world.ts';

const world = prepareWatch();
const { addPending, atEnd } = world;
const connected = (baseUrl: string) => connectedTo(baseUrl, world.sandbox);
const run = (...cliArguments: readonly string[]) =>
  world.user.run(cliArguments, { environment: connected(world.sandbox.baseUrl) });

/** A `watch` that runs in this process. */
interface Watch extends InProcessCommand {
  /** Interrupts it and resolves with its exit code. */
  end(): Promise<number>;
}

const watch = (cliArguments: readonly string[], baseUrl = world.sandbox.baseUrl, clock = createBriskClock()): Watch =>
  watchWith(cliArguments, connected(baseUrl), clock);

function watchWith(
  cliArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
  clock = createBriskClock(),
): Watch {
  const interrupt = new AbortController();
  const running = world.user.start(['watch', ...cliArguments], clock, { environment, signal: interrupt.signal });
  const end = (): Promise<number> => {
    interrupt.abort();
    return running.ended;
  };
  atEnd(end);
  return { ...running, end };
}

/** Starts a watch, and waits until it has printed its first changes. It then sees all later ones. */
async function startActiveWatch(cliArguments: readonly string[]): Promise<Watch> {
  await addPending(otherTrackNo);
  const running = watch(cliArguments);
  await running.until(({ stdout }) => stdout.includes('registered'));
  return running;
}

/** A service that only returns errors, so all changes come from other commands or through the webhook. */
async function startFailingService(): Promise<ScriptedServer> {
  const server = await startScriptedServer(json({ code: 'B0001', msg: 'system error', traceId: 'N/A' }, 500));
  atEnd(() => server.close());
  return server;
}

/** Waits for the URL that receives webhook calls. */
async function webhookUrl(running: Watch): Promise<string> {
  const pattern = /webhook calls at (http:\S+:\d+)\./;
  await running.until(({ stderr }) => pattern.test(stderr));
  return pattern.exec(running.stderr())?.[1] ?? '';
}

async function push(url: string, data: unknown, timestamp = realClock.now()): Promise<number> {
  const body = callbackBody({ apiKey: world.sandbox.apiKey, timestamp: String(timestamp), data });
  const response = await request(url, { method: 'POST', body });
  await response.body.dump();
  return response.statusCode;
}

const recordWithEvent = (detail: string, eventTimeZeroUTC = '2026-11-19T08:00:00Z') =>
  wireRecordOf({
    trackNo,
    localLogisticsInfo: {
      courierCode: 'ups',
      trackingDetails: [{ eventDetail: detail, address: 'Köln', eventTimeZeroUTC }],
    },
  });

const changesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => v.parse(watchContract, JSON.parse(line)));

describe('watch', () => {
  it('prints one object per line, as the contract specifies', async () => {
    const running = await startActiveWatch(['--json']);
    await run('add', trackNo, '--label', 'Lamp');
    await running.until(({ stdout }) => stdout.includes('"label":"Lamp"') && stdout.endsWith('\n'));
    await run('remove', trackNo);
    const hasPrinted = (stdout: string, kind: string, number: string): boolean =>
      stdout.endsWith('\n') &&
      changesOf(stdout).some((printed) => printed.change === kind && printed.trackNo === number);
    await running.until(
      ({ stdout }) => hasPrinted(stdout, 'removed', trackNo) && hasPrinted(stdout, 'courier', otherTrackNo),
    );
    expect(await running.end()).toBe(0);
    const changes = changesOf(running.stdout());
    expect(changes.find(({ change }) => change === 'added')).toMatchObject({ trackNo, label: 'Lamp', from: null });
    const unnamed = changes.find((change) => change.trackNo === otherTrackNo);
    expect(unnamed?.text).toBe(`${otherTrackNo}: ${unnamed?.message}`);
    expect(changes.findLast(({ change }) => change === 'removed')).toMatchObject({
      trackNo,
      message: 'removed',
      text: 'Lamp: removed',
      to: null,
      parcel: { trackNo, label: 'Lamp' },
    });
    const known = changes.find(({ change, trackNo: number }) => change === 'courier' && number === otherTrackNo);
    expect(known?.parcel).toMatchObject({ trackNo: otherTrackNo, state: 'watching' });
  });

  it('reports a problem with the service once, and says when it is over', async () => {
    await addPending();
    const server = await startFailingService();
    // The clock is twenty times as fast, because the program waits longer after every failure.
    await writeFile(join(world.user.home, 'long-timeout.json'), '{"service": {"timeoutSeconds": 120}}');
    const running = watch(
      ['--config', join(world.user.home, 'long-timeout.json')],
      server.baseUrl.href,
      createFastClock(20),
    );
    await expect.poll(() => server.requests.length).toBeGreaterThanOrEqual(3);
    expect(running.stderr().match(/system error/g)).toHaveLength(1);
    server.respondWith(json({ code: '00000', data: { accepted: { content: [] }, rejected: [] }, msg: 'Success' }));
    await running.until(({ stderr }) => stderr.includes('The service responds again.'));
    await running.end();
    expect(running.stdout()).toBe('');
  });

  it('exits with 3 if the service rejects the key', async () => {
    await addPending();
    const running = world.user.start(['watch'], createBriskClock(), {
      environment: { ...connected(world.sandbox.baseUrl), PARCEL_MONITOR_API_KEY: 'wrong' },
    });
    expect(await running.ended).toBe(3);
    expect(running.stderr().trim().split('\n')).toEqual([expect.stringContaining('A0230')]);
  });
});

describe('watch --once', () => {
  it('checks what is due, prints the changes, and ends', async () => {
    await addPending();
    const first = await run('watch', '--once', '--json');
    expect({ exitCode: first.exitCode, stderr: first.stderr }).toEqual({ exitCode: 0, stderr: '' });
    const changes = changesOf(first.stdout).map(({ change }) => change);
    expect(changes).toContain('registered');
    expect(changes).toContain('courier');
    const { stdout } = await run('list', '--json');
    expect(v.parse(listContract, JSON.parse(stdout)).parcels).toMatchObject([{ trackNo, state: 'watching' }]);
  });

  it('exits with 5 if a number is rejected', async () => {
    await addPending();
    const server = await startScriptedServer(({ body }, response) => {
      const data = {
        accepted: [],
        rejected: [{ index: 0, trackNo, error: { code: 'A0400', msg: 'no such courier' } }],
      };
      response.end(JSON.stringify({ code: '00000', data: body === '' ? null : data, msg: 'Success' }));
    });
    atEnd(() => server.close());
    const result = await world.user.run(['watch', '--once'], { environment: connected(server.baseUrl.href) });
    expect(result.exitCode).toBe(5);
    expect(result.stdout).toMatch(
      new RegExp(`^\\d{1,2} \\w{3} \\d\\d:\\d\\d  ${trackNo}: rejected: no such courier\n$`),
    );
  });

  it('exits with 4 and prints one sentence if the service cannot be reached', async () => {
    await addPending();
    const server = await startFailingService();
    await server.close();
    const result = await world.user.run(['watch', '--once'], { environment: connected(server.baseUrl.href) });
    expect(result).toMatchObject({ exitCode: 4, stdout: '' });
    expect(result.stderr.trim().split('\n')).toEqual([expect.stringContaining('cannot be reached')]);
  });
});

describe('watch --since', () => {
  const seqsOf = (text: string): readonly number[] => changesOf(text).map(({ seq }) => seq);
  const numbersTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

  it('continues where a script stopped, without gaps or duplicates', async () => {
    await addPending();
    const first = await run('watch', '--once', '--json', '--since', '0');
    const read = seqsOf(first.stdout);
    expect(read).toEqual(numbersTo(read.length));
    expect(changesOf(first.stdout)[0]).toMatchObject({ change: 'added', trackNo });
    await addPending(otherTrackNo);
    const second = await run('watch', '--once', '--json', '--since', String(read.length));
    const all = [...read, ...seqsOf(second.stdout)];
    expect(all).toEqual(numbersTo(all.length));
    expect(changesOf(second.stdout)[0]).toMatchObject({ change: 'added', trackNo: otherTrackNo });
    const third = await run('watch', '--once', '--json', '--since', String(all.length));
    expect(third).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('neither misses nor repeats changes that are written while it starts', async () => {
    await addPending();
    const server = await startFailingService();
    const running = watch(['--json', '--since', '0'], server.baseUrl.href);
    const numbers = Array.from({ length: 12 }, (_, index) => `RB10000000${index + 10}CN`);
    const adding = (async () => {
      for (const number of numbers) await addPending(number);
    })();
    await running.until(({ stdout }) => stdout.includes(numbers.at(-1) ?? '') && stdout.endsWith('\n'));
    await adding;
    await running.end();
    const seqs = seqsOf(running.stdout());
    expect(seqs).toEqual(numbersTo(seqs.length));
    const added = changesOf(running.stdout()).filter(({ change }) => change === 'added');
    expect(added.map((change) => change.trackNo)).toEqual([trackNo, ...numbers]);
  });

  it('prints removed parcels in their last state, from the trash', async () => {
    await world.user.run(['add', trackNo, '--label', 'Lamp', '--tag', 'gift']);
    await run('remove', trackNo);
    const { stdout } = await run('watch', '--once', '--json', '--since', '0');
    expect(changesOf(stdout)).toMatchObject([
      { change: 'added', parcel: { tags: ['gift'] } },
      { change: 'removed', parcel: { trackNo, label: 'Lamp', tags: ['gift'] } },
    ]);
  });

  it('says in one sentence which lines are missing', async () => {
    await addPending();
    await run('remove', trackNo);
    await addPending();
    const beyond = await run('watch', '--once', '--since', '90');
    expect(beyond.exitCode).toBe(0);
    expect(beyond.stderr).toMatch(/^parcel-monitor: The change log ends at line 3\. There is no line 90 yet\.\n$/);
    expect(beyond.stdout).toContain('registered');
    const log = join(world.user.home, '.local/share/parcel-monitor/changes.jsonl');
    const lines = (await readFile(log, 'utf8')).split('\n');
    await writeFile(log, lines.slice(2).join('\n'));
    const trimmed = await run('watch', '--once', '--json', '--since', '0');
    expect(trimmed.stderr).toMatch(/^parcel-monitor: Lines 1 to 2 are no longer in the change log, .*\n$/);
    expect(seqsOf(trimmed.stdout)[0]).toBe(3);
  });

  it('accepts only a line number', async () => {
    expect(await run('watch', '--since', 'friday')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/"friday" is not a valid line number/),
    });
  });
});

it('watch --exec continues if its command fails', async () => {
  await addPending();
  const result = await run('watch', '--once', '--exec', '/no/such/program');
  expect(result.exitCode).toBe(0);
  expect(result.stderr).toContain('/no/such/program was not found');
  expect(result.stdout).toContain('registered');
});

describe('watch --webhook', () => {
  it('prints pushed updates, and saves them before it acknowledges them', async () => {
    await run('add', trackNo);
    const server = await startFailingService();
    const running = watch(['--json', '--webhook', '0'], server.baseUrl.href);
    const url = await webhookUrl(running);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await push(url, recordWithEvent('Arrived by push', new Date(realClock.now()).toISOString()))).toBe(200);
    const { stdout } = await world.user.run(['list', '--json']);
    expect(v.parse(listContract, JSON.parse(stdout)).parcels[0]?.lastEvent?.detail).toBe('Arrived by push');
    await running.until(({ stdout }) => stdout.includes('Arrived by push'));
    expect(await running.end()).toBe(0);
  });

  it('refuses unsigned and old calls, and reports unwatched numbers once', async () => {
    const running = watch(['--webhook', '0:0']);
    const url = await webhookUrl(running);
    expect(running.stderr()).toMatch(/Any machine that can reach 0\.0\.0\.0:\d+ can call the webhook receiver/);
    const now = realClock.now();
    expect(await push(url, wireRecordOf({ trackNo: 'XX123' }), now)).toBe(200);
    expect(await push(url, wireRecordOf({ trackNo: 'XX123' }), now)).toBe(200);
    expect(await push(url, wireRecordOf(), now - 6 * 60_000)).toBe(401);
    const unsigned = await request(url, { method: 'POST', body: JSON.stringify({ data: recordWithEvent('x') }) });
    expect(unsigned.statusCode).toBe(401);
    await unsigned.body.dump();
    await running.end();
    expect(running.stderr().match(/XX123/g)).toHaveLength(1);
    expect(running.stderr()).toMatch(/A webhook callback was refused\. .*over 6 minutes old; .*webhook\.maxAgeMinutes/);
    expect(running.stdout()).toBe('');
  });

  it('accepts unsigned calls only on a secret path, which is never printed', async () => {
    const path = 'a-long-and-secret-path';
    const config = join(world.user.home, 'config.json');
    const settings = (webhook: object) =>
      writeFile(config, JSON.stringify({ baseUrl: world.sandbox.baseUrl, apiKey: world.sandbox.apiKey, webhook }), {
        mode: 0o600,
      });
    await settings({ signature: 'none' });
    expect(await run('watch', '--webhook', '0', '--config', config)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /webhook\.signature "none" .*Set webhook\.path to a secret of at least 16 characters/,
      ),
    });
    await settings({ signature: 'none', path });
    const running = watchWith(['--webhook', '0', '--config', config], {});
    await running.until(({ stderr }) => stderr.includes('webhook calls at'));
    const url = /http:\S+:\d+/.exec(running.stderr())?.[0] ?? '';
    const unsigned = { method: 'POST', body: JSON.stringify({ data: wireRecordOf({ trackNo: 'XX123' }) }) } as const;
    const responses = await Promise.all([`${url}/`, `${url}/${path}`].map((target) => request(target, unsigned)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 200]);
    await Promise.all(responses.map(({ body }) => body.dump()));
    await running.end();
    expect(running.stderr()).toMatch(/webhook calls at http:\S+\/\(webhook\.path\)\./);
    expect(running.stderr()).not.toContain(path);
  });

  it('continues if the service rejects queries, because pushes still arrive', async () => {
    await addPending();
    const server = await startScriptedServer(json({ code: '101107', msg: 'out of credit', traceId: 'N/A' }));
    atEnd(() => server.close());
    const running = watch(['--webhook', '0'], server.baseUrl.href);
    const url = await webhookUrl(running);
    await running.until(({ stderr }) => stderr.includes('no registrations left'));
    expect(await push(url, recordWithEvent('Arrived by push', new Date(realClock.now()).toISOString()))).toBe(200);
    await running.until(({ stdout }) => stdout.includes('Arrived by push, Köln'));
    expect(await running.end()).toBe(0);
  });

  it('runs the key command only once for queries and pushes', async () => {
    const log = join(world.user.home, 'ran');
    const config = join(world.user.home, 'config.json');
    const apiKeyCommand = ['/bin/sh', '-c', `echo ran >> '${log}'; echo ${world.sandbox.apiKey}`];
    await writeFile(config, JSON.stringify({ baseUrl: world.sandbox.baseUrl, apiKeyCommand }));
    const running = watchWith(['--webhook', '0', '--config', config], {});
    const url = await webhookUrl(running);
    expect(await push(url, wireRecordOf())).toBe(200);
    await running.end();
    expect(await readFile(log, 'utf8')).toBe('ran\n');
  });

  it('prints what the sandbox pushes', async () => {
    const port = await freePort();
    const pushingSandbox = await startSandbox({
      port: 0,
      speed: 3_600,
      seed: 1,
      clock: createBriskClock(),
      webhook: `http://127.0.0.1:${port}/hook`,
    });
    atEnd(() => pushingSandbox.close());
    await world.user.run(['add', trackNo], { environment: connected(pushingSandbox.baseUrl) });
    const server = await startFailingService();
    const running = watch(['--json', '--webhook', String(port)], server.baseUrl.href);
    await webhookUrl(running);
    await running.until(({ stdout }) => /"change":"(?:status|event)".*\n/.test(stdout));
    await running.end();
    expect(changesOf(running.stdout())[0]).toMatchObject({ trackNo, courierCode: 'ups' });
  }, 60_000);
});

describe('incorrect usage of watch', () => {
  it.each([
    [['watch', trackNo], 2, /takes no arguments \(got 1Z999AA10123456784\)/],
    [['watch', '--exec'], 2, /--exec requires a command/],
    [['watch', '--webhook', 'nowhere'], 2, /is not a valid listen address/],
    [['watch', '--once', '--webhook', '0'], 2, /--once/],
    [['--demo', '--webhook', '0'], 2, /--demo cannot be used with --webhook\./],
    [['--webhook', '0'], 2, /board, which requires a terminal\..*watch --webhook/],
  ])('%j is refused', async (cliArguments, exitCode, message) => {
    const result = await run(...cliArguments);
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: '' });
    expect(result.stderr).toMatch(message);
  });

  it('exits with 3 if there is no API key', async () => {
    const result = await world.user.run(['watch'], { environment: { PARCEL_MONITOR_BASE_URL: world.sandbox.baseUrl } });
    expect(result).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('PARCEL_MONITOR_API_KEY') });
  });
});

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
