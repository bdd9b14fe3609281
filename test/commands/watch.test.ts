import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { runBuilt, startBuilt } from '../support/built-cli.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { realClock } from '../support/real-clock.ts';
import { listenTo, type RunningCli } from '../support/running-cli.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';
import { callbackBody, wireRecordOf } from '../support/webhook-callback.ts';
import { changeContract, listContract } from './contract.ts';

const trackNo = '1Z999AA10123456784';
const otherTrackNo = 'LX123456789CN';

let sandbox: Sandbox;
let user: CliUser;
const cleanUp: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  user = await createCliUser();
  cleanUp.push(() => user.remove());
});
afterEach(async () => {
  for (const work of cleanUp.splice(0).reverse()) await work();
});

const connectedTo = (baseUrl: string) => ({
  PARCEL_MONITOR_BASE_URL: baseUrl,
  PARCEL_MONITOR_API_KEY: sandbox.apiKey,
});
const run = (...cliArguments: readonly string[]) =>
  user.run(cliArguments, { environment: connectedTo(sandbox.baseUrl) });

async function watch(cliArguments: readonly string[], baseUrl = sandbox.baseUrl): Promise<RunningCli> {
  const child = await startBuilt(user, ['watch', ...cliArguments], { environment: connectedTo(baseUrl) });
  const running = listenTo(child);
  cleanUp.push(() => running.end('SIGKILL'));
  return running;
}

/** Adds a number that is due at once, since nobody has told the service of it. */
const addPending = (number = trackNo) => user.run(['add', number]);

/** A watch that has printed its first changes, so that it sees all that come. */
async function watchAtWork(cliArguments: readonly string[]): Promise<RunningCli> {
  await addPending(otherTrackNo);
  const running = await watch(cliArguments);
  await running.until(({ stdout }) => stdout.includes('registered'));
  return running;
}

/** A service that answers nothing but trouble, so that all news comes through the webhook. */
async function troubledService(): Promise<ScriptedServer> {
  const server = await startScriptedServer(json({ code: 'B0001', msg: 'system error', traceId: 'N/A' }, 500));
  cleanUp.push(() => server.close());
  return server;
}

/** Waits until a program tells where it takes webhook calls. */
async function webhookUrl(running: RunningCli): Promise<string> {
  const pattern = /taken at (http:\S+:\d+)\./;
  await running.until(({ stderr }) => pattern.test(stderr));
  return pattern.exec(running.stderr())?.[1] ?? '';
}

async function push(url: string, data: unknown, timestamp = realClock.now()): Promise<number> {
  const body = callbackBody({ apiKey: sandbox.apiKey, timestamp: String(timestamp), data });
  const answer = await request(url, { method: 'POST', body });
  await answer.body.dump();
  return answer.statusCode;
}

const arrivedAt = (detail: string, eventTimeZeroUTC = '2026-11-19T08:00:00Z') =>
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
    .map((line) => v.parse(changeContract, JSON.parse(line)));

describe('watch', () => {
  it('prints a line for every change and ends with 130 when it is interrupted', async () => {
    const running = await watchAtWork([]);
    await run('add', trackNo, '--label', 'Lamp');
    await running.until(({ stdout }) => stdout.includes('Lamp'));
    expect(await running.end('SIGINT')).toBe(130);
    expect(running.stdout()).toMatch(
      new RegExp(`^\\d{1,2} \\w{3} \\d\\d:\\d\\d  Lamp \\(${trackNo}\\): watched from now on`, 'm'),
    );
    expect(running.stdout()).not.toContain('\u001b');
    expect(running.stderr()).toBe('');
  });

  it('prints JSON of one contract, an object a line', async () => {
    const running = await watchAtWork(['--json']);
    await run('add', trackNo, '--label', 'Lamp');
    await running.until(({ stdout }) => stdout.includes('"label":"Lamp"') && stdout.endsWith('\n'));
    await run('remove', trackNo);
    await running.until(({ stdout }) => stdout.includes('"change":"removed"') && stdout.endsWith('\n'));
    expect(await running.end('SIGTERM')).toBe(143);
    const changes = changesOf(running.stdout());
    expect(changes.find(({ change }) => change === 'added')).toMatchObject({ trackNo, label: 'Lamp' });
    expect(changes.findLast(({ change }) => change === 'removed')).toMatchObject({ trackNo, message: 'removed' });
    const known = changes.find(({ change }) => change === 'courier');
    expect(known?.parcel).toMatchObject({ trackNo: otherTrackNo, state: 'watching' });
  });

  it('tells a problem of the service once, however often it is met, and its end', async () => {
    await addPending();
    const server = await troubledService();
    const running = await watch([], server.baseUrl.href);
    await expect.poll(() => server.seen.length, { timeout: 50_000 }).toBeGreaterThanOrEqual(3);
    expect(running.stderr().match(/system error/g)).toHaveLength(1);
    server.answerWith(json({ code: '00000', data: { accepted: { content: [] }, rejected: [] }, msg: 'Success' }));
    await running.until(({ stderr }) => stderr.includes('The service answers again.'));
    await running.end('SIGINT');
    expect(running.stdout()).toBe('');
  }, 60_000);

  it('ends with 3 when the service refuses the key, since nobody is there to mend it', async () => {
    await addPending();
    const child = await startBuilt(user, ['watch'], {
      environment: { ...connectedTo(sandbox.baseUrl), PARCEL_MONITOR_API_KEY: 'wrong' },
    });
    const running = listenTo(child);
    cleanUp.push(() => running.end('SIGKILL'));
    expect(await running.ended).toBe(3);
    expect(running.stderr().trim().split('\n')).toEqual([expect.stringContaining('A0230')]);
  });

  it('follows another one that asks already, and says so once', async () => {
    const leader = await watchAtWork([]);
    const follower = await watch(['--json']);
    await follower.until(({ stderr }) => stderr.includes('Another parcel-monitor'));
    await addPending();
    await follower.until(({ stdout }) => stdout.includes(`"change":"added","trackNo":"${trackNo}"`));
    await Promise.all([leader.end('SIGINT'), follower.end('SIGINT')]);
    expect(follower.stderr().match(/Another parcel-monitor/g)).toHaveLength(1);
  }, 30_000);

  it('is quiet when nobody reads it any more', async () => {
    await addPending();
    const child = await startBuilt(user, ['watch'], { environment: connectedTo(sandbox.baseUrl) });
    const running = listenTo(child);
    cleanUp.push(() => running.end('SIGKILL'));
    child.stdout?.destroy();
    expect(await running.ended).toBe(0);
    expect(running.stderr()).toBe('');
  });
});

