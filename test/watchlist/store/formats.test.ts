import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Parcel, Watchlist } from '../../../src/watchlist/model/parcel.ts';
import { createWatchlistFormat } from '../../../src/watchlist/store/formats.ts';
import { parcelOf } from '../parcels.ts';

const listOf = (parcels: readonly Parcel[]): Watchlist => ({ version: 1, parcels });
const written = (watchlist: Watchlist, format = createWatchlistFormat()): string => {
  const text = format.encode(watchlist);
  return typeof text === 'string' ? text : [...text.pieces()].join('');
};

/** Reads a text with a format that has seen `known`. */
async function read(text: string, known: Watchlist | null): Promise<Watchlist> {
  const format = createWatchlistFormat();
  if (known !== null) written(known, format);
  const decoded = await format.decode(text, known);
  if (decoded.kind !== 'whole') throw new Error(`the text is ${decoded.kind}`);
  return decoded.data;
}

const ofANewerTime = { remarks: '"\n  ]\n    {' };
const parcels = fc
  .uniqueArray(fc.nat(60), { maxLength: 12 })
  .map((numbers) => numbers.map((number) => parcelOf(`RB${number}CN`, { label: `"${number}" ]`, ...ofANewerTime })));

describe('the text of a watchlist', () => {
  it('is one line a parcel', () => {
    expect(written(listOf([]))).toBe('{\n  "version": 1,\n  "parcels": []\n}\n');
    const text = written(listOf([parcelOf('RB1CN'), parcelOf('RB2CN')]));
    expect(text.split('\n')).toHaveLength(8);
    expect(JSON.parse(text)).toEqual(listOf([parcelOf('RB1CN'), parcelOf('RB2CN')]));
  });

  it('is read as any JSON is, whatever was known before', async () => {
    await fc.assert(
      fc.asyncProperty(parcels, parcels, fc.boolean(), async (before, after, isSpread) => {
        const watchlist = { ...listOf(after), theme: { dark: [{ a: 1 }] } };
        const text = isSpread ? JSON.stringify(watchlist, null, 2) : written(watchlist);
        expect(await read(text, listOf(before))).toEqual(watchlist);
      }),
    );
  });

  it('gives back the very parcels that were known and have not changed', async () => {
    const known = ['RB1CN', 'RB2CN', 'RB3CN', 'RB4CN'].map((trackNo) => parcelOf(trackNo));
    const [first, , third, fourth] = known;
    const news = parcelOf('RB9CN');
    const changed = known.map((parcel, index) => (index === 2 ? { ...parcel, label: 'Lamp' } : parcel));
    const after = [...changed.filter((_parcel, index) => index !== 1), news];
    const { parcels: found } = await read(written(listOf(after)), listOf(known));
    expect(found).toEqual(after);
    expect(found[0]).toBe(first);
    expect(found[1]).not.toBe(third);
    expect(found[2]).toBe(fourth);
  });

  it.each([
    ['of another layout', (text: string) => text.replaceAll('    {', '\t{')],
    ['with a key behind the parcels', (text: string) => text.replace('\n  ]\n', '\n  ],\n  "theme": "dark"\n')],
    ['with line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['with an empty line', (text: string) => text.replace('\n  ]', '\n\n  ]')],
    ['on one line', (text: string) => JSON.stringify(JSON.parse(text))],
  ])('is read %s', async (_name, edit) => {
    const known = listOf([parcelOf('RB1CN'), parcelOf('RB2CN')]);
    const text = edit(written(known));
    expect(await read(text, known)).toEqual(JSON.parse(text));
  });

  it.each([
    ['cut off after a line', (text: string) => text.slice(0, text.indexOf('},\n') + 3)],
    ['cut off in a line', (text: string) => text.slice(0, 80)],
    ['without a comma', (text: string) => text.replace('},\n', '}\n')],
    ['with a comma too many', (text: string) => text.replace('}\n  ]', '},\n  ]')],
    ['with something behind it', (text: string) => `${text}{}`],
  ])('is damaged when it is %s', async (_name, edit) => {
    const known = listOf([parcelOf('RB1CN'), parcelOf('RB2CN')]);
    expect(await createWatchlistFormat().decode(edit(written(known)), known)).toMatchObject({ kind: 'damaged' });
  });
});
