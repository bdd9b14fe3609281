import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  newsDay,
  newsHeading,
  newsList,
  newsParcel,
  newsRow,
  newsTime,
  newsTitle,
  newsWindow,
} from '../../src/board/news-list.ts';
import { lineText, lineWidth } from '../../src/lib/cells.ts';
import { type Change, changeKinds } from '../../src/parcels/change.ts';
import { forAll } from '../support/for-all.ts';
import { aChange, inStage } from './changes.ts';
import { ago, aParcel, berlin, day, hour, minute, now } from './parcels.ts';

const clock = { mode: 'local', zone: berlin } as const;
const text = (change: Change, width = 100, more: Partial<Parameters<typeof newsRow>[1]> = {}): string =>
  lineText(newsRow(change, { ...clock, title: 'Lamp', selected: false, isNew: false, width, ...more }));

describe('newsList', () => {
  test('shows the most recently noticed change first, below day headings', () => {
    const log = [aChange(1, 3 * day), aChange(2, day), aChange(3, day - hour), aChange(4, minute)];
    const rows = newsList(log, clock, 0).rows.map((row) =>
      row.kind === 'change' ? row.change.seq : row.kind === 'day' ? row.date : row.kind,
    );
    expect(rows).toEqual(['2026-11-21', 4, '2026-11-20', 3, 2, '2026-11-18', 1]);
  });

  test('sorts changes that were noticed together by when they happened', () => {
    const log = [
      aChange(1, 2 * hour),
      aChange(2, hour, { at: ago(3 * hour) }),
      aChange(3, hour, { at: ago(9 * hour) }),
      aChange(4, hour, { at: ago(2 * hour) }),
    ];
    expect(newsList(log, clock, 0).changes.map(({ seq }) => seq)).toEqual([4, 2, 3, 1]);
  });

  test('contains each line once, and each day once while clocks run forward', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 * day }), fc.integer({ min: 0, max: 9 * day })), {
      maxLength: 60,
    });
    forAll(steps, (generated) => {
      let at = 400 * day;
      const log = generated.map(([step, before], index) => {
        at -= step;
        return aChange(index + 1, at, { at: ago(at + before) });
      });
      const { changes, rows } = newsList(log, clock, 0);
      expect(changes.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(log.map(({ seq }) => seq));
      const days = rows.flatMap((row) => (row.kind === 'day' ? [row.date] : []));
      expect(days).toEqual([...new Set(days)].toSorted().reverse());
      expect(rows).toHaveLength(changes.length + days.length);
    });
  });
});

describe('newsList by parcel', () => {
  const log = [
    aChange(1, 3 * day, { parcelId: 'lamp' }),
    aChange(2, day, { parcelId: 'kettle' }),
    aChange(3, hour, { parcelId: 'lamp' }),
  ];
  const list = newsList(log, clock, 2, 'parcel');

  test('lists the parcel with the newest change first, with all its changes together', () => {
    const rows = list.rows.map((row) =>
      row.kind === 'change' ? row.change.seq : row.kind === 'parcel' ? [row.newest.parcelId, row.count] : row.kind,
    );
    expect(rows).toEqual([['lamp', 2], 3, 1, ['kettle', 1], 2]);
    expect(list.changes.map(({ seq }) => seq)).toEqual([3, 1, 2]);
    expect(list.newCount).toBe(1);
  });

  test('keeps the heading visible, and shows the day in place of the name', () => {
    const { rows } = newsWindow(list, 1, 9, 2);
    expect(rows.map(({ kind }) => kind)).toEqual(['parcel', 'change']);
    expect(lineText(newsParcel('Lamp', 2, 20))).toBe(' Lamp             2 ');
    expect(text(aChange(1, 3 * day), 80, { title: null }).trimEnd()).toBe(' ▸ 18 Nov 13:42  In transit');
  });
});