describe('watch --once', () => {
  it('asks about what is due, prints what changed, and ends', async () => {
    await addPending();
    const first = await run('watch', '--once', '--json');
    expect({ exitCode: first.exitCode, stderr: first.stderr }).toEqual({ exitCode: 0, stderr: '' });
    const changes = changesOf(first.stdout).map(({ change }) => change);
    expect(changes).toContain('registered');
    expect(changes).toContain('courier');
    const { stdout } = await run('list', '--json');
    expect(v.parse(listContract, JSON.parse(stdout)).parcels).toMatchObject([{ trackNo, state: 'watching' }]);
  });

  it('prints nothing when nothing is watched', async () => {
    expect(await run('watch', '--once')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('ends with 5 when a number is rejected', async () => {
    await addPending();
    const server = await startScriptedServer(({ body }, response) => {
      const data = {
        accepted: [],
        rejected: [{ index: 0, trackNo, error: { code: 'A0400', msg: 'no such courier' } }],
      };
      response.end(JSON.stringify({ code: '00000', data: body === '' ? null : data, msg: 'Success' }));
    });
    cleanUp.push(() => server.close());
    const result = await user.run(['watch', '--once'], { environment: connectedTo(server.baseUrl.href) });
    expect(result.exitCode).toBe(5);
    expect(result.stdout).toMatch(
      new RegExp(`^\\d{1,2} \\w{3} \\d\\d:\\d\\d  ${trackNo}: rejected: no such courier\n$`),
    );
  });

  it('ends with 4 and one sentence when the service cannot be reached', async () => {
    await addPending();
    const server = await troubledService();
    await server.close();
    const result = await user.run(['watch', '--once'], { environment: connectedTo(server.baseUrl.href) });
    expect(result).toMatchObject({ exitCode: 4, stdout: '' });
    expect(result.stderr.trim().split('\n')).toEqual([expect.stringContaining('cannot be reached')]);
  });
});

describe('watch --exec', () => {
  it('runs the command with each change on its standard input before it ends', async () => {
    await addPending();
    const file = join(user.home, 'seen');
    const script = join(user.home, 'on-change.mjs');
    await writeFile(
      script,
      `import { appendFileSync, readFileSync } from 'node:fs';
       appendFileSync(process.argv[2], readFileSync(0, 'utf8'));
       console.log('printed by', process.argv[3], 'with key', process.env.PARCEL_MONITOR_API_KEY);`,
    );
    const command = ['--exec', process.execPath, script, file, '--json'];
    // What the command prints goes where this process prints.
    const result = await runBuilt(user, ['watch', '--once', '--json', ...command], {
      environment: connectedTo(sandbox.baseUrl),
    });
    expect(result.exitCode).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(result.stdout);
    expect(changesOf(result.stdout).length).toBeGreaterThan(1);
    // What it prints is not a result of ours, and our key is not for it.
    expect(result.stderr).toContain('printed by --json with key undefined');
  });

  it('whose command fails goes on and ends well', async () => {
    await addPending();
    const result = await run('watch', '--once', '--exec', '/no/such/program');
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toContain('/no/such/program was not found');
    expect(result.stdout).toContain('registered');
  });
});

describe('watch --webhook', () => {
  it('prints what is pushed, stores it before it acknowledges, and asks nothing', async () => {
    await run('add', trackNo);
    const server = await troubledService();
    const running = await watch(['--json', '--webhook', '0'], server.baseUrl.href);
    const url = await webhookUrl(running);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await push(url, arrivedAt('Arrived by push', '2099-11-19T08:00:00Z'))).toBe(200);
    const { stdout } = await user.run(['list', '--json']);
    expect(v.parse(listContract, JSON.parse(stdout)).parcels[0]?.lastEvent?.detail).toBe('Arrived by push');
    await running.until((said) => said.stdout.includes('Arrived by push'));
    expect(await running.end('SIGINT')).toBe(130);
  });

  it('refuses what is not signed, old or sent twice, and tells of what is not watched', async () => {
    const running = await watch(['--webhook', ':0']);
    const url = await webhookUrl(running);
    const now = realClock.now();
    expect(await push(url, wireRecordOf({ trackNo: 'XX123' }), now)).toBe(200);
    expect(await push(url, wireRecordOf({ trackNo: 'XX123' }), now)).toBe(409);
    expect(await push(url, wireRecordOf(), now - 6 * 60_000)).toBe(401);
    const unsigned = await request(url, { method: 'POST', body: JSON.stringify({ data: arrivedAt('x') }) });
    expect(unsigned.statusCode).toBe(401);
    await unsigned.body.dump();
    await running.end('SIGINT');
    expect(running.stderr().match(/XX123/g)).toHaveLength(1);
    expect(running.stderr()).toMatch(/A webhook callback was refused\. .*over 6 minutes old, .*webhook\.maxAgeMinutes/);
    expect(running.stdout()).toBe('');
  });

  it('goes on when the service refuses to be asked, because pushes still come', async () => {
    await addPending();
    const server = await startScriptedServer(json({ code: '101107', msg: 'out of credit', traceId: 'N/A' }));
    cleanUp.push(() => server.close());
    const running = await watch(['--webhook', '0'], server.baseUrl.href);
    const url = await webhookUrl(running);
    await running.until(({ stderr }) => stderr.includes('out of credit'));
    expect(await push(url, arrivedAt('Arrived by push', '2099-11-19T08:00:00Z'))).toBe(200);
    await running.until(({ stdout }) => stdout.includes('Arrived by push, Köln'));
    expect(await running.end('SIGINT')).toBe(130);
  });

  it('runs a command for the key once, for asking and listening together', async () => {
    const ran = join(user.home, 'ran');
    const config = join(user.home, 'config.json');
    const apiKeyCommand = ['/bin/sh', '-c', `echo ran >> '${ran}'; echo ${sandbox.apiKey}`];
    await writeFile(config, JSON.stringify({ baseUrl: sandbox.baseUrl, apiKeyCommand }));
    const running = listenTo(await startBuilt(user, ['watch', '--webhook', '0', '--config', config]));
    cleanUp.push(() => running.end('SIGKILL'));
    const url = await webhookUrl(running);
    expect(await push(url, wireRecordOf())).toBe(200);
    await running.end('SIGINT');
    expect(await readFile(ran, 'utf8')).toBe('ran\n');
  });

  it('prints what the sandbox pushes', async () => {
    const port = await freePort();
    const pushing = await startSandbox({
      port: 0,
      speed: 3_600,
      seed: 1,
      clock: realClock,
      webhookUrl: `http://127.0.0.1:${port}/hook`,
    });
    cleanUp.push(() => pushing.close());
    await user.run(['add', trackNo], { environment: connectedTo(pushing.baseUrl) });
    const server = await troubledService();
    const running = await watch(['--json', '--webhook', String(port)], server.baseUrl.href);
    await webhookUrl(running);
    await running.until(({ stdout }) => /"change":"(?:status|event)".*\n/.test(stdout));
    await running.end('SIGINT');
    expect(changesOf(running.stdout())[0]).toMatchObject({ trackNo, courierCode: 'ups' });
  }, 60_000);

  it('says in a sentence when the port is taken', async () => {
    const port = new URL(sandbox.baseUrl).port;
    const result = await run('watch', '--webhook', port);
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toMatch(/^parcel-monitor: .*another program does\. Choose another port.*\n$/);
  });
});

describe('watch used wrongly', () => {
  it.each([
    [['watch', trackNo], 2, /takes no "1Z999AA10123456784"/],
    [['watch', '--exec'], 2, /--exec needs a command/],
    [['watch', '--webhook', 'nowhere'], 2, /no address to listen on/],
    [['watch', '--once', '--webhook', '0'], 2, /--once/],
    [['--demo', '--webhook', '0'], 2, /'--demo' cannot be used with option '--webhook/],
    [['--webhook', '0'], 2, /needs a terminal.*watch --webhook/],
  ])('%j is told', async (cliArguments, exitCode, sentence) => {
    const result = await run(...cliArguments);
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: '' });
    expect(result.stderr).toMatch(sentence);
  });

  it('without a key ends with 3', async () => {
    const result = await user.run(['watch'], { environment: { PARCEL_MONITOR_BASE_URL: sandbox.baseUrl } });
    expect(result).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('PARCEL_MONITOR_API_KEY') });
  });
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
