import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import type { CliResult } from '../support/cli-user.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { listContract, showContract } from './contract.ts';
import { sandboxUser } from './sandbox-user.ts';

const { connected, user } = sandboxUser();

/** Runs a command for a user whose service is the sandbox. */
function run(...cliArguments: readonly string[]): Promise<CliResult> {
  return user.run(cliArguments, { environment: connected() });
}

const connectedTo = (baseUrl: URL) => ({ ...connected(), PARCEL_MONITOR_BASE_URL: baseUrl.href });

/** Runs a command for a user without any configuration. */
function runBare(...cliArguments: readonly string[]): Promise<CliResult> {
  return user.run(cliArguments);
}

const parse = (text: string): unknown => JSON.parse(text);
const parcelsOf = ({ stdout }: CliResult) => v.parse(listContract, parse(stdout)).parcels;
const escapeCharacter = '\u001b';

describe('starting', () => {
  it('prints its version', async () => {
    const expected = { exitCode: 0, stdout: `${packageJson.version}\n`, stderr: '' };
    expect(await runBare('--version')).toEqual(expected);
    expect(await runBare('list', '--version')).toEqual(expected);
  });

  it('prints help for getting started', async () => {
    const { exitCode, stdout, stderr } = await runBare('--help');
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    const commands = 'add list show refresh edit remove couriers changes sandbox doctor paths';
    for (const part of ['--demo', ...commands.split(' '), 'PARCEL_MONITOR_API_KEY', 'config.json', 'Exit codes', '130'])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain(escapeCharacter);
  });

  it('prints the list if there is no terminal', async () => {
    await run('add', '1Z999AA10123456784');
    const [bare, list] = [await run(), await run('list')];
    expect(bare.exitCode).toBe(0);
    expect(bare.stdout).toBe(list.stdout);
    expect(bare.stdout).toContain('1Z999AA10123456784');
  });
});

describe('incorrect usage', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['an unknown command', ['lst'], /"lst".*list/],
    ['an unknown option', ['list', '--jsn'], /--jsn\..*--json/],
    ['an unknown board option', ['--dmo'], /--dmo\..*--demo/],
    ['a missing number', ['show'], /number/],
    ['an extra argument', ['list', 'what'], /what/],
    ['an unknown stage', ['list', '--stage', 'lost'], /lost.*attention.*delivered/],
    ['an unknown filter term', ['list', '--filter', 'courir:dhl'], /Unknown filter "courir:".*older:.*mean "courier:"/],
    ['an unknown filter value', ['list', '--filter', 'is:urnead'], /"is:" cannot be.*unread.*mean "is:unread"/],
    ['an incomplete filter term', ['list', '--filter', 'older:3'], /"older:" cannot be "3".*3d/],
    ['an unknown zone', ['list', '--zone', 'Mars/Olympus'], /Mars\/Olympus/],
    ['an unknown zone before the command', ['--zone', 'Mars/Olympus', 'list'], /Mars\/Olympus/],
    ['an unknown timeline zone', ['show', 'AB12345', '--zone', 'Mars/Olympus'], /Mars\/Olympus/],
    ['an unknown format', ['export', '--format', 'xml'], /xml.*json, csv, ics, md/],
    ['a bad base URL', ['list', '--base-url', 'nonsense'], /nonsense/],
    ['plain HTTP to a remote host', ['list', '--base-url', 'http://example.com'], /Plain HTTP/],
    ['an unknown profile', ['list', '--profile', 'nope'], /nope/],
    ['a missing configuration', ['list', '--config', '/no/such/config.json'], /no\/such/],
    ['a bad phone suffix', ['add', 'AB12345', '--phone-suffix', '12'], /four digits/],
    ['a bad postal code', ['add', 'AB12345', '--postal-code', '$$'], /postal code/],
    ['one label for several numbers', ['add', 'AB12345', 'CD12345', '--label', 'Lamp'], /label/],
    ['an edit that changes nothing', ['edit', 'AB12345'], /--label/],
    ['archiving and restoring together', ['edit', 'AB12345', '--archive', '--restore'], /--restore/],
    ['a missing base URL', ['refresh'], /PARCEL_MONITOR_BASE_URL/],
    ['the demo with a real service', ['--demo', '--base-url', 'https://host'], /--base-url/],
    ['the demo with a command', ['--demo', 'list'], /--demo opens the board\. Leave out "list"/],
    ['a webhook before a command that does not take it', ['--webhook', '8787', 'list'], /--webhook .*not of "list"/],
    ['a sandbox webhook before the command name', ['--webhook', 'http://127.0.0.1:1', 'sandbox'], /not of "sandbox"/],
    ['a port that does not exist', ['sandbox', '--port', '99999'], /port/i],
    ['a speed of zero', ['sandbox', '--speed', '0'], /speed.*above 0/i],
    ['a speed that is not a number', ['sandbox', '--speed', 'fast'], /speed.*above 0/i],
    ['a negative credit', ['sandbox', '--credit', '-1'], /credit/i],
    ['too many couriers', ['sandbox', '--couriers', '100001'], /couriers/i],
  ])('exits with 2 and prints one line, and examples if nothing is given: %s', async (_name, cliArguments, message) => {
    const { exitCode, stdout, stderr } = await runBare(...cliArguments);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^parcel-monitor: [^\n]+\n(?:\nExamples [^\n]+\n(?: {2}parcel-monitor [^\n]+\n)+)?$/);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });

  it('does not change the watchlist', async () => {
    await runBare('add', 'AB12345', '--phone-suffix', '12');
    expect(parcelsOf(await runBare('list', '--json'))).toEqual([]);
  });
});