describe('changes since the last visit', () => {
  const rowsOf = (log: readonly Change[], seenSeq: number): readonly unknown[] =>
    newsList(log, clock, seenSeq).rows.map((row) => (row.kind === 'change' ? row.change.seq : row.kind));
  const log = [aChange(1, day), aChange(2, 3 * minute), aChange(3, 2 * minute), aChange(4, minute)];

  test('are above a line', () => {
    expect(rowsOf(log, 2)).toEqual(['day', 4, 3, 'seen-before', 2, 'day', 1]);
    expect(rowsOf(log, 1)).toEqual(['day', 4, 3, 2, 'seen-before', 'day', 1]);
  });

  test('have no line if all or none were seen', () => {
    expect(rowsOf(log, 0)).not.toContain('seen-before');
    expect(rowsOf(log, 4)).not.toContain('seen-before');
  });

  test("are counted without the user's changes", () => {
    const own = aChange(5, 0, { change: 'archived' });
    expect(newsList([...log, own], clock, 2).newCount).toBe(2);
    expect(newsList([...log, own], clock, 4).newCount).toBe(0);
    expect(rowsOf([...log, own], 4)).not.toContain('seen-before');
  });

  test('are in the title, if they fit', () => {
    expect(newsHeading(0, 80)).toBe('News');
    expect(newsHeading(14, 31)).toBe('News · 14 since your last visit');
    expect(newsHeading(14, 30)).toBe('News · 14 new');
    expect(newsHeading(14, 10)).toBe('News · 14');
    expect(newsHeading(0, 80, 'dhl')).toBe('News · “dhl”');
    expect(newsHeading(2, 25, 'dhl')).toBe('News · “dhl” · 2 new');
  });
});

describe('newsTime', () => {
  const event = {
    at: ago(day),
    local: '2026-11-20 20:42:00',
    offset: '+08:00',
    certain: true,
    address: null,
    detail: null,
    subStatus: null,
  };
  const departed = aChange(1, minute, { at: ago(day), to: { stage: 'in-transit', lastEvent: event } });

  test.each([
    ['local', '13:41'],
    ['utc', '12:41'],
    ['event', '13:41'],
  ] as const)(
    "is the time at which the change was noticed, in the viewer's zone unless the mode is UTC: %s",
    (mode, expected) => {
      expect(newsTime(departed, { mode, zone: berlin })).toBe(expected);
    },
  );

  test.each(['local', 'utc', 'event'] as const)('never increases below a day heading: %s', (mode) => {
    const anySteps = fc.array(fc.tuple(fc.integer({ min: 0, max: day }), fc.integer({ min: -day, max: 9 * day })));
    forAll(anySteps, (steps) => {
      let at = 20 * day;
      const log = steps.map(([step, before], index) => {
        at -= step;
        const lastEvent = { ...event, at: ago(at + before) };
        return aChange(index + 1, at, { at: lastEvent.at, to: { stage: 'in-transit', lastEvent } });
      });
      let previous = '';
      for (const row of newsList(log, { mode, zone: berlin }, 0).rows) {
        const time = row.kind === 'change' ? newsTime(row.change, { mode, zone: berlin }) : '24:00';
        if (row.kind === 'change') expect(time <= previous).toBe(true);
        previous = time;
      }
    });
  });
});

