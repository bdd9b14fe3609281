import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  changeSchema,
  exportedParcelSchema,
  exportSchema,
  listSchema,
  parcelSchema,
  showSchema,
  watchSchema,
} from '../../src/board/json-schemas.ts';
import { changeJson, listJson, showJson, watchJson } from '../../src/board/parcel-json.ts';
import { exportedParcel } from '../../src/commands/export.ts';
import { publishedSchemas } from '../../src/commands/published-schemas.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { createMemoryStore, writesBetween } from '../../src/store/store.ts';
import { changeContract, exportContract, listContract, showContract, watchContract } from '../commands/contract.ts';
import { builtCli } from '../support/built-cli.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres/test-server.ts';
import { createSkippingClock } from '../support/skipping-clock.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';
import { aBoard, aCheckpoint, aParcel, now } from './parcels.ts';

const asPrinted = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Fails for values that the schema rejects, and for unknown fields, which parsing would drop. */
function expectMatch(schema: v.GenericSchema, value: unknown): void {
  const printed = asPrinted(value);
  expect(v.parse(schema, printed)).toEqual(printed);
}

const context = { serviceClock: assumedServiceClock, now, isPaused: false };

describe('the published schemas', () => {
  it.each([
    ['list', Object.keys(listSchema.entries), Object.keys(listContract.entries)],
    ['a parcel', Object.keys(parcelSchema.entries), Object.keys(listContract.entries.parcels.item.entries)],
    ['show', Object.keys(showSchema.entries), Object.keys(showContract.entries)],
    ['a change', Object.keys(changeSchema.entries), Object.keys(changeContract.entries)],
    ['watch', Object.keys(watchSchema.entries), Object.keys(watchContract.entries)],
    [
      'an exported parcel',
      Object.keys(exportedParcelSchema.entries),
      Object.keys(exportContract.entries.parcels.item.entries),
    ],
  ])('have exactly the fields of the contract: %s', (_name, published, expected) => {
    expect([...published].sort()).toEqual([...expected].sort());
  });

  it('accept every kind of parcel', () => {
    const parcels = aBoard();
    expectMatch(listSchema, listJson(parcels, new URL('https://host/path'), context));
    const exported = parcels.map((parcel) => exportedParcel(parcel, context));
    expectMatch(exportSchema, { ...listJson([], null, context), parcels: exported });
    for (const parcel of parcels) {
      const history = { checkpoints: [aCheckpoint()], received: { trackNo: parcel.trackNo, more: [1] } };
      expectMatch(showSchema, showJson(parcel, history as never, context));
    }
  });

  it('accept every kind of change log entry', async () => {
    const parcels = aBoard();
    const [withoutRecords, withRecords] = [
      parcels.map((parcel) => ({ ...parcel, record: null, error: null })),
      parcels,
    ];
    const store = createMemoryStore();
    for (const state of [withoutRecords, withRecords, []]) {
      const current = await store.read();
      await store.write(writesBetween(current.parcels, state), current, now);
    }
    const changes = await store.changeLogAfter(0);
    expect(new Set(changes.map(({ change }) => change)).size).toBeGreaterThan(3);
    const [parcel = aParcel()] = parcels;
    for (const change of changes) {
      expectMatch(changeSchema, changeJson(change));
      expectMatch(watchSchema, watchJson(change, parcel, context));
    }
  });
});

/** Replaced with the address of an empty database when the test runs. */
const emptyDatabase = 'DATABASE';

/** The command that prints each shape. A published schema without a command does not compile. */
const commandFor: Readonly<Record<keyof typeof publishedSchemas, readonly string[]>> = {
  list: ['list', '--json', '--all'],
  show: ['show', 'RB100000005CN', '--json'],
  watch: ['watch', '--once', '--json'],
  changes: ['changes', '--json'],
  export: ['export', '--all'],
  couriers: ['couriers', '--json'],
  'config-list': ['config', 'list', '--json'],
  scan: ['add', '--scan', '-', '--dry-run', '--json'],
  store: ['store', '--json'],
  'store-copy': ['store', 'copy', emptyDatabase, '--dry-run', '--json'],
  stats: ['stats', '--json'],
  results: ['add', 'LX123456785CN', '--json'],
  paths: ['paths', '--json'],
  notify: ['notify', '--test', '--json'],
  doctor: ['doctor', '--json', '--offline'],
};
const publishedNames = Object.keys(commandFor) as (keyof typeof commandFor)[];

describe('the output of commands', () => {
  const clock = createSkippingClock();
  let sandbox: Sandbox;
  let user: CliUser;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await startTestSandbox({ clock });
    user = await createCliUser({
      clock,
      environment: { PARCEL_MONITOR_BASE_URL: sandbox.baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey },
    });
    await user.run(['add', 'RB100000005CN', '--label', 'Lamp', '--tag', 'gift', '--postal-code', '12345']);
    await user.run(['add', '1Z999AA10123456784', '--order-no', 'PO-1']);
    // Without an API key, this number is not registered yet, so that `watch` has changes to print.
    await user.run(['add', 'LX123456789CN'], { environment: { PARCEL_MONITOR_API_KEY: '' } });
  });
  afterAll(async () => {
    await user.remove();
    await sandbox.close();
  });

  it.each(publishedNames)('matches its schema and has no other fields: %s', async (name) => {
    const args = commandFor[name].map((arg) => (arg === emptyDatabase ? database.address : arg));
    const { exitCode, stdout } = await user.run(args, {
      input: 'Your parcel 1Z999AA10123456784 is on its way.',
    });
    expect(exitCode).toBe(0);
    const printed = name === 'watch' || name === 'changes' ? stdout.trimEnd().split('\n') : [stdout];
    for (const text of printed) expectMatch(publishedSchemas[name].schema, JSON.parse(text));
  });
});

it.each(publishedNames)('the published %s schema is in the package, and allows new fields', async (name) => {
  const file = join(dirname(builtCli), 'schemas', `${name}.json`);
  const published = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, unknown>>;
  const { schema } = publishedSchemas[name];
  expect(published).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' });
  expect(published['required']).toEqual(Object.keys(schema.entries));
  expect(JSON.stringify(published)).not.toContain('"additionalProperties":false');
});
