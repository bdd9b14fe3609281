import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseTrackNo } from '../../src/lib/track-number.ts';
import { maxNumbers } from '../../src/scan/found-number.ts';
import { scanText } from '../../src/scan/scan-text.ts';
import { anyCharacter } from '../support/any-character.ts';
import { forAllAsync } from '../support/for-all.ts';
import { rounds } from '../support/rounds.ts';

async function found(text: string): Promise<readonly string[]> {
  const { numbers } = await scanText(text);
  return numbers.map(({ certainty, trackNo }) => `${trackNo} ${certainty}`);
}

describe('numbers in a page', () => {
  test.each([
    '<div style="display:none">X</div>',
    '<div style="color: red; DISPLAY : none !important"><p><b>X</b></p></div>',
    '<span style="visibility:hidden">X</span>',
    '<p style="font-size:0px;color:#fff">X</p>',
    '<td style="max-height:0;overflow:hidden">X</td>',
    '<div style="height:0px;overflow:hidden">X</div>',
    '<p hidden>X</p>',
    '<p style="opacity:0.0">X</p>',
    '<div style="display:none"><a href="https://www.ups.com/track?tracknum=1Z999AA10123456784">here</a></div>',
  ])('are doubtful if they are hidden: %s', async (html) => {
    const page = `<!doctype html><p>Hello</p>${html.replace('X', '1Z999AA10123456784')}<p>Parcel RB848719115CN</p>`;
    expect((await found(page)).toSorted()).toEqual(['1Z999AA10123456784 doubtful', 'RB848719115CN sure']);
    expect((await found(`${page}<p>UPS 1Z999AA10123456784</p>`)).toSorted()[0]).toBe('1Z999AA10123456784 sure');
  });

  test.each([
    '<td style="font-size:0px;padding:20px"><div style="font-size:13px">X</div></td>',
    '<td style="min-height:0;line-height:0">X</td>',
    '<div style="display:none">Preview</div><img hidden><p style="opacity:0.8;width:0.5em">X</p>',
    '<p style="max-height:0.5em; font-size:0.9em">X</p>',
  ])('keep their certainty if they are visible: %s', async (html) => {
    expect(await found(`<!doctype html><table>${html.replace('X', '1Z999AA10123456784')}</table>`)).toEqual([
      '1Z999AA10123456784 sure',
    ]);
  });
});

describe('numbers in plain text', () => {
  test.each([
    ['a UPS number in groups', 'Tracking number: 1Z 879 E93 03 4683 4440', ['1Z879E930346834440 sure']],
    ['a postal number in groups', 'Sent as RB 123 456 785 GB today', ['RB123456785GB sure']],
    ['a USPS number in groups', '9400 1112 0108 0805 4830 16', ['9400111201080805483016 sure']],
    ['a number after a word such as "number"', 'Sendungsnummer 00340434161094000007', ['00340434161094000007 likely']],
    ['a number in Chinese text', '单号：SF1234567890123已发货', ['SF1234567890123 likely']],
    [
      "a number after a courier's name",
      'the dhl one is 3318810025, fedex 7905 3531 2317',
      ['3318810025 likely', '790535312317 likely'],
    ],
    ['a Swiss Post number', 'Sendungsnummer 99.60.100092.72540921', ['996010009272540921 likely']],
    ['a DHL Paket number after an article', 'Artikel Hut 00340434161094000007', ['00340434161094000007 doubtful']],
    ['a number on a separate line', '12345678901', ['12345678901 likely']],
  ])('are found in %s', async (_, text, expected) => expect(await found(text)).toEqual(expected));

  test.each([
    ['an order number', 'Your order 302-1234567-1234567 was shipped'],
    ['a telephone number', 'Call +49 170 1234567 today'],
    ['numbers on a bill', 'Rechnungsnr. 202611220815, Kundennummer: 1234567890\nIBAN DE89 3704 0044 0532 0130 00'],
    ['a telephone number without punctuation', 'call me 5551234567 or 0228/4333118'],
    ['part of a longer series of groups', 'here 7905 3531 2317 0000 1111 22 too'],
    ['a credit card', 'DHL, paid with VISA 4111 1111 1111 1111 or card 4111111111111111'],
    ['a telephone number next to a courier', 'FedEx 1 800 463 3339, DHL Hotline 0228 4333112, UPS: +49 1806 882663'],
    ['an IBAN next to a courier', 'DHL IBAN DE89 3704 0044 0532 0130 00'],
    ['an EAN', 'EAN 4006381333931'],
    ['an ISBN', 'ISBN 978-3-16-148410-0 or ISBN 9783161484100'],
    ["a shop's order number", 'FedEx order no. 794643219876'],
    ['a customer number', 'DHL Kundennummer: 5012345678'],
    ['a date next to a courier', 'DHL 22.11.2026 and UPS 2026-11-22 10:15'],
    ['dates', 'on 2026-11-22 10:00 and 20261122'],
    ['a UUID', '550e8400-e29b-41d4-a716-446655440000'],
    ['a hash', 'commit deadbeef0123456789deadbeef0123456789'],
  ])('are not found in %s', async (_, text) => expect(await found(text)).toEqual([]));

  test('are listed once, with all their places', async () => {
    const { numbers } = await scanText('RB123456785GB\n\nrb123456785gb');
    expect(numbers).toHaveLength(1);
    expect(numbers[0]?.places.map(({ line }) => line)).toEqual([1, 3]);
  });

  test('get the courier and the label that follow them', async () => {
    const { numbers } = await scanText(
      'RB123456785GB @yodel "Lamp, red"\n1Z879E930346834440 “Book”\n9400111201080805483016 @home',
    );
    expect(numbers.map(({ courierCode, label }) => [courierCode, label])).toEqual([
      ['yodel', 'Lamp, red'],
      [null, 'Book'],
      ['home', null],
    ]);
    const couriers = [{ code: 'usps', nameEN: 'USPS', nameCN: null, homePage: null }];
    expect((await scanText('9400111201080805483016 @home', { couriers })).numbers[0]?.courierCode).toBeNull();
  });

  test('get candidates from their format, but no courier', async () => {
    const { numbers } = await scanText('RB123456785GB');
    expect(numbers[0]).toMatchObject({ courierCode: null, candidates: [{ courierCode: 'royal-mail' }, {}] });
  });
});

