import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { findMilestones } from '../../src/board/status/expected-delivery.ts';
import { calendarText } from '../../src/commands/export-calendar.ts';
import type { Parcel, ParcelHistory } from '../../src/parcels/parcel.ts';
import { historyFormat } from '../../src/store/file/formats.ts';
import { aBoard, aCheckpoint, ago, aParcel, aPendingParcel, aRecord, hour, now } from '../board/parcels.ts';
import { forAll } from '../support/for-all.ts';
import { hostileText } from './exported-parcels.ts';

const write = (parcels: readonly Parcel[], histories: ReadonlyMap<string, ParcelHistory> = new Map()): string => {
  const historyOfParcel = ({ id }: Parcel): ParcelHistory => histories.get(id) ?? historyFormat.empty;
  return calendarText(
    parcels.map((parcel) => ({ parcel, milestones: findMilestones(parcel, historyOfParcel(parcel)) })),
    now,
  );
};

/** Exports parcels to a calendar, and returns its events as another program reads them. */
const eventsOf = (...args: Parameters<typeof write>) => read(write(...args));

/** Reads a calendar as another program would. */
const read = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((event) => {
    const value = (name: string): unknown => event.getFirstPropertyValue(name);
    return {
      uid: value('uid'),
      summary: value('summary'),
      description: value('description'),
      location: value('location'),
      url: value('url'),
      status: value('status'),
      stamp: String(value('dtstamp')),
      start: String(value('dtstart')),
      end: value('dtend') === null ? null : String(value('dtend')),
      tags: event.getFirstProperty('categories')?.getValues() ?? [],
    };
  });
};

const historyOf = (
  received: ParcelHistory['received'],
  ...checkpoints: ParcelHistory['checkpoints']
): ParcelHistory => ({
  ...{ version: 1, checkpoints, received },
});

