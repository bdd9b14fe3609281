import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parcelOf } from '../parcels/parcels.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { checkpointOf, recordOf } from '../support/records.ts';

let user: CliUser;
beforeEach(async () => {
  user = await createCliUser();
  const { checkpoints: _checkpoints, received: _received, ...record } = recordOf({ courierNameEN: dirty('UPS') });
  const parcel = parcelOf('RB100000005CN', {
    id: 'rb1',
    label: dirty('Lamp'),
    tags: [dirty('home')],
    registration: 'registered',
    record: { ...record, shipmentType: dirty('Express') },
    lastEvent: checkpointOf(dirty('Arrived'), '2026-11-18T08:00:00Z', { address: dirty('Leipzig') }),
    error: { kind: 'rejected', code: null, message: dirty('no'), traceId: dirty('abc') },
  });
  const gone = parcelOf('RB200000005CN', { id: 'rb2', label: dirty('Gone') });
  await put('.local/share/parcel-monitor/watchlist.json', { version: 1, parcels: [parcel] });
  await put('.local/share/parcel-monitor/trash/removed.20261118T080000Z.abc.json', { version: 1, parcels: [gone] });
  await put('.local/share/parcel-monitor/history/rb1.json', {
    version: 1,
    checkpoints: [parcel.lastEvent],
    received: { trackNo: 'RB100000005CN', shipmentType: dirty('Express') },
  });
  await put('.config/parcel-monitor/config.json', {
    [dirty('unknown')]: 1,
    apiKeyCommand: [dirty('pass')],
    couriers: { [dirty('ups')]: { postalCode: '50667' } },
    service: { operations: { query: { path: `/${dirty('query')}` } } },
  });
  await put('.cache/parcel-monitor/couriers.json', {
    version: 1,
    fetchedAt: Date.now(),
    couriers: [{ code: 'ups', nameEN: dirty('UPS'), nameCN: null, homePage: dirty('https://ups.example/') }],
  });
});
afterEach(() => user.remove());

/** Hostile text: it clears the screen, sets a title and reverses letters. */
function dirty(text: string): string {
  return `\u001b[2J${text}\u001b]0;owned\u0007\u009b31m\u202e\u200b`;
}

async function put(name: string, content: unknown): Promise<void> {
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
  ['show', dirty('RB1')],
  ['list', '--stage', dirty('x')],
  [dirty('lst')],
  ['import', `/no/${dirty('file')}.csv`],
  ['list', '--config', `/no/${dirty('config')}.json`],
  ['list', '--zone', dirty('Europe/Berlin')],
])('passes no control characters from files and arguments to the terminal: %j %j %j', async (...cliArguments) => {
  const { stderr, stdout } = await user.run(cliArguments.filter((argument) => argument !== undefined));
  const printed = stdout + stderr;
  expect(printed).not.toBe('');
  // JSON may name such a character by its number; a line of a calendar ends with a carriage return.
  expect(printed.replaceAll('\r\n', '\n')).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
  expect(printed).not.toMatch(/\\u00[01]|\\u009b|\\u202e|owned/);
});
