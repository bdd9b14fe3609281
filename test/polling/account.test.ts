import { describe, expect, it } from 'vitest';
import { createAccountActions, deleteAtService } from '../../src/polling/account.ts';
import {
  type AccountService,
  KeyRefusedError,
  OperationMissingError,
  type Rejection,
  RequestRefusedError,
  type RetrackOutcome,
  type TrackingEdit,
  type TrackKey,
  UnreachableError,
} from '../../src/service/port.ts';
import { aParcel, aPendingParcel } from '../board/parcels.ts';
import { createFakeMonitor } from '../support/fake-monitor.ts';
import { createHarness } from './harness.ts';

const lamp = aParcel({ id: 'p', trackNo: 'LX1', courierCode: 'yanwen' });

/** Creates an account that records its calls. Each method can be made to fail. */
function createRecordingService(
  outcome: { readonly failure?: Error; readonly rejections?: readonly Rejection[]; readonly accepted?: boolean } = {},
) {
  const calls: unknown[] = [];
  const record = async <Result>(call: unknown, result: Result): Promise<Result> => {
    calls.push(call);
    if (outcome.failure !== undefined) throw outcome.failure;
    return result;
  };
  const service: AccountService = {
    search: () => Promise.reject(new Error('unexpected call')),
    instant: () => Promise.reject(new Error('unexpected call')),
    clockSkew: () => null,
    delete: (keys: readonly TrackKey[]) => record(['delete', ...keys], outcome.rejections ?? []),
    edit: (edit: TrackingEdit) => record(['edit', edit], undefined),
    changeCourier: (key, code) => record(['courier', key, code], undefined),
    retrack: (keys: readonly TrackKey[]) =>
      record(
        ['retrack', ...keys],
        keys.map(
          (key): RetrackOutcome => ({
            ...key,
            accepted: outcome.accepted ?? true,
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
  it('makes a single call, and keeps parcels that the service does not delete', async () => {
    const pending = aPendingParcel({ id: 'q', trackNo: 'LX2' });
    const other = aParcel({ id: 'r', trackNo: 'LX3', courierCode: 'ups' });
    const monitor = createFakeMonitor([lamp, pending, other]);
    const { calls, service } = createRecordingService({ rejections: [rejection('locked')] });
    const failures = await createAccountActions(monitor, service).deleteTogether(['p', 'q', 'r']);
    expect(calls).toEqual([
      ['delete', { trackNo: 'LX1', courierCode: 'yanwen' }, { trackNo: 'LX3', courierCode: 'ups' }],
    ]);
    expect(monitor.calls).toEqual(['remove q', 'remove r']);
    expect([...failures.keys()]).toEqual(['p']);
    expect(failures.get('p')?.message).toBe('The service did not delete LX1: "locked".');
  });
});

describe('changing a parcel', () => {
  it('registers again if the service does not support the change', async () => {
    const monitor = createFakeMonitor([lamp]);
    const { service } = createRecordingService({ failure: new OperationMissingError('none.') });
    const refusals: string[] = [];
    const actions = createAccountActions(monitor, service, ({ message }) => refusals.push(message));
    expect(await actions.changeCourier('p', 'dhl')).toBe('registered-again');
    expect(await actions.setExtras('p', { postalCode: '50667' })).toBe('registered-again');
    expect(monitor.calls).toEqual(['edit p {"courierCode":"dhl"}', 'edit p {"postalCode":"50667"}']);
    expect(refusals).toEqual(['none.', 'none.']);
  });

  it('registers again to clear extras', async () => {
    const monitor = createFakeMonitor([lamp]);
    const { calls, service } = createRecordingService();
    expect(await createAccountActions(monitor, service).setExtras('p', { postalCode: null })).toBe('registered-again');
    expect(calls).toEqual([]);
  });

  it('changes nothing when the service cannot be reached', async () => {
    const monitor = createFakeMonitor([lamp]);
    const { service } = createRecordingService({ failure: new UnreachableError('offline.') });
    await expect(createAccountActions(monitor, service).changeCourier('p', 'dhl')).rejects.toThrow('offline');
    expect(monitor.calls).toEqual([]);
  });

  it('sends extras only for a number with a known courier', async () => {
    const monitor = createFakeMonitor([lamp, aPendingParcel({ id: 'new' })]);
    const { calls, service } = createRecordingService();
    const actions = createAccountActions(monitor, service);
    expect(await actions.setExtras('p', { postalCode: '50667' })).toBe('changed');
    expect(await actions.setExtras('new', { phoneSuffix: '1234' })).toBe('local');
    expect(calls).toEqual([['edit', { trackNo: 'LX1', courierCode: 'yanwen', postalCode: '50667' }]]);
  });
});

describe('retracking', () => {
  it('refreshes the parcel only if the service agrees to check with the courier again', async () => {
    const monitor = createFakeMonitor([lamp]);
    await createAccountActions(monitor, createRecordingService({ accepted: false }).service).retrack('p');
    expect(monitor.calls).toEqual([]);
    await createAccountActions(monitor, createRecordingService().service).retrack('p');
    expect(monitor.calls).toEqual(['refresh p']);
  });

  it('fails with advice if there is no API key', async () => {
    const actions = createAccountActions(createFakeMonitor([lamp]), null);
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
  it('returns the outcome for each number', async () => {
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

  it('deletes the numbers one by one if the service rejects the whole call', async () => {
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
});

describe('registering', () => {
  it("fills in the courier's configured extras, and saves them", async () => {
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
