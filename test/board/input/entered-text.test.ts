import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddInput, quotes } from '../../../src/board/input/add-input.ts';
import { readEnteredText, withoutComment } from '../../../src/board/input/entered-text.ts';
import { forAll } from '../../support/for-all.ts';
import { anyText } from '../texts.ts';

/** Formats an entry as it is typed in the input bar. Quotes in a label become apostrophes. */
function entryText({ trackNo, courierCode, label }: Extract<AddInput, { kind: 'ok' }>): string {
  const courier = courierCode === null ? '' : ` @${courierCode}`;
  return `${trackNo}${courier}${label === null ? '' : ` "${label.replace(new RegExp(`[${quotes}]`, 'g'), "'")}"`}`;
}

type Entries = readonly (readonly [trackNo: string, courierCode: string | null, label: string | null] | string)[];

const read = (text: string): Entries =>
  readEnteredText(text).map(({ input }) =>
    input.kind === 'ok' ? ([input.trackNo, input.courierCode, input.label] as const) : input.reason,
  );

it.each(['LP;china-post;Umbrella', 'Hello mum, look: here, there', 'Hello\tmum'])(
  'reports a line that does not begin with a number as a single problem, unchanged: %j',
  (line) => {
    expect(readEnteredText(line).map(({ text }) => text)).toEqual([line]);
    expect(read(line)).toEqual([expect.any(String)]);
  },
);

it('starts a new entry at a number that follows text without one', () => {
  expect(read('Hello mum, RB100000045CN')).toEqual([expect.any(String), ['RB100000045CN', null, null]]);
});

