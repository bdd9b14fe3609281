import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activeCourierQuery, parseAddInput, replaceCourier } from '../../../src/board/input/add-input.ts';
import { forAll } from '../../support/for-all.ts';
import { anyText } from '../texts.ts';

const ok = (trackNo: string, courierCode: string | null = null, label: string | null = null): object => ({
  kind: 'ok',
  trackNo,
  courierCode,
  label,
});

describe('parseAddInput', () => {
  it.each([
    ['RB100000005CN', ok('RB100000005CN')],
    ['  rb100000005cn ', ok('RB100000005CN')],
    ['1Z 999 AA1 0123 4567 84', ok('1Z999AA10123456784')],
    ['RB100000005CN @china-post', ok('RB100000005CN', 'china-post')],
    ['RB100000005CN @https://host.example/en/carriers/china-post "Lamp"', ok('RB100000005CN', 'china-post', 'Lamp')],
    ['RB100000005CN @China-Post "Lamp"', ok('RB100000005CN', 'china-post', 'Lamp')],
    ['RB100000005CN "Lamp" @china-post', ok('RB100000005CN', 'china-post', 'Lamp')],
    ['RB10 0000 "Lamp" 005CN', ok('RB100000005CN', null, 'Lamp')],
    ['RB100000005CN “Mamas Lampe”', ok('RB100000005CN', null, 'Mamas Lampe')],
    ['RB100000005CN „Mamas Lampe“', ok('RB100000005CN', null, 'Mamas Lampe')],
    ['RB100000005CN «Лампа»', ok('RB100000005CN', null, 'Лампа')],
    ['RB100000005CN ＠yanwen ＂台灯＂', ok('RB100000005CN', 'yanwen', '台灯')],
    ['RB100000005CN "램프 ของขวัญ مصباح 💡"', ok('RB100000005CN', null, '램프 ของขวัญ مصباح 💡')],
    ['RB100000005CN "not closed @dhl', ok('RB100000005CN', null, 'not closed @dhl')],
    ['RB100000005CN "  "', ok('RB100000005CN')],
    ['RB100000005CN@yanwen"Lamp"', ok('RB100000005CN', 'yanwen', 'Lamp')],
    ['\nRB100000005CN\n', ok('RB100000005CN')],
  ])('reads %j', (text, expected) => expect(parseAddInput(text)).toEqual(expected));

  it('removes escape sequences and invisible characters from a label', () => {
    expect(parseAddInput('RB100000005CN "La\u001b[31mmp\u202e\u200b"')).toEqual(ok('RB100000005CN', null, 'Lamp'));
  });

  it('returns "empty" for blank input', () => expect(parseAddInput('  ')).toEqual({ kind: 'empty' }));

  it.each([
    ['@dhl', 0, /number first/],
    ['"Lamp"', 0, /number first/],
    ['RB100000005CN @', 14, /courier after the @/],
    ['RB100000005CN @dhl @ups', 19, /one courier/],
    ['RB100000005CN @$(touch x)', 14, /not a courier code/],
    ['RB100000005CN "a" "b"', 18, /one label/],
    ['  AB1', 2, /too short/],
    ['RB1000&5CN', 0, /cannot contain "&"/],
    ['RB100000005CN\nRB100000006CN', 14, /Separate them with a comma/],
  ])('reports the problem in %j and its position', (text, at, message) => {
    expect(parseAddInput(text)).toMatchObject({ kind: 'problem', at, message: expect.stringMatching(message) });
  });

  it('parses any text, and reports positions within it', () =>
    forAll(
      fc.oneof(anyText, fc.string({ unit: fc.constantFrom('A', '1', ' ', '@', '"', '“', '\n'), maxLength: 30 })),
      (text) => {
        const input = parseAddInput(text);
        if (input.kind === 'problem') {
          expect(input.message).not.toBe('');
          expect(input.at).toBeGreaterThanOrEqual(0);
          expect(input.at).toBeLessThanOrEqual(text.length);
        }
        expect(input.kind === 'empty').toBe(text.trim() === '');
      },
    ));

  it('parses its own output', () => {
    const number = fc.stringMatching(/^[A-Z]{2}[0-9]{4,20}$/);
    const code = fc.option(fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/));
    const label = fc.option(anyText.filter((text) => text !== '' && !/["“”„‟«»＂]/.test(text)));
    forAll(number, code, label, (trackNo, courierCode, text) => {
      const typed = [trackNo, courierCode === null ? '' : `@${courierCode}`, text === null ? '' : `"${text}"`].join(
        ' ',
      );
      expect(parseAddInput(typed)).toEqual(ok(trackNo, courierCode, text));
    });
  });
});

describe('activeCourierQuery', () => {
  const text = 'RB1234 @dhl-g "La@mp"';

  it('returns the token at or right before the cursor', () => {
    expect(activeCourierQuery(text, 8)).toEqual({ from: 7, to: 13, query: '' });
    expect(activeCourierQuery(text, 11)).toEqual({ from: 7, to: 13, query: 'dhl' });
    expect(activeCourierQuery(text, 13)).toEqual({ from: 7, to: 13, query: 'dhl-g' });
  });

  it('returns null elsewhere, even at an @ inside a label', () => {
    expect(activeCourierQuery(text, 7)).toBeNull();
    expect(activeCourierQuery(text, 3)).toBeNull();
    expect(activeCourierQuery(text, 14)).toBeNull();
    expect(activeCourierQuery(text, 18)).toBeNull();
  });
});

describe('replaceCourier', () => {
  it('replaces the typed text with the code, and moves the cursor after it', () => {
    expect(replaceCourier('RB1234 @dh', { from: 7, to: 10 }, 'dhl-germany')).toEqual({
      text: 'RB1234 @dhl-germany ',
      cursor: 20,
    });
    expect(replaceCourier('RB1234 @dh "Lamp"', { from: 7, to: 10 }, 'dhl')).toEqual({
      text: 'RB1234 @dhl "Lamp"',
      cursor: 12,
    });
  });

  it('yields the same parcel with the new courier', () => {
    const { text, cursor } = replaceCourier('RB1234 @x "Lamp"', { from: 7, to: 9 }, 'yanwen');
    expect(parseAddInput(text)).toEqual(ok('RB1234', 'yanwen', 'Lamp'));
    expect(activeCourierQuery(text, cursor)).toBeNull();
  });
});