describe('adding without a key', () => {
  it('saves the number as pending, says so, and exits with 0', async () => {
    const { exitCode, stdout, stderr } = await runBare('add', ' 1z999aa1 0123456784 ', '--label', 'Lamp');
    expect(exitCode).toBe(0);
    expect(stdout).toBe('1Z999AA10123456784  pending\n');
    expect(stderr).toMatch(/No base URL|No API key/);
    expect(parcelsOf(await runBare('list', '--json'))).toMatchObject([
      { trackNo: '1Z999AA10123456784', label: 'Lamp', state: 'pending', courierCode: null, error: null },
    ]);
  });

  it('watches each number once', async () => {
    await runBare('add', 'AB12345');
    const { exitCode, stdout } = await runBare('add', 'ab12345', 'AB12345@dhl');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toHaveLength(3);
    expect(parcelsOf(await runBare('list', '--json'))).toHaveLength(1);
  });
});

describe('adding with the service', () => {
  it('registers the number and finds its courier', async () => {
    const { exitCode, stdout, stderr } = await run('add', '1Z999AA10123456784');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^1Z999AA10123456784\S* {2}registered\n$/);
    expect(exitCode).toBe(0);
    const list = await run('list', '--json');
    expect(parcelsOf(list)).toMatchObject([{ state: 'watching', error: null }]);
    expect(v.parse(listContract, parse(list.stdout)).service.baseUrl).toBe(connected().PARCEL_MONITOR_BASE_URL);
  });

  it("prints the service's reason for a rejected number, and exits with 5", async () => {
    const { exitCode, stdout, stderr } = await run('add', 'ABCDEF1', '1Z999AA10123456784');
    expect(exitCode).toBe(5);
    expect(stdout).toMatch(/^1Z999AA10123456784\S* {2}registered\n$/);
    expect(stderr).toMatch(
      /^parcel-monitor: ABCDEF1 was rejected: .+edit ABCDEF1 --courier CODE.+\(traceId [0-9a-f]{32}\)\n.+ couriers NAME.+\n$/,
    );
    const [rejected] = parcelsOf(await run('list', '--json', '--stage', 'attention'));
    expect(rejected).toMatchObject({ trackNo: 'ABCDEF1', state: 'rejected', stale: true });
    expect(stderr).toContain(rejected?.error?.message);
  });

  it('suggests a courier for an unrecognised number in add, list, show and JSON', async () => {
    const message =
      'The courier was not recognised (the service says "trackNo not registered"). Choose one, e.g. parcel-monitor edit LP00612345678901 --courier cainiao, or press c on the board.';
    expect((await run('add', 'LP00612345678901')).stderr).toContain(
      `LP00612345678901 was rejected: ${message} (traceId`,
    );
    const textOf = async (...command: readonly string[]) => (await run(...command)).stdout.replace(/\s+/g, ' ');
    expect(await textOf('list')).toContain('The courier was not');
    expect(await textOf('show', 'LP00612345678901')).toContain(message);
    expect(parcelsOf(await run('list', '--json'))).toMatchObject([{ error: { code: 'A0400', message } }]);
    expect((await run('edit', 'LP00612345678901', '--courier', 'cainiao')).exitCode).toBe(0);
    expect(parcelsOf(await run('list', '--json'))).toMatchObject([{ state: 'watching', error: null }]);
  });

  it('saves the number, and exits with 3 if the key is rejected', async () => {
    const { exitCode, stdout, stderr } = await user.run(['add', 'AB12345'], {
      environment: { ...connected(), PARCEL_MONITOR_API_KEY: 'wrong-key-of-mine' },
    });
    expect(exitCode).toBe(3);
    expect(stdout).toBe('AB12345  pending\n');
    expect(stderr).toMatch(/^parcel-monitor: [^\n]+\n$/);
    expect(stderr).not.toContain('wrong-key-of-mine');
    expect(parcelsOf(await runBare('list', '--json'))).toHaveLength(1);
  });

  it('saves the number, and exits with 4 if the service cannot be reached', async () => {
    const server = await startScriptedServer(() => undefined);
    await server.close();
    const { exitCode, stdout, stderr } = await user.run(['add', 'AB12345'], {
      environment: { ...connected(), PARCEL_MONITOR_BASE_URL: server.baseUrl.href },
    });
    expect(exitCode).toBe(4);
    expect(stdout).toBe('AB12345  pending\n');
    expect(stderr).toMatch(/^parcel-monitor: [^\n]+\n$/);
    expect(parcelsOf(await runBare('list', '--json'))).toMatchObject([{ trackNo: 'AB12345', state: 'pending' }]);
  });
});

