import { chmod, mkdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doctorText } from '../../src/commands/doctor.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type CliResult, userForEachTest } from '../support/cli-user.ts';
import { realClock } from '../support/real-clock.ts';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

/** The contract for `doctor --json`. */
const contract = v.strictObject({
  version: v.literal(1),
  checks: v.array(
    v.strictObject({
      name: v.pipe(v.string(), v.nonEmpty()),
      status: v.picklist(['ok', 'warn', 'fail']),
      found: v.pipe(v.string(), v.nonEmpty()),
      advice: v.nullable(v.pipe(v.string(), v.nonEmpty())),
    }),
  ),
});

let sandbox: Sandbox;
const user = userForEachTest();
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

const connected = () => ({ PARCEL_MONITOR_BASE_URL: sandbox.baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey });

const doctor = (environment: Readonly<Record<string, string>>, ...cliArguments: readonly string[]) =>
  user.run(['doctor', '--json', ...cliArguments], { environment });

function checksOf({ stdout }: CliResult) {
  const { checks } = v.parse(contract, JSON.parse(stdout));
  // Every failure comes with a command that fixes it or shows more.
  for (const { status, advice } of checks) if (status === 'fail') expect(advice).toMatch(/Run: \S+/);
  return checks;
}

function statusOf(result: CliResult, name: string): string | undefined {
  return checksOf(result).find((check) => check.name === name)?.status;
}

