import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFilter, parseFilter } from '../../src/board/filter.ts';
import { filterTokens, narrowingPrefix } from '../../src/board/filter-vocabulary.ts';
import { fold } from '../../src/lib/text.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { stages } from '../../src/service/status.ts';
import { forAll } from '../support/for-all.ts';
import {
  aBoard,
  aCheckpoint,
  ago,
  aParcel,
  aPendingParcel,
  aRecord,
  berlin,
  day,
  hour,
  inStatus,
  now,
} from './parcels.ts';
import { anyText } from './texts.ts';

const viewing = { now, zone: berlin };
const matches = (parcel: Parcel, text: string): boolean => createFilter(text, viewing)(parcel);

const parcel = aParcel({
  label: 'Café crème',
  tags: ['Gift', 'for Ada'],
  courierCode: 'china-post',
  record: aRecord({
    courierNameEN: 'China Post',
    courierNameCN: '中国邮政',
    shipFrom: 'CN',
    shipTo: 'DE',
    lastMile: { trackNo: '00340434161', courierCode: 'dhl-germany', courierName: 'Deutsche Post' },
  }),
  lastEvent: aCheckpoint({ at: ago(3.5 * day), address: 'KÖLN', detail: 'Left at 12:30, see https://example.com/x' }),
  unread: { since: ago(hour), lastRead: null },
});

it('finds a parcel by the courier name that the list shows before the first response', () => {
  const added = aParcel({ courierCode: 'royal-mail', record: null, lastEvent: null });
  for (const text of ['courier:"Royal Mail"', '"royal mail"', 'courier:royal-mail'])
    expect(matches(added, text)).toBe(true);
});

