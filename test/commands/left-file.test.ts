import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRow } from '../../src/commands/import/import.ts';
import { readImportTable } from '../../src/commands/import/rows.ts';
import { fieldsOfParcel, unimportedTable } from '../../src/commands/output-file.ts';
import { cleanTextOrNull } from '../../src/lib/clean-text.ts';
import type { NewParcel } from '../../src/parcels/parcel-factory.ts';
import { forAll } from '../support/for-all.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).map(cleanTextOrNull);
const parcel: fc.Arbitrary<NewParcel> = fc
  .record({
    trackNo: fc.constantFrom('RB848719115CN', '1Z999AA10123456784', '00340434161094000000'),
    courierCode: fc.constantFrom(null, 'dhl', 'china-post'),
    label: text,
    tags: fc.uniqueArray(
      text.filter((tag) => tag !== null),
      { maxLength: 3 },
    ),
    postalCode: fc.constantFrom(null, '10115', 'SW1A 1AA'),
    phoneSuffix: fc.constantFrom(null, '0012'),
    note: text,
    remark: text,
    shippedAt: fc.constantFrom(undefined, '2026-11-18T13:30:00.000Z'),
    archivedAt: fc.constantFrom(undefined, '2026-11-19T08:00:00.000Z'),
  })
  .map(({ archivedAt, remark, shippedAt, ...fields }) => ({
    ...fields,
    merchant: { ...(remark === null ? {} : { remark }), ...(shippedAt === undefined ? {} : { shippedAt }) },
    ...(archivedAt === undefined ? {} : { archivedAt }),
  }));

it('writes rejected rows so that import reads them back unchanged', () =>
  forAll(fc.array(parcel, { minLength: 1, maxLength: 6 }), fc.string(), (parcels, why) => {
    const table = unimportedTable(parcels.map((draft) => ({ why, fields: fieldsOfParcel(draft) })));
    const context = { now: 0, zone: () => 'Asia/Tokyo', resolveCourier: (courier: string) => courier };
    expect(readImportTable(table).rows.map((row) => readRow(row, context))).toEqual(parcels);
  }));

it('puts the reason above each row, on one line', () => {
  expect(unimportedTable([{ why: 'One\nRB1CN,dhl\u001B[31m', fields: { trackNo: '=1+1' } }])).toBe(
    "trackNo\n# One RB1CN,dhl\n'=1+1\n",
  );
});
