import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeJson } from '../../../src/commands/output/change-json.ts';
import { describeChanges } from '../../../src/commands/output/change-lines.ts';
import { exportJson } from '../../../src/commands/output/export-json.ts';
import { listJson, showJson } from '../../../src/commands/output/parcel-json.ts';
import {
  changeSchema,
  doctorSchema,
  exportedParcelSchema,
  exportSchema,
  listSchema,
  parcelSchema,
  publishedSchemas,
  showSchema,
} from '../../../src/commands/output/schemas.ts';
import { assumedServiceClock } from '../../../src/service/clock/service-clock.ts';
import { aBoard, aCheckpoint, now } from '../../board/parcels.ts';
import { builtCli } from '../../support/built-cli.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { changeContract, exportContract, listContract, showContract } from '../contract.ts';

const asPrinted = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Fails for what the schema refuses, and for a field that it does not name: parsing would take it away. */
function expectFits(schema: v.GenericSchema, value: unknown): void {
  const printed = asPrinted(value);
  expect(v.parse(schema, printed)).toEqual(printed);
}

const circumstances = { serviceClock: assumedServiceClock, now, isPaused: false };

describe('the shapes that are written down', () => {
  it.each([
    ['list', Object.keys(listSchema.entries), Object.keys(listContract.entries)],
    ['a parcel', Object.keys(parcelSchema.entries), Object.keys(listContract.entries.parcels.item.entries)],
    ['show', Object.keys(showSchema.entries), Object.keys(showContract.entries)],
    ['a change', Object.keys(changeSchema.entries), Object.keys(changeContract.entries)],
    [
      'an exported parcel',
      Object.keys(exportedParcelSchema.entries),
      Object.keys(exportContract.entries.parcels.item.entries),
    ],
  ])('%s has every field that was promised', (_name, written, promised) => {
    expect([...written].sort()).toEqual([...promised].sort());
  });

  it('fit what is made of parcels of every kind', () => {
    const parcels = aBoard();
    expectFits(listSchema, listJson(parcels, new URL('https://host/path'), circumstances));
    expectFits(exportSchema, exportJson(parcels, null, circumstances));
    for (const parcel of parcels) {
      const history = { checkpoints: [aCheckpoint()], received: { trackNo: parcel.trackNo, more: [1] } };
      expectFits(showSchema, showJson(parcel, history as never, circumstances));
    }
    const changes = [
      ...describeChanges({ parcels: [] }, { parcels }),
      ...describeChanges({ parcels }, { parcels: [] }),
    ];
    expect(changes.length).toBeGreaterThan(2);
    for (const change of changes) expectFits(changeSchema, changeJson(change, circumstances));
  });
});

describe('what commands print', () => {
  let user: CliUser;
  beforeAll(async () => {
    user = await createCliUser();
    await user.run(['add', 'RB100000005CN', '--label', 'Lamp', '--tag', 'gift', '--postal-code', '12345']);
    await user.run(['add', '1Z999AA10123456784', '--order-no', 'PO-1']);
  });
  afterAll(() => user.remove());

  it.each([
    ['list', listSchema, ['list', '--json', '--all']],
    ['show', showSchema, ['show', 'RB100000005CN', '--json']],
    ['export', exportSchema, ['export']],
    ['doctor', doctorSchema, ['doctor', '--json', '--offline']],
  ])('%s fits its schema', async (_name, schema, argv) => {
    const { stdout } = await user.run(argv);
    expectFits(schema, JSON.parse(stdout));
  });
});

describe('the published schemas', () => {
  it.each(Object.keys(publishedSchemas))('%s comes with the program, and lets later fields pass', async (name) => {
    const file = join(dirname(builtCli), 'schemas', `${name}.json`);
    const published = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, unknown>>;
    const { schema } = publishedSchemas[name as keyof typeof publishedSchemas];
    expect(published).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' });
    expect(published['required']).toEqual(Object.keys(schema.entries));
    expect(JSON.stringify(published)).not.toContain('"additionalProperties":false');
  });
});