async function foundWithCandidates(text: string): Promise<readonly string[]> {
  const { numbers } = await scanText(text);
  return numbers.map(({ candidates, certainty, trackNo }) =>
    [trackNo, certainty, ...candidates.map(({ name }) => name)].join(' '),
  );
}

describe('a number with a wrong check digit', () => {
  test.each([
    [
      'next to a different number',
      'RB100000005CN 1Z879E930346834440',
      ['RB100000005CN doubtful', '1Z879E930346834440 sure'],
    ],
    [
      'in a sentence',
      'my numbers: RB100000005CN and LX123456780CN',
      ['RB100000005CN doubtful', 'LX123456780CN doubtful'],
    ],
    ['after an order', 'Order 4711: RB100000005CN', ['RB100000005CN doubtful']],
    ['in groups', 'it is RB 100 000 005 CN today', ['RB100000005CN doubtful']],
    ['USPS in groups', 'usps says 9405 5036 9930 0124 2878 99 here', ['9405503699300124287899 doubtful']],
    ['DHL Paket', 'DHL Sendungsnummer 00340434161094159086', ['00340434161094159086 doubtful']],
    ['DHL Paket after an article', 'Artikel Hut 00340434161094000006', ['00340434161094000006 doubtful']],
    ['alone', '00340434161094159086', ['00340434161094159086 doubtful']],
  ])('is doubtful: %s', async (_, text, expected) => expect(await found(text)).toEqual(expected));

  test('is listed with the format that was probably meant', async () => {
    const { numbers } = await scanText('FedEx 794643219876');
    expect(numbers).toMatchObject([{ issue: 'check-digit', candidates: [{ name: 'FedEx' }] }]);
  });

  test('does not include the next word as its country', async () => {
    expect(await found('my LX123456780 TV stand')).toEqual([]);
  });
});

test.each([
  ['before it', 'FedEx tracking number 794643219876', ['794643219876 doubtful FedEx']],
  ['before its groups', 'FedEx 7946 4321 9876', ['794643219876 doubtful FedEx']],
  ['before its groups, with a correct check digit', 'FedEx 7946 4321 9874', ['794643219874 likely FedEx']],
  ['in the line above', 'FedEx\n794643219876', ['794643219876 doubtful FedEx']],
  [
    'after it',
    'RB100000003CN (China Post), LX123456785CN (China EMS)',
    ['RB100000003CN sure China Post China EMS', 'LX123456785CN sure China Post China EMS'],
  ],
  ['in its row', 'China Post\tRB100000003CN\t2026-11-22', ['RB100000003CN sure China Post']],
  ['whose format has no check digit', 'GLS 794643219874', ['794643219874 likely GLS']],
  ['without a known format', 'Evri parcel 12345678901', ['12345678901 likely Evri']],
  ['as a brand of several couriers', 'DHL 00340434161094159088', ['00340434161094159088 likely DHL Paket']],
  [
    'and a second one',
    'by FedEx and DHL: 1Z879E930346834440, RB123456785GB, 9400111201080805483016',
    ['1Z879E930346834440 sure UPS', 'RB123456785GB sure Royal Mail Parcelforce', '9400111201080805483016 sure USPS'],
  ],
  [
    'and a second one, with wrong check digits',
    'by FedEx and DHL: 1Z879E930346834441, RB123456786GB, 9400111201080805483017',
    [
      '1Z879E930346834441 doubtful UPS',
      'RB123456786GB doubtful Royal Mail Parcelforce',
      '9400111201080805483017 doubtful USPS',
    ],
  ],
  ['for each of two numbers', 'FedEx 794643219874, GLS 794643219874', ['794643219874 likely FedEx GLS']],
  ['after an unrelated word', 'Artikel Lampe; DHL; 00340434161094159088', ['00340434161094159088 likely DHL Paket']],
])('uses a courier named nearby to decide between formats: %s', async (_, text, expected) => {
  expect(await foundWithCandidates(text)).toEqual(expected);
});

