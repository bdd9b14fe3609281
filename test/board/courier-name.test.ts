import { describe, expect, it, test } from 'vitest';
import { courierCodeFromUrl, matchCourier } from '../../src/board/courier-name.ts';
import type { Courier } from '../../src/service/port.ts';

const courier = (code: string, nameEN: string | null, nameCN: string | null, homePage: string | null): Courier => ({
  code,
  nameEN,
  nameCN,
  homePage,
});

const couriers = [
  courier('ups', 'UPS', 'UPS快递', 'https://www.ups.com/'),
  courier('saf', 'Safe Arrival Füßen', '安全', 'http://saf.example/track'),
  courier('saf-post', 'Post', '邮政', 'https://group.example'),
  courier('alp-post', 'post', null, 'https://www.group.example/'),
  courier('post', null, null, null),
  courier('7-eleven', 'Seven', null, 'https://host.example:8443/a'),
];

describe('courierCodeFromUrl', () => {
  test.each([
    ['https://www.track123.com/carriers/saf', 'saf'],
    ['http://track123.com/en/carriers/UPS/', 'ups'],
    ['www.track123.com/es/carriers/saf/api', 'saf'],
    ['track123.com/carriers/7-eleven?from=list#top', '7-eleven'],
    [' https://list.example/zh-CN/carriers/china_post.x ', 'china_post.x'],
  ])('reads the courier from the address %j: %s', (text, code) => expect(courierCodeFromUrl(text)).toBe(code));

  test.each([
    'ups',
    'carriers/ups',
    'https://www.ups.com/',
    'https://a.example/carriers/',
    'ftp://a.example/carriers/ups',
    'a.example/carriers/a b',
    '',
  ])('finds no courier in %j', (text) => expect(courierCodeFromUrl(text)).toBeNull());
});

describe('matchCourier', () => {
  const codeOf = (text: string, list = couriers): string | null => {
    const meaning = matchCourier(text, list);
    return meaning.kind === 'one' ? meaning.code : null;
  };

  test.each([
    ['saf', 'saf'],
    ['SAF', 'saf'],
    ['https://www.track123.com/carriers/saf', 'saf'],
    // An address is read without the list.
    ['https://www.track123.com/carriers/never-heard-of', 'never-heard-of'],
    ['safe arrival fussen', 'saf'],
    ['安全', 'saf'],
    ['UPS快递', 'ups'],
    ['https://ups.com', 'ups'],
    ['www.ups.com', 'ups'],
    ['saf.example/track/', 'saf'],
    ['host.example:8443/a', '7-eleven'],
    // A code takes precedence over other couriers' names.
    ['Post', 'post'],
    // Whole words from a name that no other courier has.
    ['Safe', 'saf'],
    ['arrival-fussen', 'saf'],
    ['快递', 'ups'],
  ])('matches %j to %s', (text, code) => expect(codeOf(text)).toBe(code));

  test.each([
    '',
    ' ',
    'sa',
    'arr',
    'Safe Fussen',
    '安',
    '快 安',
    'saf.example',
    'https://nobody.example',
    'host.example',
    'https://',
  ])('matches %j to no courier', (text) => expect(codeOf(text)).toBeNull());

  it('matches no courier if several fit', () => {
    const withoutPost = couriers.filter(({ code }) => code !== 'post');
    expect(codeOf('post', withoutPost)).toBeNull();
    expect(codeOf('group.example', withoutPost)).toBeNull();
  });

  it('returns the nearest codes if several names contain the text, shortest name first', () => {
    const sf = [
      courier('sf-intl', 'SF International', '顺丰国际', null),
      courier('sf-cold', 'SF Cold Chain Logistics', '顺丰冷链物流', null),
      courier('sfb2c', 'SF Express', '顺丰速运', null),
    ];
    expect(matchCourier('顺丰', sf)).toEqual({ kind: 'several', codes: ['sfb2c', 'sf-intl', 'sf-cold'] });
    expect(matchCourier('顺丰速', sf)).toEqual({ kind: 'one', code: 'sfb2c' });
    expect(matchCourier('sf express', sf)).toEqual({ kind: 'one', code: 'sfb2c' });
  });
});
