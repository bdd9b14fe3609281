import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trackNoForm } from '../../src/lib/track-number.ts';
import { matchFormats } from '../../src/scan/number-formats.ts';
import samples from '../fixtures/numbers-of-known-formats.json' with { type: 'json' };
import { forAll } from '../support/for-all.ts';

const namesOf = (number: string): readonly string[] => matchFormats(trackNoForm(number)).map(({ name }) => name);

describe('matchFormats', () => {
  test.each(samples)('matches the samples of $name, but no invalid numbers', ({ invalid, name, valid }) => {
    expect(valid.filter((number) => !namesOf(number).includes(name))).toEqual([]);
    expect(invalid.filter((number) => namesOf(number).includes(name))).toEqual([]);
  });

  test.each([
    ['a postal code before a USPS number', '420221539101026837331000039521', '9101026837331000039521'],
    ['the other fields of a FedEx barcode', '1001921334250001000300779017972697', '779017972697'],
    ['the other fields of an ASTRA barcode', '32971514560102447849175802862014', '784917580286'],
  ])('leaves %s out of the number', (_, text, trackNo) => expect(matchFormats(text)[0]?.trackNo).toBe(trackNo));

  test('puts formats with a correct check digit first', () =>
    forAll(fc.stringMatching(/^[A-Z0-9]{8,40}$/), (text) => {
      const verified = matchFormats(text).map(({ isVerified }) => isVerified);
      expect(verified).toEqual([...verified].sort((a, b) => Number(b) - Number(a)));
    }));
});