describe('printing', () => {
  beforeEach(async () => {
    await run('add', 'LX123456789CN@china-post', '--label', '深圳 lamp');
    await run('add', '1Z999AA10123456784');
  });

  it('prints JSON for list and show as the contract specifies', async () => {
    expect(parcelsOf(await run('list', '--json'))).toHaveLength(2);
    const { exitCode, stdout } = await run('show', 'LX123456789CN', '--json');
    const shown = v.parse(showContract, parse(stdout));
    expect(exitCode).toBe(0);
    expect(shown).toMatchObject({ trackNo: 'LX123456789CN', label: '深圳 lamp', record: { trackNo: 'LX123456789CN' } });
    expect(shown.checkpoints).toHaveLength(shown.checkpointCount);
  });

  it('writes no escape sequences without a terminal', async () => {
    const environment = { ...connected(), COLORTERM: 'truecolor' };
    for (const cliArguments of [
      ['list'],
      ['show', 'LX123456789CN'],
      ['couriers', 'dhl'],
      ['refresh'],
      ['--help'],
      ['nope'],
    ]) {
      const { stdout, stderr } = await user.run(cliArguments, { environment });
      expect(stdout + stderr).not.toContain(escapeCharacter);
    }
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, boolean]>([
    ['--color always', ['--color', 'always'], { NO_COLOR: '1' }, true],
    ['--color never', ['--color', 'never'], { FORCE_COLOR: '1' }, false],
    ['--no-color', ['--no-color'], { FORCE_COLOR: '1' }, false],
    ['FORCE_COLOR', [], { FORCE_COLOR: '1', CLICOLOR: '0' }, true],
    ['CLICOLOR_FORCE', [], { CLICOLOR_FORCE: '1' }, true],
    ['FORCE_COLOR=0', [], { FORCE_COLOR: '0', CLICOLOR_FORCE: '1' }, false],
    ['NO_COLOR before FORCE_COLOR', [], { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ])('lets %s decide whether text is coloured, and never colours JSON', async (_, options, environment, useColour) => {
    await runBare('add', 'AB12345');
    const list = (...args: readonly string[]) => user.run(['list', ...options, ...args], { environment });
    expect((await list()).stdout.includes(escapeCharacter)).toBe(useColour);
    expect((await list('--json')).stdout).not.toContain(escapeCharacter);
  });

  it('prints only results and errors with --quiet', async () => {
    const added = await user.run(['add', 'AB12345', '--quiet']);
    expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('AB12345'), stderr: '' });
    const missing = await user.run(['show', 'NOPE12345', '--quiet']);
    expect(missing).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('NOPE12345 is not on your list') });
  });

  it('prints each call and its trace ID with --verbose, but not the key', async () => {
    const environment = connected();
    const { stderr } = await user.run(['refresh', 'LX123456789CN', '--verbose'], { environment });
    expect(stderr).toMatch(
      /^parcel-monitor: POST \/tk\/v2\.1\/track\/query: HTTP 200, code \w+, \d+ ms, trace ID \S+$/m,
    );
    expect(stderr).not.toContain(environment.PARCEL_MONITOR_API_KEY);
    const unauthorised = await user.run(['refresh', 'LX123456789CN', '--verbose'], {
      environment: { ...environment, PARCEL_MONITOR_API_KEY: 'wrong' },
    });
    expect(unauthorised.stderr).toMatch(/: HTTP \d+.*, (?:unauthorized|key-refused|auth)/);
  });

  it('uses ASCII with --ascii or if the locale requires it', async () => {
    await runBare('add', 'AB12345');
    const table = await runBare('list', '--ascii', '--filter', 'AB12345');
    expect(table.stdout).toContain('. Waiting  AB12345');
    expect(table.stdout).toMatch(/^[\x20-\x7e\n]+$/);
    const plain = await user.run(['list', '--filter', 'AB12345'], { environment: { LC_ALL: 'C' } });
    expect(plain.stdout).toBe(table.stdout);
    expect((await runBare('list', '--filter', 'AB12345')).stdout).toContain('∙ Waiting  AB12345');
  });

  it('filters by words, stage and archive', async () => {
    const numbers = async (...options: readonly string[]) =>
      parcelsOf(await run('list', '--json', ...options)).map(({ trackNo }) => trackNo);
    expect(await numbers('--filter', 'LAMP china')).toEqual(['LX123456789CN']);
    expect(await numbers('--filter', 'no such thing')).toEqual([]);
    expect(await numbers('--filter', 'courier:china lamp')).toEqual(['LX123456789CN']);
    expect(await numbers('--filter', '!"lamp"')).toEqual(['1Z999AA10123456784']);
    await run('edit', 'LX123456789CN', '--archive');
    expect(await numbers()).toEqual(['1Z999AA10123456784']);
    expect(await numbers('--all')).toEqual(['1Z999AA10123456784', 'LX123456789CN']);
  });

  it('says on standard error that the list is empty, and exits with 0', async () => {
    const { exitCode, stdout, stderr } = await run('list', '--filter', 'no such thing');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toMatch(/No parcel matches/);
  });

  it('shows all times of a parcel in the chosen zone', async () => {
    const nextCheck = async (...cliArguments: readonly string[]): Promise<string | undefined> =>
      /next check (?:\w{3} )?(\d\d:\d\d)/.exec((await run(...cliArguments)).stdout)?.[1];
    const kolkata = await nextCheck('show', 'LX123456789CN', '--zone', 'Asia/Kolkata');
    expect(kolkata).toMatch(/^\d\d:\d\d$/);
    expect(await nextCheck('show', 'LX123456789CN', '--zone', 'utc')).not.toBe(kolkata);
    // The global option sets the viewer's zone, and the option of `show` chooses the times of the timeline.
    expect(await nextCheck('--zone', 'Asia/Kolkata', 'show', 'LX123456789CN', '--zone', 'event')).toBe(kolkata);
  });

  it('exits with 5 for an unwatched number', async () => {
    const { exitCode, stdout, stderr } = await run('show', 'ZZ99999');
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
    expect(stderr).toMatch(/^parcel-monitor: ZZ99999 is not on your list[^\n]*\n$/);
  });
});