describe('doctor', () => {
  it('reports what blocks the cache folder, and continues', async () => {
    await mkdir(join(user.home, '.cache'));
    await writeFile(join(user.home, '.cache', 'parcel-monitor'), '');
    const result = await doctor({});
    expect(result.stderr).toBe('');
    expect(checksOf(result)).toContainEqual(
      expect.objectContaining({
        name: 'couriers',
        status: 'warn',
        advice: expect.stringMatching(/there is a folder|is a file|not a folder/),
      }),
    );
  });

  it('writes a report without the key, numbers, labels or home folder', async () => {
    const environment = connected();
    await user.run(['add', 'LX123456789CN', '--label', 'Secret lamp', '--postal-code', '98765'], { environment });
    const path = join(user.home, 'report.txt');
    const { exitCode, stdout } = await user.run(['doctor', '--report', path], { environment });
    expect(exitCode).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(stdout);
    for (const part of [
      /^parcel-monitor .*, Node \d/m,
      /^ok watchlist: 1 parcel/m,
      /^GET \S+: HTTP 200, .*trace ID \S+$/m,
    ])
      expect(stdout).toMatch(part);
    for (const secret of [environment.PARCEL_MONITOR_API_KEY, 'LX123456789CN', 'Secret lamp', '98765', user.home])
      expect(stdout).not.toContain(secret);
  });

  it('shows the report, and asks before writing it', async () => {
    const path = join(user.home, 'report.txt');
    const refused = await user.run(['doctor', '--offline', '--report', path], { answer: 'n' });
    expect(refused.stdout).toContain('# parcel-monitor report of ');
    expect(refused.stderr).toContain(`Save this report to ${path}?`);
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    const printed = await user.run(['doctor', '--offline', '--report', '-']);
    expect(printed).toMatchObject({ stdout: expect.stringContaining('## Sizes'), stderr: '' });
  });

  it('finds no problems in a working setup, and fetches the courier list', async () => {
    const result = await doctor(connected());
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(checksOf(result).filter(({ status }) => status === 'fail')).toEqual([]);
    for (const name of ['service', 'API key', 'clock', 'couriers', 'watchlist', 'modes']) {
      expect(statusOf(result, name)).toBe('ok');
    }
    expect(result.stdout).not.toContain(sandbox.apiKey);
    const couriers = await readFile(join(user.home, '.cache', 'parcel-monitor', 'couriers.json'), 'utf8');
    expect(couriers).toContain('china-post');
  });

  it('says how many parcels are checked less often than planned', async () => {
    await user.run(['add', 'LX123456789CN', 'RB100000005CN']);
    const path = join(user.home, '.local/share/parcel-monitor/watchlist.json');
    expect((await doctor(connected(), '--offline')).stdout).toContain('2 parcels, 0 of them archived (');
    const { parcels, ...rest } = JSON.parse(await readFile(path, 'utf8'));
    const changed = [{ ...parcels[0], plannedFor: '2026-11-19T09:00:01.000Z' }, parcels[1]];
    await writeFile(path, JSON.stringify({ ...rest, parcels: changed }));
    expect((await doctor(connected(), '--offline')).stdout).toContain(
      '0 of them archived, 1 checked less often than the service suggests (polling.leastMinutes) (',
    );
  });

  it('prints problems after the main facts, and a summary last', async () => {
    const { stdout } = await user.run(['doctor', '--offline']);
    expect(stdout).toMatch(/^ok {4}program .*\n(?:ok .*\n)*(?:warn .*\n +.*\n)*fail/);
    expect(stdout).not.toMatch(/setting|Node /);
    expect(stdout).toMatch(/\n2 of \d+ checks failed, 1 warning\.\n$/);
    const verbose = await user.run(['doctor', '--verbose'], { environment: connected() });
    expect(verbose.stdout).toMatch(/\nok {4}setting .*\n(?:.*\n)*All good \(\d+ checks\)\.\n$/);
    const brief = await user.run(['doctor'], { environment: connected() });
    expect(brief.stdout.split('\n').length).toBeLessThan(12);
    expect(brief.stdout.split('\n').at(-2)).toBe(verbose.stdout.split('\n').at(-2));
  });

  it('does not break words in a narrow terminal', () => {
    const path = '/home/somebody/with/a/long/name/.local/share/parcel-monitor/watch.json';
    const advice = `A different user wrote ${path} a while ago, and it cannot be used. Run: chmod 600 ${path}`;
    const text = doctorText([{ name: 'watchlist', status: 'fail', found: path, advice }], {
      isVerbose: false,
      width: 80,
    });
    const rows = text.split('\n');
    for (const word of `${path} ${advice}`.split(' '))
      expect(rows.some((row) => row.split(' ').includes(word))).toBe(true);
    expect(rows).toContain(`      Run: chmod 600 ${path}`);
    for (const row of rows) if (!row.includes('Run: ')) expect(row.length).toBeLessThanOrEqual(80);
  });

  it('reports the length of the change log, or that it cannot be read', async () => {
    expect((await doctor(connected(), '--offline')).stdout).toMatch(/none at \S+changes\.jsonl yet/);
    await user.run(['add', 'LX123456789CN']);
    expect((await doctor(connected(), '--offline')).stdout).toMatch(/1 line, kept for 90 days \(\S+changes\.jsonl\)/);
    await user.run(['remove', 'LX123456789CN']);
    const log = join(user.home, '.local/share/parcel-monitor/changes.jsonl');
    await rm(log);
    await mkdir(log);
    expect(statusOf(await doctor(connected(), '--offline'), 'change log')).toBe('fail');
  });

  it('exits with 3 if the key is rejected', async () => {
    const result = await doctor({ ...connected(), PARCEL_MONITOR_API_KEY: 'very-secret' });
    expect(result.exitCode).toBe(3);
    expect([statusOf(result, 'service'), statusOf(result, 'API key')]).toEqual(['ok', 'fail']);
    expect(result.stdout + result.stderr).not.toContain('very-secret');
    const key = checksOf(result).find(({ name }) => name === 'API key');
    expect(key?.advice).toMatch(/Run: unset PARCEL_MONITOR_API_KEY$/);
  });

  it('exits with 4 if the service cannot be reached', async () => {
    const result = await doctor({ ...connected(), PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9' });
    expect(result.exitCode).toBe(4);
    expect([statusOf(result, 'service'), statusOf(result, 'API key')]).toEqual(['fail', 'warn']);
    const service = checksOf(result).find(({ name }) => name === 'service');
    expect(service?.advice).toMatch(/Run: parcel-monitor doctor$/);
  });

  it('reports every invalid setting, but not the mode of a file that it moved aside', async () => {
    await user.configure('{"zone": "Mars/Olympus", "profile": "track12", "baseUrl": "ftp://host"}');
    const data = join(user.home, '.local/share/parcel-monitor');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'watchlist.json'), '{"version": 1, "parcels"', { mode: 0o644 });
    const checks = checksOf(await doctor({}, '--offline'));
    const advice = checks.flatMap((check) => (check.name === 'configuration' ? [check.advice] : [])).join('\n');
    for (const command of ['unset zone', 'set profile track123', 'unset baseUrl']) expect(advice).toContain(command);
    expect(checks.some((check) => /chmod \S+ \S*watchlist\.json$/.test(check.advice ?? ''))).toBe(false);
  });

  it('sends nothing with --offline', async () => {
    const result = await doctor({ ...connected(), PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9' }, '--offline');
    expect(result.exitCode).toBe(0);
    expect(statusOf(result, 'couriers')).toBe('warn');
  });

  it('reports a wrong clock', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const server = await startScriptedServer(
      json({ code: '00000', msg: 'Success', traceId: 'd'.repeat(32), data: [{ courierCode: 'dhl' }] }, 200, { date }),
    );
    const result = await doctor({ ...connected(), PARCEL_MONITOR_BASE_URL: server.baseUrl.href });
    await server.close();
    expect(result.exitCode).toBe(0);
    expect(statusOf(result, 'clock')).toBe('warn');
    expect(result.stdout).toMatch(/60 minutes behind/);
  });

  it('checks everything else if the configuration is unusable', async () => {
    const result = await doctor({ ...connected(), PARCEL_MONITOR_ZONE: 'Mars/Olympus' });
    expect(result.exitCode).toBe(1);
    expect(statusOf(result, 'configuration')).toBe('fail');
    expect(statusOf(result, 'watchlist')).toBe('ok');
  });

  it.each([
    ['{"zone": "Mars/Olympus"}', {}, 'Run: parcel-monitor config unset zone'],
    ['{"service": {"clock": "noon"}}', {}, 'Run: parcel-monitor config unset service.clock'],
    ['{"baseUrl": "ftp://host"}', {}, 'Run: parcel-monitor config unset baseUrl'],
    ['{"profile": "track12"}', {}, 'Run: parcel-monitor config set profile track123'],
    ['{"profile": 5}', {}, 'Run: parcel-monitor config unset profile'],
    ['{"zone" 5}', {}, 'Run: parcel-monitor config edit'],
    ['{}', { PARCEL_MONITOR_ZONE: 'Mars/Olympus' }, 'Run: unset PARCEL_MONITOR_ZONE'],
    ['{"zone": "UTC"}', { PARCEL_MONITOR_PROFILE: 'none' }, 'Run: unset PARCEL_MONITOR_PROFILE'],
  ])('ends its advice about %s with the command that fixes it', async (content, environment, command) => {
    await user.configure(content);
    const result = await doctor(environment, '--offline');
    const failed = checksOf(result).find(({ name, status }) => name === 'configuration' && status === 'fail');
    expect(failed?.advice).toContain(command);
    if (!command.startsWith('Run: parcel-monitor config unset')) return;
    // Following the advice fixes the problem.
    expect((await user.run(command.split(' ').slice(2))).exitCode).toBe(0);
    expect(statusOf(await doctor(environment, '--offline'), 'configuration')).toBe('ok');
  });

  it("says what is wrong with the user's key bindings and phrases", async () => {
    await user.configure('{"keys": {"archive": "r", "filtr": "F2", "undo": 5}, "phrases": {"Zugestellt": 5}}');
    const warnings = checksOf(await doctor({}, '--offline')).filter(({ status }) => status === 'warn');
    const found = warnings.map((warning) => warning.found).join('\n');
    expect(found).toContain('"keys.archive" cannot use r, which is the key of "refresh" in "Everywhere".');
    expect(found).toContain('"keys.filtr" is not an action and is ignored.');
    expect(found).toContain('"keys.undo" must be a key or a list of keys. It is ignored.');
    expect(found).toContain('"phrases.Zugestellt" must be a string. It is ignored.');
    expect(warnings.map(({ advice }) => advice)).toContain('Did you mean "filter"?');
  });

  it('prints the zone of the service clock with its current offset', async () => {
    const clockOf = async (clock: string) =>
      checksOf(await doctor({ ...connected(), PARCEL_MONITOR_CLOCK: clock }, '--offline')).find(
        ({ name }) => name === 'service clock',
      )?.found;
    expect(await clockOf('Asia/Shanghai')).toBe('Asia/Shanghai, +08:00 now, as configured');
    expect(await clockOf('+05:30')).toBe('+05:30, as configured');
  });

  it('reports an ignored environment variable and continues', async () => {
    const result = await doctor({ ...connected(), PARCEL_MONITOR_LEAST_MINUTES: 'soon' }, '--offline');
    expect(checksOf(result).find(({ name }) => name === 'configuration' && result.exitCode === 0)).toBeDefined();
    expect(result.stdout).toContain('Run: unset PARCEL_MONITOR_LEAST_MINUTES');
    expect(result.stdout).toContain('polling.leastMinutes: 5 (default)');
  });

  it('reports usage, a used-up budget and a pause', async () => {
    const environment = { PARCEL_MONITOR_API_KEY: 'unused' };
    const usage = async (): Promise<unknown> =>
      checksOf(await doctor(environment, '--offline')).find(({ name }) => name === 'usage');
    expect(await usage()).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^0 queries today, 0 this month; /),
    });
    const state = join(user.home, '.local', 'state', 'parcel-monitor');
    await mkdir(state, { recursive: true });
    const today = new Date(realClock.now()).toISOString().slice(0, 10);
    const counts = { calls: 41, queries: 38, numbers: 900, registrations: 3 };
    await writeFile(join(state, 'meter.json'), JSON.stringify({ version: 1, days: { [today]: counts } }));
    await user.configure({ budget: { queriesPerDay: 38, registrationsPerMonth: 50 } });
    expect(await usage()).toMatchObject({
      status: 'warn',
      found:
        '38 of 38 queries today, 38 this month; 3 of 50 registrations this month; 41 calls of all kinds today (UTC)',
    });
    await writeFile(join(state, 'polling.json'), '{"version": 1, "paused": true}');
    expect(statusOf(await doctor(environment, '--offline'), 'pause')).toBe('warn');
  });

  it('reports unknown settings', async () => {
    const config = join(user.home, 'mine.json');
    await writeFile(config, JSON.stringify({ colour: 'red' }));
    const result = await doctor(connected(), '--config', config);
    expect(result.exitCode).toBe(0);
    expect(checksOf(result)).toContainEqual(
      expect.objectContaining({
        name: 'configuration',
        status: 'warn',
        found: expect.stringMatching(/"colour"/),
        advice: `Correct or remove it. Run: parcel-monitor config unset colour --config ${config}`,
      }),
    );
  });

  it('counts parcels, and finds damaged files and files that other users can read', async () => {
    await user.run(['add', 'AB12345', 'CD12345']);
    const data = join(user.home, '.local', 'share', 'parcel-monitor');
    await writeFile(join(data, 'watchlist.json.damaged-20261120T100000Z'), '{');
    await chmod(join(data, 'watchlist.json'), 0o644);
    const result = await doctor(connected());
    expect(result.exitCode).toBe(0);
    expect(checksOf(result).find(({ name }) => name === 'watchlist')?.found).toMatch(/^2 parcels/);
    expect(statusOf(result, 'damaged files')).toBe('warn');
    expect(checksOf(result).find(({ name }) => name === 'modes')?.advice).toMatch(/chmod go-rwx .*watchlist\.json/);
  });

  it('does not treat an unreadable watchlist as empty', async () => {
    const data = join(user.home, '.local', 'share', 'parcel-monitor');
    await mkdir(data, { recursive: true, mode: 0o700 });
    await symlink('watchlist.json', join(data, 'watchlist.json'));
    const result = await doctor(connected());
    expect(result.exitCode).toBe(1);
    expect(checksOf(result).find(({ name }) => name === 'watchlist')).toMatchObject({
      status: 'fail',
      found: `${join(data, 'watchlist.json')} cannot be read`,
    });
  });

  it('fails if the files come from a newer version', async () => {
    const data = join(user.home, '.local', 'share', 'parcel-monitor');
    await mkdir(data, { recursive: true, mode: 0o700 });
    await writeFile(join(data, 'watchlist.json'), '{"version":99,"parcels":[]}', { mode: 0o600 });
    const result = await doctor(connected());
    expect(result.exitCode).toBe(1);
    expect(statusOf(result, 'watchlist')).toBe('fail');
  });
});

