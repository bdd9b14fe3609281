import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Watchlist } from '../../src/parcels/parcel-list.ts';
import { historyFormat, watchlistFormat } from '../../src/store/file/formats.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { hostileWords } from '../support/hostile-words.ts';
import { checkpointOf, recordOf } from '../support/records.ts';
import { createStoreFolder } from './store-folder.ts';

const dirtyText = (text: string): string => `\u001b[31m${text}\u202e\u0007\u009b2J\u200b`;
const link = 'https://carrier.example/track?number=1';

const { checkpoints: _checkpoints, received: _received, ...record } = recordOf({ transitDays: 3 });
const cleanParcel = parcelOf('RB1CN', {
  courierCode: 'ups',
  courierPinned: true,
  label: 'Lamp',
  tags: ['home'],
  extras: { postalCode: '50667', phoneSuffix: '1234' },
  merchant: {
    orderNo: '#5',
    customerEmail: 'a@b.example',
    remark: 'By the door',
    shippedAt: '2026-11-20T00:00:00.000Z',
  },
  record: {
    ...record,
    courierNameEN: 'UPS',
    courierHomePage: 'https://ups.example/',
    courierTrackingLink: link,
    shipmentType: 'Express',
    lastMile: { trackNo: 'LM1', courierCode: 'dhl', courierName: 'DHL' },
  },
  lastEvent: checkpointOf('Arrived', '2026-11-18T08:00:00Z'),
  error: { kind: 'rejected', code: 'A0400', message: 'not known', traceId: 'abc123' },
});

/** Adds terminal control sequences to every string that people read. */
function dirtyAll(value: unknown, isName: (key: string) => boolean, key = ''): unknown {
  if (typeof value === 'string') return isName(key) ? value : dirtyText(value);
  if (Array.isArray(value)) return value.map((item) => dirtyAll(item, isName, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, dirtyAll(inner, isName, name)]));
}

/** Keys of strings that people do not read: identifiers, and values from a fixed set in the schema. */
const names = new Set([
  'id',
  'trackNo',
  'courierCode',
  'registration',
  'traceId',
  'courierHomePage',
  'courierTrackingLink',
]);

const readEntry = async (entry: object): Promise<Watchlist['parcels'][number] | undefined> => {
  const decoded = await watchlistFormat.decode(Buffer.from(JSON.stringify({ version: 1, parcels: [entry] })));
  return decoded.kind === 'whole' || decoded.kind === 'partly-damaged' ? decoded.data.parcels[0] : undefined;
};

describe('a file that anyone may have edited', () => {
  it('is sanitised in every field when it is read', async () => {
    const entry = dirtyAll(cleanParcel, (key) => names.has(key)) as object;
    expect(JSON.stringify(entry)).not.toBe(JSON.stringify(cleanParcel));
    expect(await readEntry(entry)).toEqual(cleanParcel);
  });

  it('keeps fields from newer versions unchanged', async () => {
    expect(await readEntry({ ...cleanParcel, notes: 'two\nlines\t' })).toEqual({
      ...cleanParcel,
      notes: 'two\nlines\t',
    });
    expect(await readEntry({ ...cleanParcel, label: dirtyText('Lamp'), notes: 'two\nlines' })).toEqual({
      ...cleanParcel,
      notes: 'two\nlines',
    });
  });

  it('can clear a field with a string that has no visible characters', async () => {
    const entry = {
      ...cleanParcel,
      label: '\u0007',
      tags: ['\u200b', 'home'],
      merchant: { remark: '\u0007', orderNo: '#5' },
    };
    expect(await readEntry(entry)).toEqual({ ...cleanParcel, label: null, merchant: { orderNo: '#5' } });
  });

  it.each(hostileWords)('cannot set a courier, link or trace to %j', async (word) => {
    const entry = {
      ...cleanParcel,
      courierCode: word,
      record: {
        ...cleanParcel.record,
        courierCode: word,
        courierTrackingLink: word,
        lastMile: { trackNo: word, courierCode: word, courierName: 'DHL' },
      },
      error: { ...cleanParcel.error, traceId: word },
    };
    const isLikeId = word === '-rf' || word === '--courier';
    expect(await readEntry(entry)).toEqual({
      ...cleanParcel,
      courierCode: null,
      courierPinned: false,
      record: {
        ...cleanParcel.record,
        courierCode: null,
        courierTrackingLink: null,
        lastMile: { trackNo: isLikeId ? word : null, courierCode: null, courierName: 'DHL' },
      },
      error: { ...cleanParcel.error, traceId: isLikeId ? word : null },
    });
  });

  it('can only link to web pages', async () => {
    const read = await readEntry({
      ...cleanParcel,
      record: {
        ...cleanParcel.record,
        courierTrackingLink: 'javascript:alert(1)',
        courierHomePage: 'file:///etc/passwd',
      },
    });
    expect(read?.record).toMatchObject({ courierTrackingLink: null, courierHomePage: null });
  });

  it('has its numbers normalised', async () => {
    expect(await readEntry({ ...cleanParcel, trackNo: ' rb 1cn\u200b45 ' })).toMatchObject({ trackNo: 'RB1CN45' });
  });

  it('is copied aside if it contains an invalid number', async () => {
    const folder = await createStoreFolder();
    onTestFinished(() => folder.remove());
    const content = JSON.stringify({
      version: 1,
      parcels: [cleanParcel, { ...cleanParcel, id: 'other', trackNo: '$(touch x)' }],
    });
    await folder.put('watchlist.json', content);
    const store = folder.open();
    expect((await store.read()).parcels).toEqual([cleanParcel]);
    const [notice] = store.takeNotices();
    expect(notice).toContain('1 of 2 entries are unusable');
    const aside = (await readdir(folder.directory)).find((name) => name.includes('.damaged-')) ?? '';
    expect(await readFile(join(folder.directory, aside), 'utf8')).toBe(content);
  });

  it('is sanitised in its history too', async () => {
    const checkpoint = checkpointOf('Arrived', '2026-11-18T08:00:00Z');
    const history = { version: 1, checkpoints: [checkpoint], received: { trackNo: 'RB1CN', shipmentType: 'Express' } };
    const decoded = await historyFormat.decode(Buffer.from(JSON.stringify(dirtyAll(history, () => false))));
    expect(decoded).toEqual({ kind: 'whole', data: history });
  });
});