describe('refresh', () => {
  it('checks the given numbers', async () => {
    await runBare('add', '1Z999AA10123456784', 'LX123456789CN@china-post');
    const { exitCode, stdout, stderr } = await run('refresh', 'LX123456789CN');
    expect(stderr).toBe('parcel-monitor: This takes 1 registration and 2 calls.\n');
    expect((await run('refresh', 'LX123456789CN')).stderr).toBe('');
    expect(stdout).toMatch(/^LX123456789CN {2}.+\(changed\)\n$/);
    expect(exitCode).toBe(0);
    const states = parcelsOf(await run('list', '--json')).map(({ trackNo, state }) => [trackNo, state]);
    expect(states).toContainEqual(['1Z999AA10123456784', 'pending']);
    expect(states).toContainEqual(['LX123456789CN', 'watching']);
  });

  it('names a number that the service has no information about, and exits with 5', async () => {
    await runBare('add', '1Z999AA10123456784');
    await run('refresh', '1Z999AA10123456784');
    const { PARCEL_MONITOR_API_KEY: key, PARCEL_MONITOR_BASE_URL: baseUrl } = connected();
    const control = `${baseUrl}/sandbox/faults`;
    const headers = { 'Service-Api-Secret': key, 'content-type': 'application/json' };
    await fetch(control, { method: 'PUT', headers, body: JSON.stringify(['missing-record:query']) });
    try {
      const { exitCode, stderr } = await run('refresh', '1Z999AA10123456784');
      expect(stderr).toMatch(/1Z999AA10123456784: the service has no information\. Next check: /);
      expect(exitCode).toBe(5);
    } finally {
      await fetch(control, { method: 'DELETE', headers });
    }
  });

  it('checks all numbers that have no info yet if no number is given', async () => {
    await runBare('add', '1Z999AA10123456784', 'LX123456789CN@china-post');
    const { exitCode, stdout } = await run('refresh');
    expect(exitCode).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(2);
  });

  it('exits with 5 for an unwatched number, and checks the others', async () => {
    await runBare('add', '1Z999AA10123456784');
    const { exitCode, stdout, stderr } = await run('refresh', 'ZZ99999', '1Z999AA10123456784');
    expect(exitCode).toBe(5);
    expect(stdout).toContain('1Z999AA10123456784');
    expect(stderr).toMatch(/ZZ99999 is not on your list/);
  });

  it('exits with 3 if the key is missing or rejected', async () => {
    await runBare('add', 'AB12345');
    const withoutKey = await user.run(['refresh'], {
      environment: { PARCEL_MONITOR_BASE_URL: connected().PARCEL_MONITOR_BASE_URL },
    });
    expect(withoutKey.exitCode).toBe(3);
    expect(withoutKey.stderr).toMatch(/PARCEL_MONITOR_API_KEY/);
    const refused = await user.run(['refresh'], { environment: { ...connected(), PARCEL_MONITOR_API_KEY: 'nope' } });
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toMatch(/^parcel-monitor: This takes [^\n]+\nparcel-monitor: The API key [^\n]+\n$/);
  });

  it('ends when interrupted, without reporting a service failure', async () => {
    await runBare('add', 'AB12345');
    const server = await startScriptedServer(() => undefined);
    const interrupt = new AbortController();
    const running = user.run(['refresh'], { environment: connectedTo(server.baseUrl), signal: interrupt.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    interrupt.abort();
    expect((await running).stderr).not.toContain('cannot be reached');
    await server.close();
    // A cool-down would also stop the queries of other processes.
    const pollingState = join(user.home, '.local', 'state', 'parcel-monitor', 'polling.json');
    expect(await readFile(pollingState, 'utf8').catch(() => '')).not.toMatch(/"until"/);
  });
});

describe('edit', () => {
  it('changes the label and the courier, and clears empty fields', async () => {
    await runBare('add', 'AB12345', '--label', 'Old');
    expect((await runBare('edit', 'AB12345', '--label', 'New', '--courier', 'DHL')).exitCode).toBe(0);
    expect(parcelsOf(await runBare('list', '--json'))).toMatchObject([{ label: 'New', courierCode: 'dhl' }]);
    await runBare('edit', 'AB12345', '--label', '');
    expect(parcelsOf(await runBare('list', '--json'))).toMatchObject([{ label: null, courierCode: 'dhl' }]);
  });

  it('archives and restores', async () => {
    await runBare('add', 'AB12345');
    expect((await runBare('edit', 'AB12345', '--archive')).stdout).toBe('AB12345  archived\n');
    expect(parcelsOf(await runBare('list', '--json', '--all'))).toMatchObject([
      { state: 'archived', nextPollAt: null },
    ]);
    expect((await runBare('edit', 'AB12345', '--restore')).stdout).toBe('AB12345  restored\n');
    expect(parcelsOf(await runBare('list', '--json'))).toMatchObject([{ state: 'pending' }]);
  });

  it('exits with 5 for an unwatched number', async () => {
    expect((await runBare('edit', 'ZZ99999', '--label', 'x')).exitCode).toBe(5);
  });
});

describe('remove', () => {
  it('stops watching a parcel and deletes its history', async () => {
    await run('add', 'LX123456789CN@china-post', '1Z999AA10123456784');
    const history = join(user.home, '.local', 'share', 'parcel-monitor', 'history');
    const files = await readdir(history);
    const { exitCode, stdout } = await run('remove', 'LX123456789CN');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'LX123456789CN  removed\n' });
    expect(parcelsOf(await run('list', '--json', '--all')).map(({ trackNo }) => trackNo)).toEqual([
      '1Z999AA10123456784',
    ]);
    expect((await readdir(history)).length).toBeLessThan(files.length);
  });

  it('removes the watched numbers, and exits with 5 for the others', async () => {
    await runBare('add', 'AB12345');
    const { exitCode, stdout, stderr } = await runBare('remove', 'ZZ99999', 'AB12345');
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: 'AB12345  removed\n' });
    expect(stderr).toMatch(/ZZ99999 is not on your list/);
  });

  it('removes nothing with --remote if there is no service', async () => {
    await runBare('add', 'AB12345');
    const { exitCode, stderr } = await runBare('remove', '--remote', 'AB12345');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/PARCEL_MONITOR_BASE_URL/);
    expect(parcelsOf(await runBare('list', '--json'))).toHaveLength(1);
  });
});

