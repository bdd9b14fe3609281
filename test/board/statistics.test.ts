import { describe, expect, it } from 'vitest';
import { computeStatistics, sparkline, spreadLine } from '../../src/board/statistics.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aCheckpoint, ago, aParcel, aPendingParcel, aRecord, berlin, day, hour, inStatus, now } from './parcels.ts';

const viewer = { now, zone: berlin };

/** A parcel that was delivered this long ago after this many days. */
function deliveredParcel(days: number, since: number, more: Partial<Parcel> = {}): Parcel {
  const record = aRecord({
    transitStatus: 'DELIVERED',
    transitSubStatus: 'DELIVERED_01',
    transitDays: days,
    shipFrom: 'CN',
    shipTo: 'DE',
  });
  const lastEvent = aCheckpoint({ at: ago(since), subStatus: 'DELIVERED_01' });
  return aParcel({ addedAt: ago(since + days * day), record, lastEvent, ...more });
}

const sample = [
  ...[1, 2, 2, 3, 9].map((days) => deliveredParcel(days, days * hour)),
  deliveredParcel(4, 40 * day, { archivedAt: ago(5 * day), tags: ['gift', 'shop'] }),
  inStatus('held', 'ABNORMAL', null, hour),
  aPendingParcel({ courierCode: null }),
];
const statisticsBy = (grouping: 'courier' | 'country' | 'tag' | 'week', since: number | null = null) =>
  computeStatistics(sample, { by: grouping, since, ...viewer });

describe('statistics', () => {
  it('count parcels, deliveries, days and problems, including archived parcels', () => {
    expect(statisticsBy('courier').all).toMatchObject({
      parcels: 8,
      delivered: 6,
      medianDays: 2,
      p90Days: 9,
      shortestDays: 1,
      longestDays: 9,
      problems: 1,
    });
  });

  it('have a row for each courier, most parcels first, and one for parcels without a courier', () => {
    const rows = statisticsBy('courier').rows.map(({ name, parcels }) => [name, parcels]);
    expect(rows.at(0)).toEqual(['Yanwen', expect.any(Number)]);
    expect(rows).toContainEqual([null, 1]);
    const counts = rows.map(([, parcels]) => Number(parcels));
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });

  it('have a row for each country, tag and week', () => {
    expect(statisticsBy('country').rows[0]).toMatchObject({ name: 'DE' });
    expect(statisticsBy('tag').rows.map(({ name }) => name)).toEqual([null, 'gift', 'shop']);
    // Saturday 21 November is in the week of Monday the 16th.
    expect(statisticsBy('week').rows.at(-1)?.name).toBe('2026-11-16');
    expect(statisticsBy('week').rows.map(({ name }) => name)).toEqual(
      statisticsBy('week')
        .rows.map(({ name }) => name)
        .toSorted(),
    );
  });

  it('omit parcels that were finished before the period', () => {
    expect(statisticsBy('courier', now - 30 * day).all.parcels).toBe(7);
    expect(statisticsBy('courier', now + day).all).toMatchObject({ parcels: 2, delivered: 0 });
  });

  it('count deliveries after the promised day and overdue parcels as late', () => {
    const promisedFor = (date: string) => ({ expectedDelivery: { kind: 'day' as const, date } });
    const parcels = [
      ...['2026-11-19', '2026-11-20'].map((date) => {
        const parcel = deliveredParcel(3, 30 * hour);
        return { ...parcel, record: parcel.record && { ...parcel.record, ...promisedFor(date) } };
      }),
      aParcel({ record: aRecord(promisedFor('2026-11-18')) }),
      aParcel({ record: aRecord(promisedFor('2026-11-25')) }),
    ];
    expect(computeStatistics(parcels, { by: 'courier', since: null, ...viewer }).all.late).toBe(2);
  });

  it('count parcels that were sent back, by the week of their newest event', () => {
    const sentBack = (transitSubStatus: string, eventAgo: number) =>
      aParcel({
        record: aRecord({ transitStatus: 'ABNORMAL', transitSubStatus }),
        lastEvent: aCheckpoint({ at: ago(eventAgo), subStatus: transitSubStatus }),
      });
    const parcels = [sentBack('ABNORMAL_06', hour), sentBack('ABNORMAL_07', 7 * day), sentBack('ABNORMAL_02', hour)];
    const { returnedByWeek } = computeStatistics(parcels, { by: 'courier', since: null, ...viewer });
    expect(returnedByWeek.slice(-3)).toEqual([0, 1, 1]);
  });

  it('count deliveries by week, ending with this week', () => {
    const { deliveredByWeek } = statisticsBy('courier');
    expect(deliveredByWeek).toHaveLength(8);
    expect(deliveredByWeek.at(-1)).toBe(5);
    expect(deliveredByWeek.reduce((sum, count) => sum + count, 0)).toBe(6);
  });
});

describe('charts', () => {
  it('draw the highest bar for the maximum, and the lowest for zero', () => {
    expect(sparkline([0, 1, 4, 8])).toBe('▁▂▅█');
    expect(sparkline([0, 0])).toBe('▁▁');
  });

  it('draw a line from the minimum to the 90th percentile, with a dot at the median', () => {
    const row = { ...statisticsBy('courier').all, shortestDays: 2, medianDays: 4, p90Days: 8, longestDays: 20 };
    expect(spreadLine(row, 10, 11)).toBe('  ━━●━━━━');
    expect(spreadLine({ ...row, medianDays: null }, 10, 11)).toBe('');
  });
});