describe('a calendar export', () => {
  it('says when and where a parcel was delivered, with the courier and a link', () => {
    const link = 'https://host.example/track?no=1&lang=en';
    const parcel = aParcel({
      label: 'Lamp; red, 12"',
      tags: ['home', 'a,b'],
      record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01', courierTrackingLink: link }),
    });
    const delivered = aCheckpoint({ subStatus: 'DELIVERED_01', detail: 'Handed over; thanks, bye\\n' });
    const later = aCheckpoint({ at: ago(hour), subStatus: 'IN_TRANSIT_01', detail: 'Proof of delivery' });
    const histories = new Map([[parcel.id, historyOf({ expectedDelivery: '2026-11-20' }, later, delivered)]]);
    expect(eventsOf([parcel], histories)).toEqual([
      {
        uid: expect.stringMatching(/^[0-9a-f]{32}@parcel-monitor$/),
        summary: 'Lamp; red, 12": Delivered',
        description: `Status: Delivered\nHanded over; thanks, bye\\n\nLocal time: 2026-11-20 21:14:00 +01:00\nNumber: LX123456789CN\nCourier: Yanwen\n${link}`,
        location: 'Leipzig, DE',
        url: link,
        status: 'CONFIRMED',
        stamp: '2026-11-21T12:42:00Z',
        start: '2026-11-20T20:14:00Z',
        end: null,
        tags: ['home', 'a,b'],
      },
    ]);
  });

  it('says when a parcel is expected, as precisely as the service does', () => {
    const window = { start: '2026-11-23 09:00:00', end: '2026-11-23 12:00:00', timezone: '+01:00' };
    const parcel = aParcel();
    const expected = (received: ParcelHistory['received']) =>
      eventsOf([parcel], new Map([[parcel.id, historyOf(received)]])).filter(({ status }) => status === 'TENTATIVE');
    expect(expected({ expectedDeliveryTime: window })).toMatchObject([
      { summary: 'LX123456789CN: Delivery expected', start: '2026-11-23T08:00:00Z', end: '2026-11-23T11:00:00Z' },
    ]);
    expect(expected({ expectedDelivery: '2026-11-23' })).toMatchObject([{ start: '2026-11-23', end: null }]);
    expect(expected({})).toEqual([]);
    const withExpectedDay = aParcel({ record: aRecord({ expectedDelivery: { kind: 'day', date: '2026-11-23' } }) });
    expect(eventsOf([withExpectedDay]).map(({ start }) => start)).toContain('2026-11-23');
  });

  it('gives only the day if the zone is unknown, and leaves out an event without a time', () => {
    const nowhere = aCheckpoint({ at: null, offset: null, certain: false, local: '2026-11-18 23:30:00' });
    expect(eventsOf([aParcel({ lastEvent: nowhere })])).toMatchObject([
      { start: '2026-11-18', description: expect.stringContaining('2026-11-18 23:30:00 (zone unknown)') },
    ]);
    for (const local of ['2026-11-18', '2026/11/18', '2026-11-18 11:30 PM'])
      expect(eventsOf([aParcel({ lastEvent: { ...nowhere, local } })])).toMatchObject([{ start: '2026-11-18' }]);
    expect(eventsOf([aParcel({ lastEvent: { ...nowhere, local: 'yesterday' } }), aPendingParcel()])).toEqual([]);
  });

  it('says that a time is uncertain', () => {
    const [event] = eventsOf([aParcel({ lastEvent: aCheckpoint({ certain: false }) })]);
    expect(event).toMatchObject({
      start: '2026-11-20T20:14:00Z',
      description: expect.stringContaining('21:14:00 +01:00 (zone uncertain)'),
    });
  });

  it('puts a URL that would need escaping only into the description', () => {
    const parcel = aParcel({ record: aRecord({ courierTrackingLink: 'https://host.example/a,b;c' }) });
    expect(eventsOf([parcel])).toMatchObject([
      { url: null, description: expect.stringContaining('https://host.example/a,b;c') },
    ]);
  });

  it('keeps the UID of an event while its parcel moves on, and gives each event its own', () => {
    const moved = aParcel({ id: 'another', label: 'Lamp', lastEvent: aCheckpoint({ at: ago(hour) }) });
    expect(eventsOf([moved])[0]?.uid).toBe(eventsOf([aParcel()])[0]?.uid);
    const parcels = aBoard().map((parcel, index) => ({ ...parcel, trackNo: `NO${index}` }));
    const histories = new Map(parcels.map(({ id }) => [id, historyOf({ expectedDelivery: '2026-11-23' })]));
    const uids = eventsOf(parcels, histories).map(({ uid }) => uid);
    expect(uids.length).toBeGreaterThan(15);
    expect(new Set(uids).size).toBe(uids.length);
  });

  it('is a valid calendar without parcels', () => {
    const calendar = new ICAL.Component(ICAL.parse(write([])));
    expect(calendar.name).toBe('vcalendar');
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
    expect(calendar.getFirstPropertyValue('prodid')).toMatch(/parcel-monitor/);
    expect(calendar.getAllSubcomponents().map(({ name }) => name)).toEqual(['vtimezone']);
  });

  it('has lines of at most 75 octets that end in CRLF, and keeps any text', () =>
    forAll(hostileText, hostileText, (label, detail) => {
      // The program removes these characters before or during the export.
      const [title, event] = [label, detail].map((text) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ''));
      const text = write([aParcel({ label: title ?? '', lastEvent: aCheckpoint({ detail: event ?? '' }) })]);
      expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
      const [only, ...others] = read(text);
      expect(others).toEqual([]);
      expect(only?.summary).toBe(`${title}: Arrived at a sorting centre`);
      expect(String(only?.description).split('\n')[1]).toBe(event);
    }));

  it('contains no postal codes or phone digits', () => {
    const extras = { postalCode: '50667X', phoneSuffix: '9876' };
    expect(write([aParcel({ extras })])).not.toMatch(/50667X|9876/);
  });
});
