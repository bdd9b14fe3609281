import { describe, expect, it } from 'vitest';
import { withoutAddress } from '../../src/lib/text.ts';

describe('withoutAddress', () => {
  it.each([
    ['postgres://ann@nas:5432/parcels cannot be reached.', 'The database cannot be reached.'],
    ['Changes wait. postgres://nas/parcels: there is none.', 'Changes wait. The database: there is none.'],
    ['The parcel 7 in postgresql://nas/parcels cannot be used.', 'The parcel 7 in the database cannot be used.'],
    ['What is in postgres://nas/parcels. Try again.', 'What is in the database. Try again.'],
  ])('says %o as %o', (text, short) => {
    expect(withoutAddress(text)).toBe(short);
  });

  it.each(['Run: parcel-monitor store copy postgres://nas/parcels', '"postgres://nas/parcels" is no folder.', 'Lamp'])(
    'leaves %o as it is',
    (text) => {
      expect(withoutAddress(text)).toBe(text);
    },
  );
});
