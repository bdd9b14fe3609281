import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scanText } from '../../src/scan/scan-text.ts';

const folder = join(import.meta.dirname, '../fixtures');

interface Expected {
  readonly readAs: string;
  readonly parcels: readonly (readonly [
    trackNo: string,
    courier: string | null,
    label: string | null,
    order: string,
  ])[];
}

/** The exports from shops and couriers, with what should be found in them. */
async function exports(): Promise<readonly (readonly [name: string, expected: Expected, content: Buffer])[]> {
  const names = (await readdir(folder)).filter((name) => /\.(?:csv|txt)$/.test(name));
  return await Promise.all(
    names.map(async (name) => {
      const expected: Expected = JSON.parse(await readFile(join(folder, name.replace(/\.\w+$/, '.json')), 'utf8'));
      return [name, expected, await readFile(join(folder, name))] as const;
    }),
  );
}

it('finds exactly the numbers in exports from shops and couriers, with their labels and orders', async () => {
  const all = await exports();
  expect(all.map(([, { readAs }]) => readAs).toSorted()).toEqual([
    'Amazon',
    'DHL',
    'Etsy',
    'Matrixify for Shopify',
    'Royal Mail Click & Drop',
    'Shopify',
    'UPS WorldShip',
    'WooCommerce',
    'eBay',
  ]);
  for (const [name, { parcels, readAs }, content] of all) {
    const { numbers } = await scanText(content);
    if (['DHL', 'Royal Mail Click & Drop', 'UPS WorldShip'].includes(readAs))
      expect([name, numbers.map(({ courierCode }) => courierCode)]).toEqual([
        name,
        parcels.map(([, courier]) => courier),
      ]);
    const found = numbers.map(({ label, orderNo, trackNo }) => [trackNo, label, orderNo]);
    expect([name, found]).toEqual([name, parcels.map(([trackNo, , label, order]) => [trackNo, label, order])]);
  }
});
