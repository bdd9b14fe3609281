import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/parcels/change.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { Watchlist } from '../../src/parcels/parcel-list.ts';
import { watchlistFormat } from '../../src/store/file/formats.ts';
import { parcelOf } from '../parcels/parcels.ts';

const listOf = (parcels: readonly Parcel[]): Watchlist => ({ version: 1, parcels });
const encode = (watchlist: Watchlist): string => {
  const text = watchlistFormat.encode(watchlist);
  return typeof text === 'string' ? text : [...(text.pieces() as Iterable<string>)].join('');
};

/** Parses text after writing `known`. */
async function read(text: string, known: Watchlist | null): Promise<Watchlist> {
  if (known !== null) encode(known);
  const decoded = await watchlistFormat.decode(Buffer.from(text), known);
  if (decoded.kind !== 'whole') throw new Error(`the text is ${decoded.kind}`);
  return decoded.data;
}

const fromNewerVersion = { remarks: '"\n  ]\n    {' };
const parcels = fc
  .uniqueArray(fc.nat(60), { maxLength: 12 })
  .map((numbers) =>
    numbers.map((number) => parcelOf(`RB${number}CN`, { label: `"${number}" ]`, ...fromNewerVersion })),
  );

describe("a watchlist's text", () => {
  it('has one line per parcel', () => {
    expect(encode(listOf([]))).toBe('{\n  "version": 1,\n  "parcels": []\n}\n');
    const text = encode(listOf([parcelOf('RB1CN'), parcelOf('RB2CN')]));
    expect(text.split('\n')).toHaveLength(8);
    expect(JSON.parse(text)).toEqual(listOf([parcelOf('RB1CN'), parcelOf('RB2CN')]));
  });

  it('has one line per change log entry, before or after the parcels', async () => {
    const lineOf = (seq: number, label: string): Change => ({
      ...{ version: 1, seq, at: '2026-11-19T09:00:00.000Z', noticedAt: '2026-11-19T09:00:00.000Z' },
      ...{ change: 'removed', parcelId: 'p', trackNo: 'RB1CN', courierCode: null, label },
      ...{ from: { state: 'watching' }, to: null, message: 'removed' },
    });
    const labels = fc.array(fc.constantFrom('Lamp', '" ]', '"recent": [', '"parcels": [', '[{"'), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(labels, parcels, fc.boolean(), fc.boolean(), async (chosen, list, isFirst, isOldLayout) => {
        const changes = { seq: chosen.length, recent: chosen.map((label, index) => lineOf(index + 1, label)) };
        const watchlist: Watchlist = isFirst
          ? { version: 1, changes, parcels: list }
          : { version: 1, parcels: list, changes };
        const text = encode(watchlist);
        expect(JSON.parse(text)).toEqual(watchlist);
        const prettyPrinted = `"changes": ${JSON.stringify(changes, null, 2).replaceAll('\n', '\n  ')}`;
        const older = text.replace(/"changes": \{\n[\s\S]*?\n {2}\}/, () => prettyPrinted);
        expect(await read(isOldLayout ? older : text, null)).toEqual(watchlist);
      }),
    );
    const [first, second] = [lineOf(1, 'Lamp'), lineOf(2, 'Book')];
    const lines = encode({ version: 1, changes: { seq: 2, recent: [first, second] }, parcels: [] }).split('\n');
    expect(lines.slice(5, 7)).toEqual([`      ${JSON.stringify(first)},`, `      ${JSON.stringify(second)}`]);
  });

  it('can be read from any JSON, with or without known contents', async () => {
    await fc.assert(
      fc.asyncProperty(parcels, parcels, fc.boolean(), async (before, after, isPrettyPrinted) => {
        const watchlist = { ...listOf(after), theme: { dark: [{ a: 1 }] } };
        const text = isPrettyPrinted ? JSON.stringify(watchlist, null, 2) : encode(watchlist);
        expect(await read(text, listOf(before))).toEqual(watchlist);
      }),
    );
  });

  it('is the same whether lines are reused or new, even for lines in a different layout', async () => {
    const plain = ['RB1CN', 'RB2CN', 'RB3CN'].map((trackNo) => parcelOf(trackNo));
    const odd = [parcelOf('RB4CN', { label: '"quoted"' }), parcelOf('RB5CN', { label: 'é', ...fromNewerVersion })];
    const text = encode(listOf([...plain, ...odd]))
      .replace('"é"', '"\\u00e9"')
      .replace('"RB2CN",', '"RB2CN", ');
    const decoded = await watchlistFormat.decode(Buffer.from(text), null);
    if (decoded.kind !== 'whole') throw new Error(`the text is ${decoded.kind}`);
    const { parcels: found } = decoded.data;
    for (const after of [found, found.with(0, { ...parcelOf('RB1CN'), label: 'Lamp' }), found.toReversed()]) {
      expect(encode(listOf(after))).toBe(encode(listOf(structuredClone(after))));
    }
  });

  it('yields the same objects for known parcels that are unchanged', async () => {
    const known = ['RB1CN', 'RB2CN', 'RB3CN', 'RB4CN'].map((trackNo) => parcelOf(trackNo));
    const [first, , third, fourth] = known;
    const added = parcelOf('RB9CN');
    const changed = known.map((parcel, index) => (index === 2 ? { ...parcel, label: 'Lamp' } : parcel));
    const after = [...changed.filter((_parcel, index) => index !== 1), added];
    const { parcels: found } = await read(encode(listOf(after)), listOf(known));
    expect(found).toEqual(after);
    expect(found[0]).toBe(first);
    expect(found[1]).not.toBe(third);
    expect(found[2]).toBe(fourth);
  });

  it('yields the same objects in any order and layout', async () => {
    const known = Array.from({ length: 1200 }, (_, number) => parcelOf(`RB${number}CN`));
    const { parcels: reversed } = await read(encode(listOf(known.toReversed())), listOf(known));
    expect(reversed.every((parcel, index) => parcel === known.at(-1 - index))).toBe(true);
    const { parcels: prettyPrinted } = await read(JSON.stringify(listOf(known), null, 2), listOf(known));
    expect(prettyPrinted.every((parcel, index) => parcel === known[index])).toBe(true);
  });

  it('lets other work run while a long list is read', async () => {
    const known = listOf(Array.from({ length: 5000 }, (_, number) => parcelOf(`RB${number}CN`)));
    const bytes = Buffer.from(encode(known));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await watchlistFormat.decode(bytes, known);
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it.each([
    ['in a different layout', (text: string) => text.replaceAll('    {', '\t{')],
    ['with a key after the parcels', (text: string) => text.replace('\n  ]\n', '\n  ],\n  "theme": "dark"\n')],
    ['with Windows line endings', (text: string) => text.replaceAll('\n', '\r\n')],
    ['with an empty line', (text: string) => text.replace('\n  ]', '\n\n  ]')],
    ['on one line', (text: string) => JSON.stringify(JSON.parse(text))],
    [
      'with a list of the same name in a different object',
      (text: string) => `{ "version": 1, "other": ${text.trimEnd()}, "parcels": [] }`,
    ],
    ['with a second list of that name', (text: string) => text.replace('\n  ]\n', '\n  ],\n  "parcels": []\n')],
    ['with two parcels on a line', (text: string) => text.replace('},\n    {', '}, {')],
    ['with a parcel on two lines', (text: string) => text.replace(',"trackNo"', ',\n"trackNo"')],
    ['with a byte order mark', (text: string) => `\uFEFF${text}`],
  ])('can be read %s', async (_name, edit) => {
    const known = listOf([parcelOf('RB1CN'), parcelOf('RB2CN')]);
    const text = edit(encode(known));
    expect(await read(text, known)).toEqual(JSON.parse(text.replace('\uFEFF', '')));
  });

  it.each([
    ['if it is cut off after a line', (text: string) => text.slice(0, text.indexOf('},\n') + 3)],
    ['if it is cut off within a line', (text: string) => text.slice(0, 80)],
    ['if a comma is missing', (text: string) => text.replace('},\n', '}\n')],
    ['if a comma is replaced', (text: string) => text.replace('},\n', '};\n')],
    ['if there is text before a parcel', (text: string) => text.replace('    {', 'xxxx{')],
    ['if there is an extra comma', (text: string) => text.replace('}\n  ]', '},\n  ]')],
    ['if there is text after it', (text: string) => `${text}{}`],
  ])('counts as damaged %s', async (_name, edit) => {
    const known = listOf([parcelOf('RB1CN'), parcelOf('RB2CN')]);
    expect(await watchlistFormat.decode(Buffer.from(edit(encode(known))), known)).toMatchObject({
      kind: 'damaged',
    });
  });
});
