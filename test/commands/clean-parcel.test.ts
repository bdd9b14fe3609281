import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanParcel } from '../../src/commands/clean-parcel.ts';
import { aParcel } from '../board/parcels.ts';
import { enteredParcels } from './exported-parcels.ts';

const dirty = (text: string): string => `\u001b[31m${text}\u202e\u0007`;

describe('cleanParcel', () => {
  it('cleans every text that a file can be made to hold in the place of what was entered', () => {
    const parcel = aParcel({
      trackNo: dirty('RB1CN'),
      courierCode: dirty('ups'),
      label: dirty('Lamp'),
      tags: [dirty('home'), '\u0007'],
      extras: { postalCode: dirty('50667'), phoneSuffix: dirty('1234') },
      merchant: {
        orderNo: dirty('#5'),
        country: dirty('DE'),
        shippedAt: dirty('2026-11-20T00:00:00.000Z'),
        customerEmail: dirty('a@b.example'),
        remark: dirty('By the door'),
        custom1: dirty('one'),
        custom2: '\u0007',
      },
    });
    expect(cleanParcel(parcel)).toEqual({
      ...parcel,
      trackNo: 'RB1CN',
      courierCode: 'ups',
      label: 'Lamp',
      tags: ['home'],
      extras: { postalCode: '50667', phoneSuffix: '1234' },
      merchant: {
        orderNo: '#5',
        country: 'DE',
        shippedAt: '2026-11-20T00:00:00.000Z',
        customerEmail: 'a@b.example',
        remark: 'By the door',
        custom1: 'one',
      },
    });
  });

  it('leaves what the program itself accepts as it is', () => {
    fc.assert(
      fc.property(enteredParcels, (parcels) => {
        expect(parcels.map(cleanParcel)).toEqual(parcels);
      }),
    );
  });
});