describe('couriers', () => {
  it('prints couriers as CSV, but not together with JSON', async () => {
    const { exitCode, stdout } = await run('couriers', 'yanwen', '--csv');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^code,nameEN,nameCN,homePage\r\nyanwen,Yanwen,[^,]+,https?:\S+\r\n/);
    expect((await run('couriers', '--csv', '--json')).exitCode).toBe(2);
  });

  it('finds couriers by name and saves the list', async () => {
    const { exitCode, stdout } = await run('couriers', 'china', 'post');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')[1]).toMatch(/^china-post\s/);
    // The saved list needs no service.
    expect((await runBare('couriers', 'china', 'post')).stdout).toBe(stdout);
  });

  it('prints JSON', async () => {
    const { stdout } = await run('couriers', '--json');
    const shape = v.strictObject({
      version: v.literal(1),
      fetchedAt: v.pipe(v.string(), v.isoTimestamp()),
      couriers: v.array(
        v.strictObject({
          code: v.string(),
          nameEN: v.nullable(v.string()),
          nameCN: v.nullable(v.string()),
          homePage: v.nullable(v.string()),
        }),
      ),
    });
    expect(v.parse(shape, parse(stdout)).couriers.length).toBeGreaterThan(20);
  });

  it('exits with 3 if there is neither a key nor a saved list', async () => {
    expect((await runBare('couriers')).exitCode).toBe(3);
  });

  it("prints the saved list if no new one can be fetched, and exits with the failure's code", async () => {
    const { stdout } = await run('couriers', 'china');
    const unreachable = await run('couriers', 'china', '--refresh', '--base-url', 'http://127.0.0.1:1');
    expect(unreachable).toMatchObject({ exitCode: 4, stdout });
    expect(unreachable.stderr).toMatch(/cannot be reached/);
  });

  it('ends immediately when interrupted', async () => {
    const server = await startScriptedServer(() => undefined);
    const interrupt = new AbortController();
    const running = user.run(['couriers'], { environment: connectedTo(server.baseUrl), signal: interrupt.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    interrupt.abort();
    // The interrupt ended it, not the timeout.
    expect((await running).stderr).toBe('parcel-monitor: The request was cancelled.\n');
    await server.close();
  });
});

it('paths prints the name and path of each file, even with an unusable configuration', async () => {
  const { exitCode, stdout } = await user.run(['paths'], {
    environment: { PARCEL_MONITOR_ZONE: 'nonsense', XDG_STATE_HOME: '/elsewhere', XDG_CACHE_HOME: 'relative' },
  });
  expect(exitCode).toBe(0);
  const paths = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t')),
  );
  expect(paths).toEqual({
    config: join(user.home, '.config/parcel-monitor/config.json'),
    data: join(user.home, '.local/share/parcel-monitor'),
    watchlist: join(user.home, '.local/share/parcel-monitor/watchlist.json'),
    history: join(user.home, '.local/share/parcel-monitor/history'),
    changes: join(user.home, '.local/share/parcel-monitor/changes.jsonl'),
    state: '/elsewhere/parcel-monitor',
    couriers: join(user.home, '.cache/parcel-monitor/couriers.json'),
  });
});
