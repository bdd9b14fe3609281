import { describe, expect, it } from 'vitest';
import { createAccountActions, deleteAtService } from '../../src/polling/account.ts';
import { registrationItem } from '../../src/polling/sent-fields.ts';
import {
  KeyRefusedError,
  OperationMissingError,
  RequestRefusedError,
  UnreachableError,
} from '../../src/service/errors.ts';
import type { AccountService } from '../../src/service/port.ts';
import type { Rejection, RetrackOutcome, TrackingEdit, TrackKey } from '../../src/service/record.ts';
import { aParcel, aPendingParcel } from '../board/parcels.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { createFakeMonitor } from '../support/fake-monitor.ts';
import { onServiceClock, serviceClock } from './fake-service.ts';
import { createHarness } from './harness.ts';

const held = aParcel({ id: 'p', trackNo: 'LX1', courierCode: 'yanwen' });

/** An account that records its calls. Each method can fail. */
function recordingService(
  answers: { readonly failure?: Error; readonly rejections?: readonly Rejection[]; readonly accepted?: boolean } = {},
) {
  const calls: unknown[] = [];
  const asked = async <Answer>(call: unknown, answer: Answer): Promise<Answer> => {
    calls.push(call);
    if (answers.failure !== undefined) throw answers.failure;
    return answer;
  };
  const service: AccountService = {
    search: () => Promise.reject(new Error('not asked here')),
    instant: () => Promise.reject(new Error('not asked here')),
    clockSkew: () => null,
    delete: (keys: readonly TrackKey[]) => asked(['delete', ...keys], answers.rejections ?? []),
    edit: (edit: TrackingEdit) => asked(['edit', edit], undefined),
    changeCourier: (key, code) => asked(['courier', key, code], undefined),
    retrack: (keys: readonly TrackKey[]) =>
      asked(
        ['retrack', ...keys],
        keys.map(
          (key): RetrackOutcome => ({
            ...key,
            accepted: answers.accepted ?? true,
            actualRefreshTime: null,
            message: null,
          }),
        ),
      ),
  };
  return { calls, service };
}

const rejection = (message: string): Rejection => ({
  index: 0,
  trackNo: 'LX1',
  courierCode: null,
  code: 'A0400',
  message,
});

describe('deleting', () => {
  it('makes one call, and keeps parcels that the service does not delete', async () => {
    const pending = aPendingParcel({ id: 'q', trackNo: 'LX2' });
    const other = aParcel({ id: 'r', trackNo: 'LX3', courierCode: 'ups' });
    const monitor = createFakeMonitor([held, pending, other]);
    const { calls, service } = recordingService({ rejections: [rejection('locked')] });
    const failures = await createAccountActions(monitor, service).deleteTogether(['p', 'q', 'r']);
    expect(calls).toEqual([
      ['delete', { trackNo: 'LX1', courierCode: 'yanwen' }, { trackNo: 'LX3', courierCode: 'ups' }],
    ]);
    expect(monitor.calls).toEqual(['remove q', 'remove r']);
    expect([...failures.keys()]).toEqual(['p']);
    expect(failures.get('p')?.message).toBe('The service did not delete LX1: "locked".');
  });

  it('keeps the parcel when the service fails', async () => {
    const monitor = createFakeMonitor([held]);
    const failing = recordingService({ failure: new UnreachableError('offline.') });
    await expect(createAccountActions(monitor, failing.service).deleteTogether(['p'])).rejects.toThrow('offline');
    expect(monitor.calls).toEqual([]);
  });

  it('counts an unknown number as deleted, and makes no call for an unregistered one', async () => {
    const monitor = createFakeMonitor([held, aPendingParcel({ id: 'new' })]);
    const { calls, service } = recordingService({ rejections: [rejection('trackNo not registered')] });
    const actions = createAccountActions(monitor, service);
    await actions.deleteTogether(['p']);
    await actions.deleteTogether(['new']);
    expect(monitor.calls).toEqual(['remove p', 'remove new']);
    expect(calls).toHaveLength(1);
  });
});