describe('a number and a label without quotes', () => {
  it.each([
    ['RB100000045CN Blue socks', ['RB100000045CN', null, 'Blue socks']],
    ['RB100000045CN iPhone 15', ['RB100000045CN', null, 'iPhone 15']],
    ['123456789012 2 socks', ['123456789012', null, '2 socks']],
    ['1Z 999 AA1 01 2345 6784 Mum 2', ['1Z999AA10123456784', null, 'Mum 2']],
    ['RB 100 000 005 CN Blue socks', ['RB100000005CN', null, 'Blue socks']],
    ['RB100000045CN @china-post Blue socks', ['RB100000045CN', 'china-post', 'Blue socks']],
    ['RB100000045CN Blue socks @china-post', ['RB100000045CN', 'china-post', 'Blue socks']],
    ['RB100000045CN – 台灯', ['RB100000045CN', null, '台灯']],
    ['RB100000045CN 🎁', ['RB100000045CN', null, '🎁']],
  ] as const)('are separated in %j', (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  it.each([
    ['1Z 999 AA1 01 2345 6784', '1Z999AA10123456784'],
    ['9400 1000 0000 0000 0000 00', '9400100000000000000000'],
    ['RB 100 000 005 CN', 'RB100000005CN'],
    ['AB 1234 5678 9GB', 'AB123456789GB'],
    ['JD01 4600 0123 4567 8901', 'JD014600012345678901'],
    ['JD 0146 0012 3456 7890 12', 'JD014600123456789012'],
    ['AB 12 345', 'AB12345'],
    ['00340434 1612 3456 7890', '00340434161234567890'],
    ['1234-5678-9012', '123456789012'],
    ['123-12345675', '123-12345675'],
    ['１２３４ ５６７８ ９０１２', '123456789012'],
  ])('are read as a single number if it is grouped the way couriers print it: %j', (text, trackNo) => {
    expect(read(text)).toEqual([[trackNo, null, null]]);
  });

  it.each([
    '1234 5678 9012 Blue socks',
    '1234 5678 9012 2019 calendar',
    '12345678 iPhone15',
    '1Z999AA1 headphones',
    'RB1234 socks',
    '123456789012 15',
    '123456789012 345678901234',
    'LX123456789 TV stand',
    'RB100000045CN socks "Lamp"',
    'Blue socks RB100000045CN',
    'TV 2024',
    'Box 12345',
    'Lamp 1234 5678',
  ])('are reported as a problem if ambiguous: %j', (text) => {
    expect(read(text)).toEqual([expect.stringMatching(/^(?:unclear|no-number|label)$/)]);
  });

  it('never merge: no letter from a word without digits ends up in the number', () => {
    const word = fc.stringMatching(/^[A-Za-zäß台]{3,12}$/);
    const number = fc.oneof(
      fc.stringMatching(/^[A-Z]{2}\d{9}[A-Z]{2}$/),
      fc.stringMatching(/^\d{9,30}$/),
      fc.stringMatching(/^\d{3,4}( \d{4}){1,4}$/),
      fc.stringMatching(/^[A-Z0-9]{1,12}\d{4}$/),
    );
    forAll(number, fc.array(word, { minLength: 1, maxLength: 4 }), (trackNo, label) => {
      const [entry, ...others] = read(`${trackNo} ${label.join(' ')}`);
      expect(others).toEqual([]);
      if (typeof entry === 'string') return;
      expect(entry).toEqual([trackNo.replaceAll(' ', ''), null, label.join(' ')]);
    });
  });
});

describe('columns', () => {
  it.each([
    ['RB520000005CN\tBlue socks', [['RB520000005CN', null, 'Blue socks']]],
    ['LX900000005CN,Hat', [['LX900000005CN', null, 'Hat']]],
    ['LX900000005CN,china-post', [['LX900000005CN', 'china-post', null]]],
    ['LX900000005CN;china-post;Hat', [['LX900000005CN', 'china-post', 'Hat']]],
    ['LX900000005CN;china-post;Hat, red', [['LX900000005CN', 'china-post', 'Hat, red']]],
    ['LX900000005CN\t\tHat', [['LX900000005CN', null, 'Hat']]],
    ['LX900000005CN;4px;2024', [['LX900000005CN', '4px', '2024']]],
    ['LX900000005CN,"Hat, red"', [['LX900000005CN', null, 'Hat, red']]],
    ['LX900000005CN @yanwen, Hat', [['LX900000005CN', 'yanwen', 'Hat']]],
    ['LX900000005CN;;', [['LX900000005CN', null, null]]],
    ['LX900000005CN,2024', ['unclear']],
    ['LX900000005CN,Hat,china-post', ['unclear']],
    ['LX900000005CN,RB1000&5CN', ['unclear']],
    ['LX900000005CN;dhl;Hat;more', ['unclear']],
    ['LX900000005CN @dhl;ups;Hat', ['unclear']],
  ] as const)('are read as number, courier and label, or reported as unclear: %j', (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  it('are separate entries if they contain numbers', () => {
    expect(read('RB123456785GB, 1Z999AA10123456784 @ups; AB12345,\tLX900000005CN "Lamp"')).toEqual([
      ['RB123456785GB', null, null],
      ['1Z999AA10123456784', 'ups', null],
      ['AB12345', null, null],
      ['LX900000005CN', null, 'Lamp'],
    ]);
    expect(read('Hats, RB123456785GB')).toEqual(['no-digit', ['RB123456785GB', null, null]]);
  });
});

describe('lines', () => {
  it('are separate entries that keep their line numbers', () => {
    const entries = readEnteredText('RB123456785GB\r\n\nsocks\nAB12345, AB12346');
    expect(entries.map(({ line, text }) => [line, text])).toEqual([
      [1, 'RB123456785GB'],
      [3, 'socks'],
      [4, 'AB12345'],
      [4, 'AB12346'],
    ]);
  });

  it('lose their comments, but keep a # in a label', () => {
    expect(withoutComment('# mine')).toBe('');
    expect(withoutComment('AB12345 # lamp')).toBe('AB12345');
    expect(withoutComment('AB12345 "Box # 2" # "x')).toBe('AB12345 "Box # 2"');
  });
});

describe('any text', () => {
  const entered = fc.oneof(
    anyText,
    fc.string({ unit: fc.constantFrom('A', '1', '2', ' ', '@', '"', '“', '\n', ',', ';', '\t', '#'), maxLength: 40 }),
  );

  it('is parsed without loss', () => {
    const withoutSeparators = (text: string): string => text.replace(/[\s,;]+/g, '');
    forAll(entered, (text) => {
      const entries = readEnteredText(text);
      expect(withoutSeparators(entries.map((entry) => entry.text).join(''))).toBe(withoutSeparators(text));
    });
  });

  it('yields the same parcels when its entries are parsed again', () =>
    forAll(entered, (text) => {
      for (const { input } of readEnteredText(text)) {
        if (input.kind !== 'ok') continue;
        const reparsed = readEnteredText(entryText(input)).map((entry) => entry.input);
        expect(reparsed).toEqual([{ ...input, label: input.label?.replace(/["“”„‟«»＂]/g, "'") ?? null }]);
      }
    }));
});
