import { describe, expect, it } from 'vitest';
import { registrationItem } from '../../src/polling/account.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { onServiceClock, serviceClock } from './fake-service.ts';
import { createHarness } from './harness.ts';

describe('a registration item', () => {
  it('carries everything that was given, the ship time on the service clock', () => {
    const merchant = {
      orderNo: 'O-1',
      country: 'DE',
      customerEmail: 'a@b.example',
      remark: 'r',
      custom1: '1',
      custom2: '2',
    };
    const shippedAt = '2026-11-19T20:00:00.000Z';
    const parcel = parcelOf('RB1CN', {
      courierCode: 'dhl',
      extras: { postalCode: '50667', phoneSuffix: '1234' },
      merchant: { ...merchant, shippedAt },
    });
    expect(registrationItem(parcel, serviceClock)).toEqual({
      trackNo: 'RB1CN',
      courierCode: 'dhl',
      postalCode: '50667',
      phoneSuffix: '1234',
      ...merchant,
      shipTime: '2026-11-20 04:00:00',
    });
  });

  it('carries no more than the number and its courier when nothing was given', () => {
    expect(registrationItem(parcelOf('RB1CN'), serviceClock)).toEqual({
      trackNo: 'RB1CN',
      courierCode: null,
      postalCode: null,
      phoneSuffix: null,
    });
  });
});

describe('registering', () => {
  it('hands on what a merchant gave', async () => {
    const { add, clock, monitor, service } = await createHarness();
    monitor.start();
    await add('RB1CN', { merchant: { orderNo: 'O-1', shippedAt: new Date(clock.now()).toISOString() } });
    await clock.advance(0);
    expect(service.calls[0]?.keys).toMatchObject([{ orderNo: 'O-1', shipTime: onServiceClock(clock.now()) }]);
    await monitor.stop();
  });

  it("fills in what is known for the parcel's courier, and keeps it with the parcel", async () => {
    const knownExtras = (courierCode: string) => (courierCode === 'postnl' ? { postalCode: '1234 AB' } : {});
    const { add, clock, monitor, parcel, service } = await createHarness({ knownExtras });
    monitor.start();
    await add('RB1CN', { courierCode: 'postnl' });
    await add('RB2CN', { courierCode: 'postnl', postalCode: '5678 CD' });
    await add('RB3CN', { courierCode: 'dhl' });
    await clock.advance(10_000);
    const sent = service.calls.filter(({ operation }) => operation === 'register').flatMap(({ keys }) => keys);
    expect(sent).toMatchObject([
      { trackNo: 'RB1CN', postalCode: '1234 AB' },
      { trackNo: 'RB2CN', postalCode: '5678 CD' },
      { trackNo: 'RB3CN', postalCode: null },
    ]);
    expect(parcel('RB1CN').extras.postalCode).toBe('1234 AB');
    await monitor.stop();
  });
});
