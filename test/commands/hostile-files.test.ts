import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parcelOf } from '../parcels/parcels.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { checkpointOf, recordOf } from '../support/records.ts';

let user: CliUser;
beforeEach(async () => {
  user = await createCliUser();
  const { checkpoints: _checkpoints, received: _received, ...record } = recordOf({ courierNameEN: hostile('UPS') });
  const parcel = parcelOf('RB100000005CN', {
    id: 'rb1',
    label: hostile('Lamp'),
    tags: [hostile('home')],
    registration: 'registered',
    record: { ...record, shipmentType: hostile('Express') },
    lastEvent: checkpointOf(hostile('Arrived'), '2026-11-18T08:00:00Z', { address: hostile('Leipzig') }),
    error: { kind: 'rejected', code: null, message: hostile('no'), traceId: hostile('abc') },
  });
  const removed = parcelOf('RB200000005CN', { id: 'rb2', label: hostile('Gone') });
  await writeJson('.local/share/parcel-monitor/watchlist.json', { version: 1, parcels: [parcel] });
  await writeJson('.local/share/parcel-monitor/trash/removed.20261118T080000Z.abc.json', {
    version: 1,
    parcels: [removed],
  });
  await writeJson('.local/share/parcel-monitor/history/rb1.json', {
    version: 1,
    checkpoints: [parcel.lastEvent],
    received: { trackNo: 'RB100000005CN', shipmentType: hostile('Express') },
  });
  await writeJson('.config/parcel-monitor/config.json', {
    [hostile('unknown')]: 1,
    apiKeyCommand: [hostile('pass')],
    couriers: { [hostile('ups')]: { postalCode: '50667' } },
    service: { operations: { query: { path: `/${hostile('query')}` } } },
  });
  await writeJson('.cache/parcel-monitor/couriers.json', {
    version: 1,
    fetchedAt: Date.now(),
    couriers: [{ code: 'ups', nameEN: hostile('UPS'), nameCN: null, homePage: hostile('https://ups.example/') }],
  });
});
afterEach(() => user.remove());

/** Hostile text: it clears the screen, sets a title and reverses letters. */
function hostile(text: string): string {
  return `\u001b[2J${text}\u001b]0;owned\u0007\u009b31m\u202e\u200b`;
}

async function writeJson(name: string, content: unknown): Promise<void> {
  const path = join(user.home, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(content), { mode: 0o600 });
}

it.each([
  ['list'],
  ['list', '--json'],
  ['show', 'RB100000005CN'],
  ['show', 'RB100000005CN', '--json'],
  ['restore'],
  ['restore', '--json'],
  ['export', '--format', 'json'],
  ['export', '--format', 'csv'],
  ['export', '--format', 'ics'],
  ['export', '--format', 'md'],
  ['couriers'],
  ['couriers', '--json'],
  ['doctor', '--offline'],
  ['doctor', '--offline', '--json'],
  ['status'],
  ['show', hostile('RB1')],
  ['list', '--stage', hostile('x')],
  [hostile('lst')],
  ['import', `/no/${hostile('file')}.csv`],
  ['list', '--config', `/no/${hostile('config')}.json`],
  ['list', '--zone', hostile('Europe/Berlin')],
])('prints no control characters from files or arguments: %j %j %j', async (...cliArguments) => {
  const { stderr, stdout } = await user.run(cliArguments.filter((argument) => argument !== undefined));
  const printed = stdout + stderr;
  expect(printed).not.toBe('');
  // Calendar lines end with a carriage return.
  expect(printed.replaceAll('\r\n', '\n')).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
  // JSON could contain the characters as escapes.
  expect(printed).not.toMatch(/\\u00[01]|\\u009b|\\u202e|owned/);
});
