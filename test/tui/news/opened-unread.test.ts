import { expect, test } from 'vitest';
import { lastReadEvent, trackUnread } from '../../../src/tui/timeline/reading.ts';
import { aCheckpoint, ago, aParcel, hour } from '../../board/parcels.ts';

const lastRead = aCheckpoint({ at: ago(9 * hour) });
const unread = aParcel({ unread: { since: ago(hour), lastRead } });
const read = aParcel();

test('unread marks of the open parcel stay until a different one is opened', () => {
  const opened = trackUnread(null, unread);
  expect(opened).toEqual({ parcelId: 'parcel-1', lastRead });
  expect(trackUnread(opened, read)).toBe(opened);
  const newer = aParcel({ unread: { since: ago(0), lastRead: aCheckpoint({ at: ago(hour) }) } });
  expect(trackUnread(opened, newer)).toBe(opened);
  expect(trackUnread(opened, aParcel({ id: 'other' }))).toBeNull();
  expect(trackUnread(opened, null)).toBeNull();
});

test('new events of an open parcel that was already read are unread', () => {
  expect(trackUnread(trackUnread(null, read), unread)).toEqual({ parcelId: 'parcel-1', lastRead });
});

test('parcels that are not open keep their own mark', () => {
  expect(lastReadEvent(unread, null)).toBe(lastRead);
  expect(lastReadEvent(read, null)).toBeUndefined();
  expect(lastReadEvent(read, { parcelId: read.id, lastRead: null })).toBeNull();
});
