import { describe, expect, test } from 'vitest';
import { scanText } from '../../src/scan/scan-text.ts';

const html = `<html><head><script type="application/ld+json">
[{"@context":"http://schema.org","@type":"ParcelDelivery","carrier":{"@type":"Organization","name":"FedEx"},
"itemShipped":{"@type":"Product","name":"iPod Mini"},"trackingNumber":"3453291231"}]</script></head><body>
<div itemscope itemtype="https://schema.org/ParcelDelivery">
 <div itemprop="provider" itemscope itemtype="http://schema.org/Organization"><meta itemprop="name" content="Royal Mail"></div>
 <meta itemprop="trackingNumber" content="AB123456789GB">
 <div itemprop="itemShipped" itemscope><span itemprop="name">Teapot &amp; cup</span></div>
</div>
<p>Your tracking number is <b>1Z</b>879E930346834440</p>
<table><tr><td>Sendung</td><td>JJD0002257639032011</td></tr></table>
<style>.x { width: 9400111201080805483016px }</style>
<a href="https://www.ups.com/track?tracknum=1Z5R89390357567127">here</a></body></html>`;

const mail = (number = '94015902'): string =>
  [
    'Return-Path: <shop@example.org>',
    'From: Shop <shop@example.org>',
    'Subject: =?utf-8?Q?Ihre_Bestellung_f=C3=BCr_Anna?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Sendungsnummer: 003404341610=',
    `${number} f=FCr Sie`,
    '--b',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('<p>Sent with USPS: <b>9400111201080805483016</b></p>').toString('base64'),
    '--b',
    'Content-Type: text/csv',
    'Content-Disposition: attachment; filename="parcels.csv"',
    '',
    'Tracking,Item\r\nRB123456785GB,Lamp',
    '--b--',
    '',
  ].join('\r\n');

describe('numbers in HTML', () => {
  test('come first from machine-readable data, with courier and item, then from links, then from the text', async () => {
    const { format, numbers, problems } = await scanText(html);
    expect({ format, problems }).toEqual({ format: 'html', problems: [] });
    expect(numbers.map(({ courierCode, evidence, label, trackNo }) => [trackNo, evidence, courierCode, label])).toEqual(
      [
        ['3453291231', 'parcel-delivery', 'fedex', 'iPod Mini'],
        ['AB123456789GB', 'parcel-delivery', 'royal-mail', 'Teapot & cup'],
        ['1Z5R89390357567127', 'link', 'ups', null],
        ['1Z879E930346834440', 'check-digit', null, null],
        ['JJD0002257639032011', 'pattern', null, null],
      ],
    );
  });

  test('have the line in the source as their place', async () => {
    const { numbers } = await scanText(html);
    expect(numbers.find(({ trackNo }) => trackNo === '1Z879E930346834440')?.places[0]?.line).toBe(9);
  });

  test('get their order and courier from microdata in text and links at any depth', async () => {
    const { numbers } =
      await scanText(`<div itemscope itemtype="http://schema.org/Order"><div itemprop="orderDelivery" itemscope
      itemtype="http://schema.org/ParcelDelivery"><p>No. <b itemprop="trackingNumber">1234<i>5678901</i></b></p>
      <link itemprop="trackingUrl" href="https://www.ups.com/track?tracknum=12345678901">
      <div itemprop="partOfOrder" itemscope><span itemprop="orderNumber">4711-88</span></div></div></div>`);
    expect(numbers).toHaveLength(1);
    expect(numbers[0]).toMatchObject({ trackNo: '12345678901', evidence: 'parcel-delivery', orderNo: '4711-88' });
  });

  test('are found despite malformed machine-readable data, which is reported', async () => {
    const { numbers, problems } = await scanText(
      '<script type="application/ld+json">{"@type":"ParcelDelivery",</script><p>1Z879E930346834440</p>',
    );
    expect(numbers).toHaveLength(1);
    expect(problems[0]?.message).toMatch(/malformed/);
  });

  test("get their courier by its name in the service's list", async () => {
    const couriers = [{ code: 'quick-bike', nameEN: 'Quick Bike', nameCN: null, homePage: null }];
    const { numbers } = await scanText(html.replace('FedEx', 'Quick Bike'), { couriers });
    expect(numbers[0]).toMatchObject({ courierCode: 'quick-bike', candidates: [{ name: 'Quick Bike' }] });
    // The service does not list Royal Mail.
    expect(numbers[1]).toMatchObject({ courierCode: null, candidates: [{ courierCode: null, name: 'Royal Mail' }] });
  });
});