describe('a term', () => {
  it.each([
    ['stage:in-transit', 'stage:delivered'],
    ['STAGE:In-Transit', 'stage:expired'],
    ['courier:china-post', 'courier:ups'],
    ['courier:邮政', 'courier:顺丰'],
    ['courier:dhl', 'courier:"china express"'],
    ['courier:"deutsche post"', 'courier:post-deutsche'],
    ['to:de', 'to:cn'],
    ['from:CN', 'from:de'],
    ['tag:gift', 'tag:gif'],
    ['tag:"for ada"', 'tag:ada'],
    ['is:unread', 'is:late'],
    ['older:3d', 'older:4d'],
    ['older:84h', 'older:85h'],
    ['older:0w', 'older:1w'],
  ])('%s matches, and %s does not', (matching, failing) => {
    // An event of exactly that age does not match, so this one is a millisecond older.
    expect(matches({ ...parcel, lastEvent: aCheckpoint({ at: ago(84 * hour + 1) }) }, matching)).toBe(true);
    expect(matches({ ...parcel, lastEvent: aCheckpoint({ at: ago(84 * hour + 1) }) }, failing)).toBe(false);
    expect(matches(parcel, `!${failing}`)).toBe(true);
    expect(matches(parcel, `cafe ${matching} köln !${failing}`)).toBe(matching !== 'older:84h');
  });

  it('distinguishes late parcels from those on time', () => {
    const record = aRecord({ expectedDelivery: { kind: 'day', date: '2026-11-19' } });
    expect(matches(aParcel({ record }), 'is:late')).toBe(true);
    expect(matches(aParcel(), 'is:late')).toBe(false);
  });

  it.each([
    // Today is Saturday, 21 November.
    ['2026-11-21', ['today', 'week', 'sat'], ['tomorrow', 'sun', 'none', 'fri']],
    ['2026-11-22', ['tomorrow', 'week', 'sun'], ['today', 'mon', 'none']],
    ['2026-11-27', ['week', 'fri'], ['today', 'tomorrow', 'sat']],
    ['2026-11-28', [], ['today', 'week', 'sat', 'none']],
    ['2026-11-20', [], ['today', 'tomorrow', 'week', 'fri', 'none']],
  ])('finds parcels by the expected day: %s', (date, found, missed) => {
    const expected = aParcel({ record: aRecord({ expectedDelivery: { kind: 'day', date } }) });
    for (const day of found) expect(matches(expected, `due:${day}`), day).toBe(true);
    for (const day of missed) expect(matches(expected, `due:${day}`), day).toBe(false);
  });

  it('finds parcels by any of their expected days, and parcels in transit without one', () => {
    const span = { kind: 'day', date: '2026-11-20', until: '2026-11-22' } as const;
    const expected = aParcel({ record: aRecord({ expectedDelivery: span }) });
    for (const day of ['today', 'tomorrow', 'week', 'fri'])
      expect(matches(expected, `due:${day}`), day).toBe(day !== 'fri');
    const unknown = aParcel({ record: aRecord({}) });
    for (const text of ['due:none', 'no:date', '!due:week']) expect(matches(unknown, text), text).toBe(true);
    expect(matches(inStatus('there', 'DELIVERED', 'DELIVERED_01', hour), 'due:none')).toBe(false);
  });

  it('finds parcels by how late they are', () => {
    const late = aParcel({ record: aRecord({ expectedDelivery: { kind: 'day', date: '2026-11-18' } }) });
    expect(['late:2d', 'late:3d', 'late:1w'].map((text) => matches(late, text))).toEqual([true, false, false]);
    expect(matches(aParcel(), 'late:0h')).toBe(false);
  });

  it('finds recent deliveries', () => {
    const delivered = inStatus('there', 'DELIVERED', 'DELIVERED_01', 30 * hour);
    expect(['delivered:1d', 'delivered:2d', 'delivered:1w'].map((text) => matches(delivered, text))).toEqual([
      false,
      true,
      true,
    ]);
    expect(matches(parcel, 'delivered:1w')).toBe(false);
  });

  it('finds parcels by label, order number or missing field', () => {
    const ordered = aPendingParcel({ label: 'Desk lamp', merchant: { orderNo: 'PO-4711' } });
    for (const text of ['label:lamp', 'order:4711', 'no:tag', 'no:event', '!no:order', '!no:label'])
      expect(matches(ordered, text), text).toBe(true);
    for (const text of ['label:desktop', 'order:12', 'no:label']) expect(matches(ordered, text), text).toBe(false);
  });

  it('finds problems and rejected parcels', () => {
    const rejected = aPendingParcel({ registration: 'rejected' });
    expect(['is:rejected', 'is:problem', 'is:new'].map((text) => matches(rejected, text))).toEqual([true, true, false]);
    expect(matches(inStatus('held', 'ABNORMAL', null, hour), 'is:problem')).toBe(true);
    expect(matches(parcel, 'is:new')).toBe(true);
  });

  it('accepts abbreviated values', () => {
    for (const text of ['stage:tra', 'stage:in', 'is:un', '!stage:pick'])
      expect(matches(parcel, text), text).toBe(true);
  });

  it('is an alternative when joined with "or"', () => {
    for (const text of ['stage:pickup or cafe', 'cafe or tea', 'cafe OR', 'tea or köln cafe or', 'tea or !coffee'])
      expect(matches(parcel, text), text).toBe(true);
    for (const text of [
      'tea or coffee',
      'cafe tea or zebra',
      '"tea" "or" cafe "or"',
      'zebra OR',
      'stage:pickup or cafe tea',
    ])
      expect(matches(parcel, text), text).toBe(false);
  });

  it("finds quiet parcels if the courier's usual pace is known", () => {
    const usual = new Map([['yanwen', 2]]);
    const still = aParcel({ lastEvent: aCheckpoint({ at: ago(3 * day) }) });
    expect(createFilter('is:quiet', { ...viewing, usual })(still)).toBe(true);
    expect(createFilter('is:quiet', { ...viewing, usual: new Map([['yanwen', 3]]) })(still)).toBe(false);
    expect(matches(still, 'is:quiet')).toBe(false);
  });

  it('also finds a destination that the user entered', () => {
    expect(matches(aParcel({ record: null, merchant: { country: 'FR' } }), 'to:fr')).toBe(true);
  });

  it('treats a parcel without events as having no age', () => {
    expect(matches(aParcel({ lastEvent: null }), 'older:1h')).toBe(false);
    expect(matches(aParcel({ lastEvent: null }), '!older:1h')).toBe(true);
  });

  it.each(stages)('selects the stage %s', (stage) => {
    const statuses = [
      'ABNORMAL',
      'OUT_FOR_DELIVERY',
      'IN_TRANSIT',
      'INFO_RECEIVED',
      'DELIVERED',
      'EXPIRED',
      'NEW',
      'INIT',
    ];
    const all = [
      ...statuses.map((status) => inStatus(status, status, null, hour)),
      inStatus('pickup', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', hour),
    ];
    expect(all.filter((candidate) => matches(candidate, `stage:${stage}`))).toHaveLength(1);
  });

  it('is ignored if it is invalid, while the rest still applies', () => {
    expect(matches(parcel, 'courir:ups cafe')).toBe(true);
    expect(matches(parcel, 'stage:flying cafe')).toBe(true);
    expect(matches(parcel, 'stage: tea')).toBe(false);
  });
});

describe('words', () => {
  it.each(['-24', 'ref -24', '-', '--is:late', 'not here', '-"not"'])(
    'may begin with a dash or be "not": %s',
    (text) => {
      const label = `Ref -24 --is:late not here -"not"`;
      expect(matches(aParcel({ label }), text)).toBe(true);
      expect(matches(aParcel({ label: 'Lamp' }), text)).toBe(false);
    },
  );

  it.each([
    '12:30',
    'https://example.com/x',
    '"12:30"',
    '"left at 12"',
    '"https://example.com"',
    '！tea',
    '"at 12:30, see"',
  ])('find %s', (text) => expect(matches(parcel, text)).toBe(true));

  it.each(['"at left"', '!cafe', '！köln', '!"left at"', '!!tea', '"café tea'])('do not find %s', (text) =>
    expect(matches(parcel, text)).toBe(false),
  );

  it.each(['!', '!!', '"', '""', '!""', '“”', ' ! ', ''])('match everything if there are none: %j', (text) =>
    expect(matches(parcel, text)).toBe(true),
  );

  it('stay together in typographic or full-width quotes too', () => {
    expect(matches(parcel, '“left at”')).toBe(true);
    expect(matches(parcel, 'tag：＂for ada＂')).toBe(true);
    expect(matches(parcel, '“at left”')).toBe(false);
  });
});

describe('a group', () => {
  it.each([
    '(tea or cafe) china',
    'china (tea or (stage:pickup or cafe))',
    '（tea or cafe） 中国',
    '!(tea or coffee)',
    'not (tea or coffee) cafe',
    '-(cafe tea)',
    '!!(cafe)',
    '(cafe',
    '(cafe or',
    '(cafe or)',
    '() !() cafe',
    '(to:de)(from:cn)',
    '("china post" or tea)',
    'tea or (cafe to:de)',
    '(or or cafe)',
  ])('matches if one of its alternatives does, and combines with the rest: %s', (text) => {
    expect(matches(parcel, text)).toBe(true);
  });

  it.each([
    '(tea or cafe) ups',
    '(tea or coffee) or ups',
    'not (cafe or tea)',
    '-(cafe)',
    '(cafe) (tea)',
    '(cafe tea or',
  ])('excludes the parcel if it does not match: %s', (text) => expect(matches(parcel, text)).toBe(false));

  it('leaves parentheses within a word and in quotes as they are', () => {
    const sizes = aParcel({ label: 'Shirt(s) :) (new)' });
    for (const text of ['shirt(s)', '(tea or shirt(s))', ':)', '"(new)"', '(new)', '(label:shirt(s) or tea)'])
      expect(matches(sizes, text)).toBe(true);
    expect(matches(aParcel({ label: 'Shirts new' }), '"(new)"')).toBe(false);
  });
});

describe('any filter', () => {
  const parcels = [...aBoard(), parcel];
  const piece = fc.oneof(
    anyText,
    fc.constantFrom(
      '!',
      '-',
      'not ',
      ' or ',
      '(',
      ')',
      '"',
      ':',
      ' ',
      '"a b"',
      'stage:',
      'is:unread',
      'older:3d',
      'tag:gift',
      'courier:dhl',
      'lamp',
    ),
  );
  const anyFilter = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));

  it('is split into tokens completely and without overlaps', () =>
    forAll(anyFilter, (text) => {
      const tokens = filterTokens(text);
      let at = 0;
      for (const { end, start } of tokens) {
        expect(text.slice(at, start).trim()).toBe('');
        expect(end).toBeGreaterThan(start);
        at = end;
      }
      expect(text.slice(at).trim()).toBe('');
    }));

  it('can negate a term with a dash or "not", just as with "!"', () =>
    forAll(
      fc.constantFrom('stage:pickup', 'is:unread', 'older:1d', 'courier:dhl', 'tag:"for ada"', 'is:blue', 'x:y'),
      fc.constantFrom('-', 'not ', 'NOT  ', 'not !!', '!!-'),
      anyFilter,
      (term, negation, rest) => {
        const [withBang, withOther] = [`lamp !${term} ${rest}`, `lamp ${negation}${term} ${rest}`].map((text) =>
          parseFilter(text),
        );
        const parts = (filter = parseFilter('')) => ({
          ...filter,
          whole: filter.whole.alternatives.length,
          terms: filter.terms.map(({ term: { name }, value, negated: isNegated }) => ({ name, value, isNegated })),
        });
        expect(parts(withOther)).toEqual(parts(withBang));
      },
    ));

  it('matches only what both match when combined with a second filter', () =>
    forAll(anyFilter, anyFilter, (left, right) => {
      // An open quote or group extends to the end, and a "not" to the term after it.
      const closed = left.replaceAll(/["“”„＂()（）]/g, '').replace(/(?:not\s*)+$/i, '');
      const group = right.replaceAll(/[()（）]/g, '');
      const [first, second, both] = [closed, group, `${narrowingPrefix(closed)}(${group}`].map((text) =>
        createFilter(text, viewing),
      );
      for (const candidate of parcels)
        expect(both?.(candidate)).toBe(first?.(candidate) === true && second?.(candidate) === true);
    }));

  it('finds its own text in a label when quoted', () =>
    forAll(anyText, (text) => {
      const label = text.replaceAll(/["“”„＂]/g, '').trim();
      fc.pre(fold(label) !== '');
      expect(matches(aParcel({ label }), `"${label}"`)).toBe(true);
    }));
});
