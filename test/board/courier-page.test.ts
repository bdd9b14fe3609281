import { describe, expect, it } from 'vitest';
import { courierPage, trackingLink } from '../../src/board/parcel-facts.ts';
import { webAddressOrNull } from '../../src/lib/clean-text.ts';
import { aParcel, aRecord } from './parcels.ts';

const home = 'https://www.courier.example/';
const withLink = (link: string | null, trackNo = 'LX 1/2&3') =>
  aParcel({ trackNo, record: aRecord({ courierTrackingLink: webAddressOrNull(link), courierHomePage: home }) });

describe("the courier's page", () => {
  it.each([
    ['https://c.example/t?no={trackingNo}&l=en', 'https://c.example/t?no=LX%201%2F2%263&l=en'],
    ['https://c.example/{trackingNo}/status', 'https://c.example/LX%201%2F2%263/status'],
    ['https://c.example/#{TRACKINGNO}', 'https://c.example/#LX%201%2F2%263'],
    ['https://c.example/t?no=LX1', 'https://c.example/t?no=LX1'],
  ])('contains the tracking number in place of the placeholder: %s', (link, address) =>
    expect(trackingLink(withLink(link))).toBe(address),
  );

  it("falls back to the courier's home page if there is no page for the parcel", () => {
    expect(trackingLink(withLink(null))).toBeNull();
    expect(courierPage(withLink(null))).toBe(home);
    expect(courierPage(aParcel({ record: null }))).toBeNull();
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'https://me:secret@c.example/'])(
    'is always a plain web address, never %s',
    (link) => {
      const record = aRecord({ courierTrackingLink: link, courierHomePage: link });
      expect(courierPage(aParcel({ record }))).toBeNull();
    },
  );

  it('keeps a number that looks like a replacement pattern', () => {
    expect(trackingLink(withLink('https://c.example/{trackingNo}', '$&$1'))).toBe('https://c.example/%24%26%241');
  });
});