describe('numbers in emails', () => {
  test('are found in every encoded part, including attachments', async () => {
    const { format, numbers } = await scanText(new TextEncoder().encode(mail()));
    expect(format).toBe('mail');
    const subject = 'Ihre Bestellung für Anna';
    expect(numbers.map(({ places: [place], trackNo }) => [trackNo, place])).toEqual([
      ['9400111201080805483016', { message: null, part: 'HTML', subject, line: 1 }],
      ['00340434161094015902', { message: null, part: 'text', subject, line: 1 }],
      ['RB123456785GB', { message: null, part: 'parcels.csv', subject, line: 2 }],
    ]);
  });

  test.each([
    ['', '\n'],
    ['\ufeff', '\r\n'],
  ])('are found email by email in an mbox: %j, %j', async (start, lineEnd) => {
    const line = `From shop@example.org Mon Jan  5 10:00:00 2026${lineEnd}`;
    const { format, numbers } = await scanText(`${start}${line}${mail()}${lineEnd}${line}${mail('94015810')}`);
    expect(format).toBe('mailbox');
    expect(numbers.map(({ trackNo, places }) => [trackNo, places.map(({ message }) => message)])).toEqual([
      ['9400111201080805483016', [1, 2]],
      ['00340434161094015902', [1]],
      ['RB123456785GB', [1, 2]],
      ['00340434161094015810', [2]],
    ]);
  });

  /** Returns an email that forwards the given one as an attachment, as email programs do. */
  const forwarding = (attached: string, disposition: string): string =>
    [
      'From: Anna <anna@example.org>',
      'Subject: Look',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="outer"',
      '',
      '--outer',
      'Content-Type: message/rfc822',
      ...(disposition === '' ? [] : [`Content-Disposition: ${disposition}`]),
      '',
      attached,
      '--outer--',
      '',
    ].join('\r\n');

  test.each(['', 'inline', 'attachment; filename="order.eml"'])(
    "are found in attached emails, with that email's subject as their place: %j",
    async (disposition) => {
      const { format, numbers, problems } = await scanText(forwarding(mail(), disposition));
      expect({ format, problems }).toEqual({ format: 'mail', problems: [] });
      const subject = 'Ihre Bestellung für Anna';
      expect(numbers.map(({ places, trackNo }) => [trackNo, places])).toEqual([
        ['9400111201080805483016', [{ message: null, part: 'HTML', subject, line: 1 }]],
        ['00340434161094015902', [{ message: null, part: 'text', subject, line: 1 }]],
        ['RB123456785GB', [{ message: null, part: 'parcels.csv', subject, line: 2 }]],
      ]);
    },
  );

  test('are found in the source of an email that is nested too deeply', async () => {
    const nested = Array.from(
      { length: 80 },
      (_, at) => `Content-Type: multipart/mixed; boundary="${at}"\n\n--${at}\n`,
    );
    const { numbers, problems } = await scanText(
      `From: a@example.org\nSubject: x\n${nested.join('')}\n\n1Z879E930346834440`,
    );
    expect(numbers.map(({ trackNo }) => trackNo)).toEqual(['1Z879E930346834440']);
    expect(problems).toHaveLength(1);
  });
});

describe('a body that was cut out of an email', () => {
  const found = async (text: string) => {
    const { format, numbers } = await scanText(text);
    return {
      format,
      numbers: numbers.map(({ courierCode, places: [place], trackNo }) => [
        trackNo,
        courierCode,
        place?.part,
        place?.line,
      ]),
    };
  };
  const page = '<p>Für Sie: <a href="https://www.ups.com/track?tracknum=1Z5R89390357567127">hier</a></p>\n';
  const quoted = page.replaceAll('=', '=3D').replace('ü', '=C3=BC').replace('hier', '=\nhier');

  test.each([
    ['quoted-printable', quoted],
    ['quoted-printable', quoted.replaceAll('\n', '\r\n')],
  ])('is decoded if it is clearly encoded: %s', async (encoding, text) => {
    expect(await found(text)).toEqual({ format: 'html', numbers: [['1Z5R89390357567127', 'ups', encoding, 1]] });
  });

  test('is searched for numbers that continue on the next line', async () => {
    const line = 'Hello, your order was handed to the courier today; its number is 94001112=';
    expect(await found(`${line}\n01080805483016.`)).toEqual({
      format: 'text',
      numbers: [['9400111201080805483016', null, 'quoted-printable', 1]],
    });
  });

  test.each([
    ['a URL', 'https://tools.usps.com/go?tLabels=9400111201080805483016', '9400111201080805483016'],
    ['a horizontal rule', '==========\nRB123456785GB\n==========', 'RB123456785GB'],
    ['a line that ends with an equals sign', 'number =\nRB123456785GB', 'RB123456785GB'],
    ['numbers', `${'1Z879E930346834440\n'.repeat(40)}`, '1Z879E930346834440'],
  ])('is not decoded if it only contains %s', async (_, text, trackNo) => {
    const { numbers } = await scanText(text);
    expect(numbers.map(({ places: [place], ...number }) => [number.trackNo, place?.part])).toEqual([[trackNo, null]]);
  });
});
