import { describe, expect, it, test } from 'vitest';
import { courierMeant, courierOfPage } from '../../../src/board/courier/courier-name.ts';
import type { Courier } from '../../../src/service/record/record.ts';

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

describe("the address of a courier's page in the public carriers list", () => {
  test.each([
    ['https://www.track123.com/carriers/saf', 'saf'],
    ['http://track123.com/en/carriers/UPS/', 'ups'],
    ['www.track123.com/es/carriers/saf/api', 'saf'],
    ['track123.com/carriers/7-eleven?from=list#top', '7-eleven'],
    [' https://list.example/zh-CN/carriers/china_post.x ', 'china_post.x'],
  ])('%s names %s', (text, code) => {
    expect(courierOfPage(text)).toBe(code);
  });

  test.each([
    'ups',
    'carriers/ups',
    'https://www.ups.com/',
    'https://a.example/carriers/',
    'ftp://a.example/carriers/ups',
    'a.example/carriers/a b',
    '',
  ])('%s names none', (text) => {
    expect(courierOfPage(text)).toBeNull();
  });
});

describe('what a person means by a text', () => {
  test.each([
    ['saf', 'saf'],
    ['SAF', 'saf'],
    ['https://www.track123.com/carriers/saf', 'saf'],
    // Nobody asks for a list to read an address.
    ['https://www.track123.com/carriers/never-heard-of', 'never-heard-of'],
    ['safe arrival fussen', 'saf'],
    ['安全', 'saf'],
    ['UPS快递', 'ups'],
    ['https://ups.com', 'ups'],
    ['www.ups.com', 'ups'],
    ['saf.example/track/', 'saf'],
    ['host.example:8443/a', '7-eleven'],
    // A code outranks the names of others.
    ['Post', 'post'],
  ])('%s is %s', (text, code) => {
    expect(courierMeant(text, couriers)).toBe(code);
  });

  test.each(['', ' ', 'sa', 'Safe', 'saf.example', 'https://nobody.example', 'host.example', 'https://'])(
    '"%s" is nobody',
    (text) => {
      expect(courierMeant(text, couriers)).toBeNull();
    },
  );

  it('is nobody where several fit', () => {
    const others = couriers.filter(({ code }) => code !== 'post');
    expect(courierMeant('post', others)).toBeNull();
    expect(courierMeant('group.example', others)).toBeNull();
  });
});
