import { describe, expect, it } from 'vitest';
import { parcelsText, parcelTable } from '../../src/commands/list.ts';
import { plainPainter } from '../../src/lib/paint.ts';
import { renderTable } from '../../src/lib/table.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aParcel, aRecord, berlin, day, hour, inStatus, now } from '../board/parcels.ts';

const tableOf = (parcels: readonly Parcel[], width: number | null, isPaused = false): string =>
  renderTable(parcelTable(parcels, { now, zone: berlin, isPaused, width }), width, plainPainter('symbols'));

function rowOf(parcel: Parcel, isPaused = false): string {
  return tableOf([parcel], null, isPaused).split('\n')[1] ?? '';
}

describe('a table row', () => {
  it('marks stale data in words', () => {
    expect(rowOf(aParcel({ record: aRecord({ trackingStatus: '005' }) }))).toContain(
      'Arrived at a sorting centre (may be old)',
    );
    expect(rowOf(aParcel())).not.toContain('old');
  });

  it('ends with the next check unless checks are paused', () => {
    const due = aParcel({ nextPollAt: '2026-11-21T13:20:00.000Z' });
    expect(rowOf(due)).toMatch(/ 14:20$/);
    expect(rowOf(due, true)).toMatch(/ paused$/);
    expect(rowOf(aParcel({ nextPollAt: null }), true)).not.toContain('paused');
  });

  it('says what its courier needs', () => {
    const record = aRecord({ transitStatus: 'NO_RECORD', transitSubStatus: null });
    expect(rowOf(aParcel({ courierCode: 'postnl', record }))).toContain('Needs a postal code');
  });
});

describe('the row of an expected parcel', () => {
  it('says when the parcel is expected', () => {
    const expectedDelivery = { kind: 'day', date: '2026-11-23' } as const;
    expect(rowOf(aParcel({ record: aRecord({ expectedDelivery }) }))).toMatch(/ {2}Leipzig, DE {2}Mon 23 Nov {2}/);
    const late = { kind: 'day', date: '2026-11-16' } as const;
    expect(rowOf(aParcel({ record: aRecord({ expectedDelivery: late }) }))).toContain('was expected Mon 16 Nov');
  });

  it('says "out today" only on the day of delivery', () => {
    const out = (eventAgo: number) => rowOf(inStatus('a', 'OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01', eventAgo));
    expect(out(hour)).toMatch(/^▲ Out today .* Out for delivery {2}/);
    expect(out(3 * day)).toMatch(/^▲ Out .* Out for delivery since Wed {2}/);
    expect(rowOf(inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_03', hour))).toMatch(/^▲ Postponed /);
    expect(rowOf(inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 2 * day))).toContain('waiting 2 d');
  });
});

describe('a table of parcels in a narrow terminal', () => {
  const pickup = (label: string | null) => ({
    ...inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 2 * day),
    trackNo: 'RB123456785CN',
    label,
  });

  it('shows a symbol instead of the stage, shows numbers only if there is no label, and leaves room for the status', () => {
    const label = 'Plant pot; terracotta, 28 cm, with a saucer';
    const [head = '', lamp = '', nameless = ''] = tableOf([pickup(label), pickup(null)], 80).split('\n');
    expect(head).toMatch(/^ {3}PARCEL {2,}COURIER/);
    expect(head).not.toMatch(/STAGE|NUMBER/);
    expect(lamp).toMatch(/^◆ {2}Plant pot; terracotta, 28 c… {2}/);
    expect(nameless).toMatch(/^◆ {2}RB123456785CN {2}/);
    for (const row of [lamp, nameless]) expect(row).toContain('Ready for pick-up, waiting 2 d');
    expect(tableOf([pickup(label)], 119)).not.toContain('STAGE');
    expect(tableOf([pickup(label)], 120)).toContain('STAGE');
    for (const width of [20, 40, 60]) expect(tableOf([pickup(null)], width)).toContain('RB123456785CN');
  });

  it('keeps every chosen column', () => {
    const columns = ['label', 'place', 'next'] as const;
    const table = parcelTable([pickup('Lamp')], { now, zone: berlin, isPaused: false, width: 30, columns });
    expect(renderTable(table, 30, plainPainter('symbols')).split('\n')[0]).toMatch(/^LABEL +PLACE +NEXT$/);
  });
});

it('prints all columns of the table to a pipe', () => {
  const columns = (
    tableOf([aParcel({ label: null, lastEvent: null, nextPollAt: null })], null).split('\n')[0] ?? ''
  ).split(/ {2,}/);
  expect(columns).toEqual(['STAGE', 'NUMBER', 'LABEL', 'COURIER', 'STATUS', 'PLACE', 'EXPECTED', 'AGE', 'NEXT']);
});

const list = { version: 1, parcels: [], rest: null };
const many = Array.from({ length: 250 }, (_, index) => ({
  trackNo: `RB${index}CN`,
  label: index % 2 === 0 ? 'a\nb' : '件',
}));
const textOf = (parcels: readonly object[], space: 0 | 2): string =>
  [...parcelsText(list, parcels, (parcel) => parcel, space)].join('');

it.each([0, 2] as const)('prints the same JSON with any indentation (%s)', (space) => {
  for (const count of [0, 1, 2, 100, 101, 250]) {
    const parcels = many.slice(0, count);
    const text = textOf(parcels, space);
    expect(JSON.parse(text)).toEqual({ ...list, parcels });
    expect(text.endsWith('\n')).toBe(true);
  }
});

it.each([0, 1, 101])('indents JSON as JSON.stringify does (%s parcels)', (count) => {
  const parcels = many.slice(0, count);
  const { parcels: _, ...others } = list;
  expect(textOf(parcels, 2)).toBe(`${JSON.stringify({ ...others, parcels }, null, 2)}\n`);
});

it('prints JSON with one line per parcel if it is not indented', () => {
  const lines = textOf(many, 0).split('\n');
  expect(lines[0]).toBe('{"version":1,"rest":null,"parcels":[');
  expect(lines.slice(1, 3)).toEqual(['{"trackNo":"RB0CN","label":"a\\nb"},', '{"trackNo":"RB1CN","label":"件"},']);
  expect(lines.slice(-3)).toEqual(['{"trackNo":"RB249CN","label":"件"}', ']}', '']);
});

it('converts a batch of parcels at a time, to limit memory', () => {
  const converted: object[] = [];
  const convert = (parcel: object): object => {
    converted.push(parcel);
    return parcel;
  };
  const chunks = parcelsText(list, many, convert, 0);
  chunks.next();
  expect(converted).toHaveLength(0);
  chunks.next();
  expect(converted).toHaveLength(100);
});
