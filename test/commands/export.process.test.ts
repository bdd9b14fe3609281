import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import ICAL from 'ical.js';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { startBuiltCli } from '../support/built-cli.ts';
import { type CliResult, userForEachTest } from '../support/cli-user.ts';
import { hoursAfter, startTestSandbox } from '../support/test-sandbox.ts';
import { exportContract } from './contract.ts';

const formats = ['json', 'csv', 'ics', 'md'] as const;

let sandbox: Sandbox;
const user = userForEachTest();
beforeAll(async () => {
  // Registered days ago, so that it has events.
  const registered = [
    {
      trackNo: '1Z999AA10123456784',
      courierCode: 'ups',
      registeredAgoMs: 3 * 24 * 3_600_000,
      startAt: hoursAfter('IN_TRANSIT_02', 4),
    },
  ];
  sandbox = await startTestSandbox({ speed: 1, registered });
});
afterAll(() => sandbox.close());

/** Runs a command for a user without any configuration. */
const run = (...cliArguments: readonly string[]): Promise<CliResult> => user.run(cliArguments);
const parcelsOf = ({ stdout }: CliResult) => v.parse(exportContract, JSON.parse(stdout)).parcels;
const numbersOf = (result: CliResult) => parcelsOf(result).map(({ trackNo }) => trackNo);

/** Counts the parcels in an export as another program would. */
const parcelCounters: Readonly<Record<(typeof formats)[number], (text: string) => number>> = {
  json: (text) => v.parse(exportContract, JSON.parse(text)).parcels.length,
  csv: (text) => parse(text, { columns: true }).length,
  ics: (text) => new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').length,
  md: (text) => text.split('\n').filter((line) => /^\|.*`[A-Z0-9]+`/.test(line)).length,
};

it('registers imported parcels except archived ones', async () => {
  const environment = { PARCEL_MONITOR_BASE_URL: sandbox.baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey };
  const input = 'number,courier,state\n1Z999AA10123456784,ups,watching\nRB848719115CN,china-post,archived\n';
  const { exitCode, stdout } = await user.run(['import', '-'], { environment, input });
  expect(stdout).toBe('1Z999AA10123456784@ups  registered\nRB848719115CN@china-post  archived\n');
  expect(exitCode).toBe(0);
  expect(parcelsOf(await run('export', '--all'))).toMatchObject([
    { trackNo: '1Z999AA10123456784', state: 'watching' },
    { trackNo: 'RB848719115CN', state: 'archived', nextPollAt: null, status: null },
  ]);
  const calendar = await run('export', '--format', 'ics');
  expect(calendar.stdout).toMatch(/^SUMMARY:1Z999AA10123456784: .+\r$/m);
  const markdown = await user.run(['export', '--format', 'md', '--zone', 'Asia/Tokyo']);
  expect(markdown.stdout).toMatch(/^\| {2}\| `1Z999AA10123456784` \| UPS .*\+09:00 \|$/m);
  expect(markdown.stdout).toMatch(/\(Asia\/Tokyo\)\.\n$/);
});

describe.each(formats)('an export as %s', (format) => {
  it('leaves out archived parcels by default', async () => {
    await run('add', 'AB12345', 'CD12345');
    await run('edit', 'CD12345', '--archive');
    // The parcels have no dates, so a calendar does not contain them.
    const shown = format === 'ics' ? [0, 0] : [1, 2];
    const [active, all] = [await run('export', '--format', format), await run('export', '--format', format, '--all')];
    expect([active, all].map(({ stdout }) => parcelCounters[format](stdout))).toEqual(shown);
    expect(active.stdout).not.toContain('CD12345');
  });

  it('is a complete document even without parcels, and standard error says that there are none', async () => {
    const { exitCode, stderr, stdout } = await run('export', '--format', format);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('There are no active parcels'),
    });
    expect(stdout).toMatch(/\n$/);
    expect(parcelCounters[format](stdout)).toBe(0);
  });

  it('never contains an escape sequence from the environment or the file', async () => {
    const fields = ['label', 'order-no', 'remark', 'custom1', 'custom2'].flatMap((name) => [`--${name}`, 'Lamp']);
    await run('add', 'AB12345', ...fields);
    const file = join(user.home, '.local', 'share', 'parcel-monitor', 'watchlist.json');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('"Lamp"', '"\\u001b[31mLa\\u009b1mmp\\r\\n"'));
    const { stdout } = await user.run(['export', '--format', format], {
      environment: { FORCE_COLOR: '3', CLICOLOR_FORCE: '1', COLORTERM: 'truecolor' },
    });
    expect(stdout).not.toMatch(/[^\P{Cc}\r\n]/u);
    if (format !== 'ics') expect(stdout).toContain('Lamp');
  });
});

it('exports JSON by default', async () => {
  await run('add', 'AB12345');
  expect(numbersOf(await run('export'))).toEqual(['AB12345']);
});

it('explains the export formats in its help, with examples', async () => {
  const { exitCode, stdout } = await run('export', '--help');
  expect(exitCode).toBe(0);
  for (const part of ['(choices: "json", "csv", "ics", "md", default: "json")', 'RFC 4180', 'parcels.ics', '--zone']) {
    expect(stdout).toContain(part);
  }
});

describe('an export of a thousand parcels', () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => `AB${10_000 + index}`);
  beforeEach(async () => {
    await user.run(['add', '-'], { input: numbers.join('\n') });
  });

  it('ends silently when the reader closes the pipe', async () => {
    const child = await startBuiltCli(user, ['export', '--format', 'csv']);
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString('utf8');
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await ended).toBe(0);
    expect(errors).toBe('');
  });
});

describe('export --output', () => {
  it('writes the same text to a file, and prints nothing', async () => {
    await run('add', 'AB12345');
    const file = join(user.home, 'parcels.csv');
    const written = await run('export', '--format', 'csv', '--output', file);
    expect(written).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const { stdout } = await run('export', '--format', 'csv', '--output', '-');
    expect(await readFile(file, 'utf8')).toBe(stdout);
  });

  it.each([
    ['the watchlist', '.local/share/parcel-monitor/watchlist.json'],
    ['a file in the history folder', '.local/share/parcel-monitor/history/parcels.json'],
    ['a file in the state folder', '.local/state/parcel-monitor/polling.json'],
    ['the configuration', '.config/parcel-monitor/config.json'],
    ['the courier list', '.cache/parcel-monitor/couriers.json'],
  ])('does not overwrite %s, even through a link', async (_, path) => {
    await run('add', 'AB12345', '--label', 'Lamp');
    const ownFile = join(user.home, path);
    const link = join(user.home, 'link.json');
    await mkdir(dirname(ownFile), { recursive: true });
    await symlink(ownFile, link);
    const before = await readFile(ownFile, 'utf8').catch(() => null);
    for (const file of [ownFile, link]) {
      const { exitCode, stderr } = await run('export', '--output', file);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: `parcel-monitor: parcel-monitor keeps its own files at ${file}. Choose a file somewhere else.\n`,
      });
    }
    expect(await readFile(ownFile, 'utf8').catch(() => null)).toBe(before);
  });
});