describe('a file of more than half a gigabyte', () => {
  const bytes = 600_000_000;
  const files = {
    watchlist: '.local/share/parcel-monitor/watchlist.json',
    memory: '.local/state/parcel-monitor/polling.json',
    usage: '.local/state/parcel-monitor/meter.json',
    couriers: '.cache/parcel-monitor/couriers.json',
  };
  const createLargeFile = async (path: string): Promise<void> => {
    const file = join(user.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '');
    // The file is sparse, so it takes no disk space.
    await truncate(file, bytes);
  };

  it('is refused as a watchlist but kept, and doctor gives advice', async () => {
    await createLargeFile(files.watchlist);
    const { exitCode, stderr } = await user.run(['list']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /watchlist\.json is too large to read: it is 600 MB, and the limit is 536 MB\. Move it somewhere else/,
    );
    expect((await stat(join(user.home, files.watchlist))).size).toBe(bytes);
    expect(checksOf(await doctor({}))).toContainEqual(
      expect.objectContaining({ name: 'watchlist', status: 'fail', advice: expect.stringMatching(/Run: mv .*\.old$/) }),
    );
  });

  it('is reported by doctor for every file that the program reads', async () => {
    for (const path of Object.values(files)) await createLargeFile(path);
    const result = await doctor({});
    expect(result.stderr).toBe('');
    const tooLarge = checksOf(result).filter(({ advice }) => advice?.includes('too large') === true);
    expect(tooLarge.map(({ name }) => name)).toEqual(expect.arrayContaining(['watchlist', 'memory', 'usage']));
  });
});