describe('scanText', () => {
  const pieces = fc.constantFrom(
    '1Z879E930346834440',
    'RB123456785GB',
    ' ',
    '-',
    '\n',
    '\t',
    '<a href="',
    '">',
    '<p>',
    '</table>',
    'From: a\nSubject: b\n',
    '\nFrom x\n',
    'https://',
    '%25',
    '\u202e',
    '\u200b',
    '１２３４５６７８９',
    '\ufdfa',
    '\ud800',
    '{"@type":"ParcelDelivery","trackingNumber":',
    '<script type="application/ld+json">',
    '--b',
    '=3D',
    '12 ',
    'Tracking: ',
  );

  test('returns each number in any text once, in a form that can be saved', () =>
    forAllAsync(
      rounds(60),
      fc.array(fc.oneof(pieces, fc.string({ unit: anyCharacter })), { maxLength: 40 }),
      async (parts) => {
        const { numbers } = await scanText(parts.join(''));
        expect(new Set(numbers.map(({ trackNo }) => trackNo)).size).toBe(numbers.length);
        for (const { trackNo } of numbers) expect(normaliseTrackNo(trackNo)).toEqual({ ok: true, trackNo });
      },
    ));

  test('reads any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expect((await scanText(bytes)).leftOut).toBe(0);
      }),
    );
  });

  test.each([
    ['groups of digits', '1234 '],
    ['single digits', '1 '],
    ['capitals', 'A B1 '],
    ['a single word', '1'],
    ['open tags', '<p><b>'],
    ['halves of links', 'https://x/?a=https://'],
    ['percent signs', 'https://ups.com/%25252525'],
    ['quotes', '"\'<a '],
    ['headers', 'From: x\n'],
  ])('takes little time for very long input: %s', async (_, piece) => {
    expect((await scanText(piece.repeat(rounds(20_000)))).numbers).toEqual([]);
  });

  test('returns a thousand numbers', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `Parcel ${index}: LP${String(index).padStart(14, '0')}`);
    expect((await scanText(lines.join('\n'))).numbers).toHaveLength(1000);
  });

  test('stops when it is aborted', async () => {
    const stop = new AbortController();
    const scan = scanText('12345678901\n'.repeat(20_000), { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(scan).rejects.toThrow('enough');
  });

  test.each([
    ['a single line', 'abc 12345678 '],
    ['a page', '<p>abc 12345678</p>'],
    ['a page without text', '<p><img src="x"></p>'],
    ['many lines', 'abc 12345678\n'],
  ])('stops when it is aborted during the scan: %s', async (_, piece) => {
    const stop = new AbortController();
    const scan = scanText(piece.repeat(60_000), { signal: stop.signal });
    setImmediate(() => stop.abort(new Error('enough')));
    await expect(scan).rejects.toThrow('enough');
  });

  test('reports its progress if the text is long', async () => {
    const shares: number[] = [];
    const line = 'Your order is on its way to you, and comes by post. '.repeat(20);
    await scanText(`${line}\n`.repeat(3_125), { onProgress: (share) => shares.push(share) });
    expect([...new Set(shares.map((share) => Math.round(share * 10)))]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('says how many numbers were left out if there are too many', async () => {
    const numbers = Array.from({ length: maxNumbers + 5 }, (_, index) => `LP${String(index).padStart(14, '0')}`);
    const scan = await scanText([...numbers, ...numbers].join('\n'));
    expect(scan.numbers).toHaveLength(maxNumbers);
    expect(scan.numbers.every(({ candidates, places }) => candidates.length > 0 && places.length === 2)).toBe(true);
    expect(scan.leftOut).toBe(5);
  });
});
