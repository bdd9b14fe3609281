import { expect, test } from 'vitest';
import { lastReadOf, openedUnread } from '../../../src/tui/timeline/reading.ts';
import { aCheckpoint, ago, aParcel, hour } from '../../board/parcels.ts';

const lastRead = aCheckpoint({ at: ago(9 * hour) });
const unread = aParcel({ unread: { since: ago(hour), lastRead } });
const read = aParcel();

test('unread marks of the open parcel stay until a different one is opened', () => {
  const opened = openedUnread(null, unread);
  expect(opened).toEqual({ parcelId: 'parcel-1', lastRead });
  expect(openedUnread(opened, read)).toBe(opened);
  const newer = aParcel({ unread: { since: ago(0), lastRead: aCheckpoint({ at: ago(hour) }) } });
  expect(openedUnread(opened, newer)).toBe(opened);
  expect(openedUnread(opened, aParcel({ id: 'other' }))).toBeNull();
  expect(openedUnread(opened, null)).toBeNull();
});

test('new events of an open parcel that was already read are unread', () => {
  expect(openedUnread(openedUnread(null, read), unread)).toEqual({ parcelId: 'parcel-1', lastRead });
});

test('parcels that are not open keep their own mark', () => {
  expect(lastReadOf(unread, null)).toBe(lastRead);
  expect(lastReadOf(read, null)).toBeUndefined();
  expect(lastReadOf(read, { parcelId: read.id, lastRead: null })).toBeNull();
});
