import { expect, it } from 'vitest';
import { couriers, detectCourier } from '../../src/sandbox/couriers.ts';

it.each([
  ['1Z999AA10123456784', 'ups'],
  ['1z999aa10123456784', 'ups'],
  ['RB100000005CN', 'china-post'],
  ['EA100000005CN', 'china-ems'],
  ['RR123456785JP', 'japan-post'],
  ['FQ210512954GB', 'royal-mail'],
  ['LX123456789US', 'usps'],
  ['9400293185155886623692', 'usps'],
  ['00340434355717797605', 'dhl-germany'],
  ['SF1234567890123', 'sfb2c'],
  ['YT2212345678901234', 'yunexpress'],
  ['YT1234567890123', 'yto'],
  ['6A12345678901', 'la-poste'],
  ['TBA123456789012', 'amazon-logistics'],
  ['TH01234ABCDE5F', 'flash-express'],
])('recognises %s as %s', (trackNo, code) => expect(detectCourier(trackNo)?.code).toBe(code));

it.each([
  ['1234567890', 'dhl'],
  ['123456789012', 'fedex'],
  ['12345678901234', 'dpd'],
])('chooses the most likely of several couriers for %s', (trackNo, code) => {
  expect(detectCourier(trackNo)?.code).toBe(code);
});

it.each(['LP00123456789012', 'JJD0003456789012345678', 'H00AAA0123456789', 'RB100000005ZZ', 'HELLO', '12345', ''])(
  'does not recognise "%s"',
  (trackNo) => {
    expect(detectCourier(trackNo)).toBeNull();
  },
);

it('knows at most one postal service per country', () => {
  const posts = couriers.filter(({ reach }) => reach === 'post');
  expect(new Set(posts.map(({ country }) => country)).size).toBe(posts.length);
  for (const { code, country } of posts) expect(detectCourier(`RR123456785${country}`)?.code).toBe(code);
});
