import { describe, expect, test } from 'vitest';
import { scanText } from '../../src/scan/scan-text.ts';

async function rows(text: string): Promise<readonly string[]> {
  const { numbers } = await scanText(text);
  return numbers.map(({ candidates, courierCode, label, orderNo, trackNo, certainty }) =>
    [trackNo, certainty, courierCode ?? candidates.map(({ name }) => `${name}?`).join(' '), label, orderNo].join(' · '),
  );
}

const german = (separator: string): string =>
  [
    ['Artikel', 'Versender', 'Sendungsnr.', 'Bestellnr.', 'Kundennr.', 'Telefon'],
    ['Lampe', 'DHL', '00340434161094159088', '4711-88', '1234567890', '0228 4333112'],
    ['Buch', 'China Post', 'RB100000003CN', '302-1234567-1234567', '1234567891', '+49 170 1234567'],
    ['Stuhl', 'FedEx', '794643219876', '794643219874', '1234567892', '01701234567'],
  ]
    .map((row) => row.join(separator))
    .join('\n');

const expected = [
  '00340434161094159088 · likely · dhl-germany · Lampe · 4711-88',
  'RB100000003CN · sure · china-post · Buch · 302-1234567-1234567',
  '794643219876 · doubtful · fedex · Stuhl · 794643219874',
];

describe('scanText of a table', () => {
  test.each(['\t', ';', ',', '|'])('uses the columns if they are separated by %j', async (separator) => {
    expect(await rows(german(separator))).toEqual(expected);
  });

  test('uses the columns of an HTML table', async () => {
    const html = german('\t')
      .split('\n')
      .map(
        (row) =>
          `<tr>${row
            .split('\t')
            .map((cell) => `\n  <td>${cell}</td>`)
            .join('')}\n</tr>`,
      );
    expect(await rows(`<table>${html.join('\n')}</table>`)).toEqual(expected);
  });

  test('accepts an empty first cell in HTML', async () => {
    expect(
      await rows(
        '<table><tr><th>Item</th><th>Tracking number</th></tr><tr><td></td><td>RB100000003CN</td></tr></table>',
      ),
    ).toEqual(['RB100000003CN · sure · China Post? China EMS? ·  · ']);
  });

  test('reads quoted cells', async () => {
    expect(await rows('Item,Tracking number,Carrier\n"Lamp, red",1Z879E930346834440,UPS')).toEqual([
      '1Z879E930346834440 · sure · ups · Lamp, red · ',
    ]);
  });

  test('uses no column after the end of the table', async () => {
    expect(await rows('Item;Tracking number\nLamp;1Z879E930346834440\n\nUPS too: 9400111201080805483016')).toEqual([
      '1Z879E930346834440 · sure · UPS? · Lamp · ',
      '9400111201080805483016 · sure · USPS? ·  · ',
    ]);
  });

  test('prefers the column whose heading is about parcels', async () => {
    const text =
      'Name,Number,Title,Fulfillment: Tracking Company,Fulfillment: Tracking Number,Fulfillment: Tracking URL\n#1001,1001,Lamp,DHL Germany,00340434161094159088,https://shop.example/t/00340434161094159088';
    expect(await rows(text)).toEqual(['00340434161094159088 · likely · dhl-germany · Lamp · ']);
  });

  test('reads cells with links and other markup', async () => {
    const text = [
      '# Orders of a shop',
      'order_number;line_item;tracking_provider;tracking_number',
      '4711-88;<p>Lamp</p>;DHL Paket;00340434161094159088',
      '4711-89;<b>Book</b>;UPS;<a href="https://www.ups.com/track?tracknum=1Z879E930346834440">1Z879E930346834440</a>',
      '4711-90;Chair;Freight;77001234.0',
    ];
    const { format, numbers } = await scanText(text.join('\n'));
    expect(format).toBe('text');
    expect(
      numbers.map(({ courierCode, orderNo, trackNo, certainty }) => [trackNo, certainty, courierCode, orderNo]),
    ).toEqual([
      ['00340434161094159088', 'likely', 'dhl-germany', '4711-88'],
      ['1Z879E930346834440', 'sure', 'ups', '4711-89'],
      ['77001234.0', 'doubtful', null, '4711-90'],
    ]);
  });

  test('ignores a courier whose numbers have different formats', async () => {
    expect(await rows('Tracking number;Carrier\n1Z879E930346834440;FedEx')).toEqual([
      '1Z879E930346834440 · sure · UPS? ·  · ',
    ]);
  });

  test('does not mistake a brand for a courier', async () => {
    expect(await rows('Tracking number;Carrier\n1234567890123;DHL')).toEqual([
      '1234567890123 · likely · DHL Express? ·  · ',
    ]);
  });

  test('does not read a sentence with commas as headings', async () => {
    expect(await rows('Hello, parcel, friends\nOrder, 302-1234567-1234567, is sent')).toEqual([]);
  });

  test('ignores other numbers in a table', async () => {
    const text = [
      'Tracking number;Courier;IBAN;Visa;EAN;ISBN;Customer;Date;Phone;Order',
      ';DHL;DE89 3704 0044 0532 0130 00;4111 1111 1111 1111;4006381333931;9783161484100;5012345678;20261122;5551234567;794643219874',
    ];
    expect(await rows(text.join('\n'))).toEqual([]);
  });

  test('reports a number that a spreadsheet has rounded', async () => {
    const { numbers, problems } = await scanText('Order;Tracking number\n1;1,23E+11\n2;RB848719115CN\n3;3.40434E+19\n');
    expect(numbers.map(({ trackNo }) => trackNo)).toEqual(['RB848719115CN']);
    expect(problems.map(({ message, place }) => [place.line, /1,23E\+11|3\.40434E\+19/.exec(message)?.[0]])).toEqual([
      [2, '1,23E+11'],
      [4, '3.40434E+19'],
    ]);
  });
});
