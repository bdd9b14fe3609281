import { describe, expect, test } from 'vitest';
import { createScanCouriers } from '../../src/scan/couriers.ts';
import { findInLink } from '../../src/scan/find-in-link.ts';

const couriers = createScanCouriers([]);
const found = (link: string): readonly string[] =>
  findInLink(couriers, link).map(
    ({ certainty, courierCode, trackNo }) => `${trackNo} ${courierCode ?? '-'} ${certainty}`,
  );

describe('findInLink', () => {
  test.each([
    ['https://www.ups.com/track?loc=de_DE&tracknum=1Z879E930346834440', '1Z879E930346834440 ups sure'],
    ['https://tools.usps.com/go/TrackConfirmAction?tLabels=9400111201080805483016', '9400111201080805483016 usps sure'],
    ['https://www.fedex.com/fedextrack/?trknbr=790535312317', '790535312317 fedex sure'],
    [
      'https://www.dhl.de/de/privatkunden/verfolgen.html?piececode=00340434161094015902',
      '00340434161094015902 dhl-germany sure',
    ],
    ['https://www.royalmail.com/track-your-item#/tracking-results/RB123456785GB', 'RB123456785GB royal-mail sure'],
    ['https://jouw.postnl.nl/track-and-trace/3SABCD1234567-NL-1234AB', '3SABCD1234567 postnl sure'],
    ['https://service.post.ch/ekp-web/ui/entry/search/991234567812345678', '991234567812345678 swiss-post sure'],
    ['https://www.laposte.fr/outils/suivre-vos-envois?code=6A12345678901', '6A12345678901 la-poste sure'],
    ['https://global.cainiao.com/newDetail.htm?mailNoList=LP00123456789012', 'LP00123456789012 cainiao sure'],
    ['https://track.aftership.com/dhl/3318810025', '3318810025 dhl sure'],
    ['https://shop.example/orders/status?tracking_number=12345678901', '12345678901 - likely'],
  ])('finds the number in %s', (link, expected) => expect(found(link)).toEqual([expected]));

  test('finds several numbers in a single link', () => {
    expect(found('https://t.17track.net/en#nums=LZ123456785CN,12345678901&fc=190271')).toEqual([
      'LZ123456785CN - sure',
      '12345678901 - sure',
    ]);
  });

  test.each([
    [
      'a click-tracking service',
      'https://click.example/?u=https%3A%2F%2Fwww.ups.com%2Ftrack%3Ftracknum%3D1Z5R89390357567127',
    ],
    [
      'two such services',
      'https://a.example/?u=https%3A%2F%2Fb.example%2F%3Fl%3Dhttps%253A%252F%252Fwww.ups.com%252Ftrack%253Ftracknum%253D1Z5R89390357567127',
    ],
    [
      'Proofpoint',
      'https://urldefense.proofpoint.com/v2/url?u=https-3A__www.ups.com_track-3Ftracknum-3D1Z5R89390357567127&d=x',
    ],
    ['the newer Proofpoint', 'https://urldefense.com/v3/__https://www.ups.com/track?tracknum=1Z5R89390357567127__;!!x'],
  ])('finds the number behind %s', (_, link) => expect(found(link)).toEqual(['1Z5R89390357567127 ups sure']));

  test.each([
    ['an order', 'https://www.amazon.com/gp/css/shiptrack/view.html?orderID=302-1234567-1234567'],
    ['a page about products', 'https://www.dhl.com/en/products/20261122'],
    ['a site that only looks like a courier', 'https://ups.com.evil.example/page?id=12345678'],
    ['text that is not a link', 'mailto:1Z5R89390357567127@ups.com'],
  ])('finds nothing in %s', (_, link) => expect(found(link)).toEqual([]));
});
