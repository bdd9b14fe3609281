import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/parcels/change.ts';
import { userForEachTest } from '../support/cli-user.ts';
import { changeContract } from './contract.ts';

const user = userForEachTest();

const changes = (...args: readonly string[]) => user.run(['changes', ...args]);
const dataFolder = (): string => join(user.home, '.local/share/parcel-monitor');
const seqsOf = (text: string): readonly number[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => v.parse(changeContract, JSON.parse(line)).seq);

/** A log line for a change that was noticed an hour after it happened. */
const lineOf = (seq: number, at: string, fields: Partial<Change> = {}): Change => ({
  version: 1,
  seq,
  at,
  noticedAt: new Date(Date.parse(at) + 60 * 60_000).toISOString(),
  change: 'event',
  parcelId: 'p1',
  trackNo: 'RB1CN',
  courierCode: 'china-post',
  label: 'Lamp',
  from: { lastEvent: null },
  to: { lastEvent: null },
  message: `Event ${seq}`,
  ...fields,
});

async function writeLog(...lines: readonly Change[]): Promise<void> {
  await mkdir(dataFolder(), { recursive: true });
  await writeFile(join(dataFolder(), 'changes.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const writeThreeDays = () =>
  writeLog(
    lineOf(4, '2026-01-05T08:00:00Z'),
    lineOf(5, '2026-01-06T08:00:00Z', { label: null }),
    lineOf(6, '2026-01-07T22:30:00Z'),
  );

describe('changes', () => {
  it("prints the log, oldest first, in the viewer's zone", async () => {
    await writeThreeDays();
    expect(await changes()).toEqual({
      exitCode: 0,
      stdout: '5 Jan 09:00  Lamp (RB1CN): Event 4\n6 Jan 09:00  RB1CN: Event 5\n7 Jan 23:30  Lamp (RB1CN): Event 6\n',
      stderr: '',
    });
    expect((await changes('--zone', 'Asia/Tokyo', '--limit', '1')).stdout).toBe('8 Jan 07:30  Lamp (RB1CN): Event 6\n');
  });

  it('prints one object per line with --json, in the published format, without internal ids', async () => {
    await user.run(['add', 'LX123456789CN', '--label', 'Lamp']);
    await user.run(['remove', 'LX123456789CN']);
    const { stdout, stderr } = await changes('--json');
    expect(seqsOf(stdout)).toEqual([1, 2]);
    expect(stdout).not.toContain('parcelId');
    expect(stdout).toMatch(/^\{"version":1,"seq":1,"at":"[^"]+","noticedAt":"[^"]+","change":"added","trackNo":/);
    expect(stderr).toBe('');
  });

  it.each([
    ['4', [5, 6]],
    ['6', []],
    ['2026-01-06', [5, 6]],
    ['2026-01-06T09:00:00Z', [5, 6]],
    ['2026-01-06T09:00:01Z', [6]],
    ['2026-01-08', [6]],
    ['jan 7 2026', [6]],
    ['2026-01-09', []],
  ])('prints the changes after a line or time with --since %s', async (since, expected) => {
    await writeThreeDays();
    expect(seqsOf((await changes('--json', '--since', since)).stdout)).toEqual(expected);
  });

  it('prints only the newest changes with --limit', async () => {
    await writeThreeDays();
    expect(seqsOf((await changes('--json', '--limit', '2')).stdout)).toEqual([5, 6]);
    expect(seqsOf((await changes('--json', '--since', '2026-01-05', '--limit', '1')).stdout)).toEqual([6]);
  });

  it('reports missing lines on standard error', async () => {
    expect(await changes()).toEqual({ exitCode: 0, stdout: '', stderr: 'parcel-monitor: There are no changes yet.\n' });
    await writeThreeDays();
    const messages = async (...args: readonly string[]) => (await changes(...args)).stderr;
    expect(await messages()).toBe('');
    expect(await messages('--since', 'today')).toBe('parcel-monitor: No changes since today.\n');
    expect(await messages('--since', '1')).toMatch(/: Lines 2 to 3 are no longer in the change log, .*\n$/);
    expect(await messages('--since', '2')).toMatch(/: Line 3 is no longer in the change log, .*\n$/);
    expect(await messages('--since', '9')).toMatch(/: The change log ends at line 6\. There is no line 9 yet\.\n$/);
  });

  it.each([
    [['--since', 'whenever'], /"whenever" is not a valid time\. .*friday.*9:00.*41/],
    [['--since', ''], /"" is not a valid time/],
    [['--limit', '0'], /"0" is not a valid limit/],
    [['--limit', 'all'], /"all" is not a valid limit/],
  ])('refuses %j as incorrect usage', async (args, message) => {
    const { exitCode, stdout, stderr } = await changes(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('writes nothing and takes no lease', async () => {
    await writeThreeDays();
    await changes('--since', 'yesterday');
    expect(await readdir(dataFolder())).toEqual(['changes.jsonl']);
    expect(await readdir(join(user.home, '.local'))).toEqual(['share']);
  });
});