describe('changing a parcel', () => {
  it('changes the courier at the service and here', async () => {
    const monitor = createFakeMonitor([held]);
    const { calls, service } = recordingService();
    expect(await createAccountActions(monitor, service).changeCourier('p', 'dhl')).toBe('changed');
    expect(calls).toEqual([['courier', { trackNo: 'LX1', courierCode: 'yanwen' }, 'dhl']]);
    expect(monitor.calls).toEqual(['edit p {"courierCode":"dhl","knownToService":true}']);
  });

  it('registers again if the service lacks the operation', async () => {
    const monitor = createFakeMonitor([held]);
    const { service } = recordingService({ failure: new OperationMissingError('none.') });
    const refusals: string[] = [];
    const actions = createAccountActions(monitor, service, ({ message }) => refusals.push(message));
    expect(await actions.changeCourier('p', 'dhl')).toBe('registered-again');
    expect(await actions.setExtras('p', { postalCode: '50667' })).toBe('registered-again');
    expect(monitor.calls).toEqual(['edit p {"courierCode":"dhl"}', 'edit p {"postalCode":"50667"}']);
    expect(refusals).toEqual(['none.', 'none.']);
  });

  it('registers again to clear extras', async () => {
    const monitor = createFakeMonitor([held]);
    const { calls, service } = recordingService();
    expect(await createAccountActions(monitor, service).setExtras('p', { postalCode: null })).toBe('registered-again');
    expect(calls).toEqual([]);
  });

  it('changes nothing when the service cannot be reached', async () => {
    const monitor = createFakeMonitor([held]);
    const { service } = recordingService({ failure: new UnreachableError('offline.') });
    await expect(createAccountActions(monitor, service).changeCourier('p', 'dhl')).rejects.toThrow('offline');
    expect(monitor.calls).toEqual([]);
  });

  it('sends extras of a number with a known courier only', async () => {
    const monitor = createFakeMonitor([held, aPendingParcel({ id: 'new' })]);
    const { calls, service } = recordingService();
    const actions = createAccountActions(monitor, service);
    expect(await actions.setExtras('p', { postalCode: '50667' })).toBe('changed');
    expect(await actions.setExtras('new', { phoneSuffix: '1234' })).toBe('local');
    expect(calls).toEqual([['edit', { trackNo: 'LX1', courierCode: 'yanwen', postalCode: '50667' }]]);
  });
});

describe('retracking', () => {
  it('queries only when the service checks with the courier again', async () => {
    const monitor = createFakeMonitor([held]);
    await createAccountActions(monitor, recordingService({ accepted: false }).service).retrack('p');
    expect(monitor.calls).toEqual([]);
    await createAccountActions(monitor, recordingService().service).retrack('p');
    expect(monitor.calls).toEqual(['refresh p']);
  });

  it('fails with advice without an API key', async () => {
    const actions = createAccountActions(createFakeMonitor([held]), null);
    await expect(actions.retrack('p')).rejects.toBeInstanceOf(KeyRefusedError);
  });
});

const key = (trackNo: string, courierCode: string | null = null): TrackKey => ({ trackNo, courierCode });
const rejectionOf = (trackNo: string, message: string, courierCode: string | null = null): Rejection => ({
  index: null,
  trackNo,
  courierCode,
  code: 'A0400',
  message,
});

describe('deleting at the service', () => {
  it('returns the outcome of each number', async () => {
    const rejections = [
      rejectionOf('b2cn', 'trackNo not registered'),
      rejectionOf('C3CN', 'locked', 'dhl'),
      rejectionOf('D4CN', 'no'),
    ];
    const keys = [key('A1CN'), key('B2CN'), key('C3CN', 'ups'), key('C3CN', 'dhl'), key('D4CN', 'ups')];
    expect(await deleteAtService({ delete: async () => rejections }, keys)).toEqual([
      { kind: 'deleted' },
      { kind: 'unknown' },
      { kind: 'deleted' },
      { kind: 'refused', message: 'locked', code: 'A0400' },
      { kind: 'refused', message: 'no', code: 'A0400' },
    ]);
  });

  it('deletes number by number if the whole call is refused', async () => {
    const calls: string[][] = [];
    const service = {
      delete: async (keys: readonly TrackKey[]) => {
        calls.push(keys.map(({ trackNo }) => trackNo));
        if (keys.some(({ trackNo }) => trackNo === 'B2CN')) {
          throw new RequestRefusedError('Refused (A0400). It says: "trackNo not registered".', { code: 'A0400' });
        }
        return [];
      },
    };
    expect(await deleteAtService(service, [key('A1CN'), key('B2CN')])).toEqual([
      { kind: 'deleted' },
      { kind: 'unknown' },
    ]);
    expect(calls).toEqual([['A1CN', 'B2CN'], ['A1CN'], ['B2CN']]);
  });

  it('makes no call for an empty list, and throws failures of the service', async () => {
    const failing = { delete: () => Promise.reject(new KeyRefusedError('no key')) };
    expect(await deleteAtService(failing, [])).toEqual([]);
    await expect(deleteAtService(failing, [key('A1CN'), key('B2CN')])).rejects.toBeInstanceOf(KeyRefusedError);
  });
});

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

  it('contains only the number and its courier if nothing else was given', () => {
    expect(registrationItem(parcelOf('RB1CN'), serviceClock)).toEqual({
      trackNo: 'RB1CN',
      courierCode: null,
      postalCode: null,
      phoneSuffix: null,
    });
  });
});

describe('registering', () => {
  it('sends the merchant texts', async () => {
    const { add, clock, monitor, service } = await createHarness();
    monitor.start();
    await add('RB1CN', { merchant: { orderNo: 'O-1', shippedAt: new Date(clock.now()).toISOString() } });
    await clock.advance(0);
    expect(service.calls[0]?.keys).toMatchObject([{ orderNo: 'O-1', shipTime: onServiceClock(clock.now()) }]);
    await monitor.stop();
  });

  it('fills in configured extras of the courier, and saves them', async () => {
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
