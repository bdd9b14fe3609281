import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeFilter } from '../../../src/board/filter-typing.ts';
import { type Completions, completeEntry, completeLast, completeLine } from '../../../src/board/input/completions.ts';
import { forAll } from '../../support/for-all.ts';
import { aParcel } from '../parcels.ts';

const parcels = [
  aParcel({ id: '1', trackNo: 'RB100000005CN', courierCode: 'china-post', label: 'Birthday book', tags: ['gift'] }),
  aParcel({ id: '2', trackNo: 'RB100000014CN', courierCode: 'yanwen', label: 'Élan skis', tags: ['gift', 'far away'] }),
  aParcel({ id: '3', trackNo: '1Z999AA10123456784', courierCode: 'ups', label: null, tags: [] }),
  aParcel({ id: '4', trackNo: 'LX123456785CN', courierCode: null, label: 'Bird "house"', tags: [] }),
];

/** Returns the completions of a line. `|` marks the cursor in the line and in its completions. */
function completionsOf(
  marked: string,
  complete: (text: string, cursor: number) => Completions | null,
): readonly string[] {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = complete(text, cursor);
  return (found?.candidates ?? []).map(
    (candidate) => `${text.slice(0, found?.from)}${candidate}|${text.slice(found?.to)}`,
  );
}

describe('completions of an entry', () => {
  test.each([
    ['rb|', ['RB100000005CN|', 'RB100000014CN|']],
    ['RB100000005CN|', []],
    ['lx1|', ['LX123456785CN|']],
    ['elan|', ['RB100000014CN|']],
    ['Birthday|', ['RB100000005CN|']],
    ['|', []],
    ['nothing|', []],
    ['rb1|00', []],
    ['YT1234567890123, 1z|', ['YT1234567890123, 1Z999AA10123456784|']],
    ['YT1234567890123\n1z|', ['YT1234567890123\n1Z999AA10123456784|']],
    ['YT1234567890123 bir|', ['YT1234567890123 "Birthday book"|']],
    ['YT1234567890123 birthday b|', ['YT1234567890123 "Birthday book"|']],
    ['YT1234567890123 my bir|', ['YT1234567890123 my "Birthday book"|']],
    ['YT1234567890123 "|', ['YT1234567890123 "Birthday book"|', 'YT1234567890123 "Élan skis"|']],
    ['YT1234567890123 "birthday b|"', ['YT1234567890123 "Birthday book"|']],
    ['YT1234567890123 “él|', ['YT1234567890123 "Élan skis"|']],
    ['YT1234567890123 @china-post rb|', []],
  ])('%s', (marked, expected) => {
    expect(completionsOf(marked, (text, cursor) => completeEntry(text, cursor, parcels))).toEqual(expected);
  });

  test('every completion stays within the text and starts at or before the cursor', () => {
    const anyEntry = fc.string({ unit: fc.constantFrom('R', 'b', 'é', ' ', '"', '“', ',', '\n', '@', '耳', '👩‍👩‍👧') });
    forAll(anyEntry, fc.nat(), (text, position) => {
      const cursor = position % (text.length + 1);
      const found = completeEntry(text, cursor, parcels);
      if (found === null) return;
      expect(found.from).toBeGreaterThanOrEqual(0);
      expect(found.from).toBeLessThanOrEqual(cursor);
      expect(found.to).toBeLessThanOrEqual(text.length);
      expect(found.candidates.length).toBeGreaterThan(0);
    });
  });
});

test('a long paste does not slow completion down', () => {
  const text = `${'a1'.repeat(50_000)} "Bir`;
  expect(completeEntry(text, text.length, parcels)?.candidates).toEqual(['"Birthday book"']);
  expect(completeEntry('a1'.repeat(50_000), 100_000, parcels)).toBeNull();
  expect(completeLast('a1'.repeat(50_000), 100_000, ['b'])).toBeNull();
});

test.each([
  ['st|', ['stage:|']],
  ['-cou|', ['-courier:|']],
  ['!sta|', ['!stage:|']],
  ['stage:in|', ['stage:in-transit|']],
  ['lamp tag:|', ['lamp tag:gift|', 'lamp tag:"far away"|']],
  ['tag:"fa|', ['tag:"far away"|']],
  ['courier:ch|', ['courier:china-post|']],
  [
    'is:|',
    ['unread', 'new', 'problem', 'rejected', 'quiet', 'late', 'slow', 'closed', 'snoozed', 'marked'].map(
      (state) => `is:${state}|`,
    ),
  ],
  ['older:3|', []],
  ['colour:b|', []],
  ['birth|', ['"Birthday book"|']],
  ['"birth|', ['"Birthday book"|']],
  ['1z|', ['1Z999AA10123456784|']],
  ['st|age:', []],
  ['|', []],
])('completions of a filter %s', (marked, expected) => {
  expect(completionsOf(marked, (text, cursor) => completeFilter(text, cursor, parcels))).toEqual(expected);
});

describe('completions in a prompt', () => {
  const labels = ['Lamp', 'Lamp', 'Lamp shade', 'Kettle'];

  test.each([
    ['la|', ['Lamp|', 'Lamp shade|']],
    ['Lamp|', ['Lamp shade|']],
    ['l|a', []],
    ['x|', []],
  ])('a label: %s', (marked, expected) => {
    expect(completionsOf(marked, (text, cursor) => completeLine(text, cursor, labels))).toEqual(expected);
  });

  test.each([
    ['Kettle, la|', ['Kettle, Lamp|', 'Kettle, Lamp shade|']],
    ['Kettle, |', ['Kettle, Lamp|', 'Kettle, Lamp shade|']],
    ['Lamp,l|', ['Lamp,Lamp shade|']],
    ['Kettle|', []],
  ])('the last tag of a list: %s', (marked, expected) => {
    expect(completionsOf(marked, (text, cursor) => completeLast(text, cursor, labels))).toEqual(expected);
  });
});