describe('a news row', () => {
  test('shows the time, the name and the message', () => {
    expect(text(aChange(1, minute, { message: 'In transit - Departed' })).trimEnd()).toBe(
      ' ▸ 13:41  Lamp                        In transit - Departed',
    );
    expect(
      text(aChange(1, minute, inStage('delivered', 'DELIVERED')), 50, { isNew: true, selected: true }).trimEnd(),
    ).toBe('▌✓ 13:41 Lamp         In transit');
  });

  test("is dim for the user's changes", () => {
    const row = newsRow(aChange(1, 0, { change: 'added', from: null }), {
      ...clock,
      title: 'Lamp',
      selected: false,
      isNew: false,
      width: 80,
    });
    expect(row.filter((segment) => segment.text.trim() !== '').every(({ dim }) => dim)).toBe(true);
  });

  test('shows when an event happened if it was noticed later, and never repeats the same text', () => {
    const lastEvent = {
      ...{ local: null, offset: null, certain: true, address: 'Köln, DE', subStatus: 'IN_TRANSIT_02' },
      ...{ at: null, detail: 'Arrived at the sorting centre' },
    };
    const arrivalRow = (before: number): string =>
      text(
        aChange(1, minute, {
          at: ago(before),
          to: { stage: 'in-transit', lastEvent },
          message: 'Arrived at a sorting centre - Arrived at the sorting centre, Köln, DE',
        }),
      );
    expect(arrivalRow(30 * minute)).toMatch(/ 13:41 +Lamp +Arrived at the sorting centre, Köln, DE +$/);
    expect(arrivalRow(4 * hour)).toMatch(/Lamp +09:42 · Arrived at the sorting centre, Köln, DE +$/);
    expect(arrivalRow(day)).toMatch(/Lamp +Fri 13:42 · Arrived/);
    expect(arrivalRow(9 * day)).toMatch(/Lamp +12 Nov 13:42 · Arrived/);
    const german = { ...lastEvent, detail: 'Die Sendung ist im Paketzentrum eingetroffen' };
    const message = 'Arrived at a sorting centre - Die Sendung ist im Paketzentrum eingetroffen';
    expect(text(aChange(1, minute, { to: { stage: 'in-transit', lastEvent: german }, message }), 140)).toContain(
      message,
    );
  });

  test("shows the translation before the courier's wording, and omits a status that repeats it", () => {
    const detail = 'Ihre Sendung ist im Paketzentrum eingetroffen.';
    const lastEvent = { at: null, local: null, offset: null, certain: true, address: 'Köln', detail, subStatus: null };
    const arrived = aChange(1, minute, {
      to: { stage: 'in-transit', lastEvent },
      message: `Arrived at a sorting centre - ${detail}, Köln`,
    });
    const phraseBook = (wording: string): string | null =>
      wording === detail ? 'Arrived at the sorting centre' : null;
    expect(text(arrived, 140, { phraseBook })).toMatch(
      /Lamp +Arrived at the sorting centre, Köln · Ihre Sendung ist im Paketzentrum eingetroffen\. +$/,
    );
    expect(text(arrived, 140)).toMatch(/Lamp +Arrived at a sorting centre - Ihre Sendung [^·]+, Köln +$/);
  });

  test('is exactly as wide as requested', () => {
    const anyInput = fc.record({
      change: fc.constantFrom(...changeKinds),
      message: fc.string({ unit: 'grapheme' }),
      title: fc.string({ unit: 'grapheme' }),
      width: fc.integer({ min: 1, max: 200 }),
      isNew: fc.boolean(),
    });
    forAll(anyInput, ({ change, message, ...input }) => {
      const row = newsRow(aChange(1, 0, { change, message }), { ...clock, selected: input.isNew, ...input });
      expect(lineWidth(row)).toBe(input.width);
    });
    expect(lineWidth(newsDay('2026-11-20', { now, width: 7, zone: berlin }))).toBe(7);
  });

  test("shows the parcel's current name, or its last one if it is gone", () => {
    const change = aChange(1, 0, { parcelId: 'parcel-1', label: 'Lamp' });
    expect(newsTitle(change, [aParcel({ label: 'Red lamp' })])).toBe('Red lamp');
    expect(newsTitle(change, [])).toBe('Lamp');
    expect(newsTitle(aChange(1, 0), [])).toBe('NO1');
  });
});

describe('newsWindow', () => {
  const list = newsList(
    Array.from({ length: 74 }, (_, index) => aChange(index + 1, (74 - index) * 5 * hour)),
    clock,
    60,
  );

  test('shows which changes are visible, and keeps the day heading of the first one', () => {
    const top = newsWindow(list, 74, 0, 12);
    expect([top.first, top.last]).toEqual([1, 9]);
    const bottom = newsWindow(list, 1, 0, 12);
    expect(bottom.last).toBe(74);
    expect(bottom.rows[0]?.kind).toBe('day');
    expect(newsWindow({ changes: [], newCount: 0, rows: [] }, null, 5, 12)).toEqual({
      rows: [],
      offset: 0,
      first: 0,
      last: 0,
    });
  });
});
