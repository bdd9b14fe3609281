import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { placeList } from '../../../src/commands/import/cells-and-lines.ts';
import { sandboxUser } from '../sandbox-user.ts';

const { connected, parcels, user } = sandboxUser();
/** Nothing is registered without a key, so the couriers come from the file. */
const withoutKey = () => ({ PARCEL_MONITOR_BASE_URL: connected().PARCEL_MONITOR_BASE_URL });

const expectationSchema = v.object({
  readAs: v.string(),
  parcels: v.array(
    v.tuple([v.string(), v.nullable(v.string()), v.nullable(v.string()), v.string(), v.nullable(v.string())]),
  ),
  withoutNumber: v.array(v.number()),
  leftToService: v.record(v.string(), v.array(v.number())),
});
const folder = join(import.meta.dirname, '../../fixtures');
const formatLines = (numbers: readonly number[]): string => placeList(numbers.map((line) => `line ${line}`));
const formatRows = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`;

it.each([
  'orders-of-a-shop-whose-rows-begin-with-an-id-and-a-number-sign.csv',
  'orders-whose-rows-begin-with-a-number-sign.csv',
  'shipments-in-latin-1-with-semicolons-and-a-product-code-in-every-row.csv',
  'confirmed-shipments-in-utf-16-with-a-courier-that-nobody-lists.txt',
  'tracking-of-a-shop-with-days-before-months.csv',
  'orders-below-a-blank-line-with-a-count-at-the-end.csv',
  'packages-of-one-courier-with-underscores-in-the-headings.csv',
  'orders-of-a-post-without-a-column-of-couriers.csv',
  'sold-orders-with-a-name-in-place-of-an-item.csv',
])('imports every number from an export and reports the rest: %s', async (name) => {
  const json: unknown = JSON.parse(await readFile(join(folder, name.replace(/\.\w+$/, '.json')), 'utf8'));
  const { leftToService, parcels: expectedParcels, readAs, withoutNumber } = v.parse(expectationSchema, json);
  await user.run(['couriers'], { environment: connected() });
  const { stderr } = await user.run(['import', join(folder, name)], { environment: withoutKey() });
  const found = new Map((await parcels('--all')).map((parcel) => [parcel.trackNo, parcel]));
  expect(
    expectedParcels.map(([trackNo]) => {
      const parcel = found.get(trackNo);
      return [trackNo, parcel?.courierCode, parcel?.label, parcel?.orderNo];
    }),
  ).toEqual(expectedParcels.map((parcel) => parcel.slice(0, 4)));
  expect(found.size).toBe(expectedParcels.length);
  expect(stderr).toContain(
    `Skipped ${formatRows(withoutNumber.length)} without a number (${formatLines(withoutNumber)}).`,
  );
  for (const [courier, lineNumbers] of Object.entries(leftToService)) {
    expect(stderr).toContain(
      `${formatRows(lineNumbers.length)}: courier "${courier}" is not known, so the service will detect the courier (${formatLines(lineNumbers)}).`,
    );
  }
  expect(stderr).toContain(`Read as an export from ${readAs}: number = "`);
  expect(stderr).not.toContain('unusable');
  expect(stderr).not.toMatch(/^parcel-monitor: line \d/m);
  const exported = JSON.parse((await user.run(['export', '--format', 'json'])).stdout) as {
    readonly parcels: readonly { readonly trackNo: string; readonly postalCode: string | null }[];
  };
  const codes = new Map(exported.parcels.map(({ postalCode, trackNo }) => [trackNo, postalCode]));
  expect(expectedParcels.map(([trackNo]) => codes.get(trackNo))).toEqual(expectedParcels.map((parcel) => parcel[4]));
});
