import { describe, expect, it } from 'vitest';
import { createAccountActions } from '../../src/polling/account.ts';
import { KeyRefusedError, OperationMissingError, UnreachableError } from '../../src/service/errors.ts';
import type { AccountService } from '../../src/service/port.ts';
import type { Rejection, RetrackOutcome, TrackingEdit, TrackKey } from '../../src/service/record.ts';
import { aParcel, aPendingParcel } from '../board/parcels.ts';
import { createFakeMonitor } from '../support/fake-monitor.ts';

const held = aParcel({ id: 'p', trackNo: 'LX1', courierCode: 'yanwen' });

/** An account that records what is asked of it; each method can be made to fail. */
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

describe('deleting several', () => {
  it('takes one call, and keeps those that the service does not delete', async () => {
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
    expect(failures.get('p')?.message).toBe('The service did not delete LX1. It says: "locked".');
  });

  it('forgets nothing when the service is in trouble', async () => {
    const monitor = createFakeMonitor([held]);
    const { service } = recordingService({ failure: new UnreachableError('No way.') });
    await expect(createAccountActions(monitor, service).deleteTogether(['p'])).rejects.toThrow('No way.');
    expect(monitor.calls).toEqual([]);
  });
});

describe('deleting one', () => {
  it('deletes at the service first, then forgets', async () => {
    const monitor = createFakeMonitor([held]);
    const { calls, service } = recordingService();
    await createAccountActions(monitor, service).deleteTogether(['p']);
    expect(calls).toEqual([['delete', { trackNo: 'LX1', courierCode: 'yanwen' }]]);
    expect(monitor.calls).toEqual(['remove p']);
  });

  it('keeps the parcel when the service fails or refuses', async () => {
    const monitor = createFakeMonitor([held]);
    const failing = recordingService({ failure: new UnreachableError('offline.') });
    await expect(createAccountActions(monitor, failing.service).deleteTogether(['p'])).rejects.toThrow('offline');
    const refusing = recordingService({ rejections: [rejection('locked')] });
    const failures = await createAccountActions(monitor, refusing.service).deleteTogether(['p']);
    expect(failures.get('p')?.message).toContain('locked');
    expect(monitor.calls).toEqual([]);
  });

  it('takes a number that the service does not know for deleted, and sends nothing about one that was never registered', async () => {
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
  it('moves it at the service and here', async () => {
    const monitor = createFakeMonitor([held]);
    const { calls, service } = recordingService();
    expect(await createAccountActions(monitor, service).changeCourier('p', 'dhl')).toBe('changed');
    expect(calls).toEqual([['courier', { trackNo: 'LX1', courierCode: 'yanwen' }, 'dhl']]);
    expect(monitor.calls).toEqual(['edit p {"courierCode":"dhl","knownToService":true}']);
  });

  it('registers anew where the service has no such operation', async () => {
    const monitor = createFakeMonitor([held]);
    const { service } = recordingService({ failure: new OperationMissingError('none.') });
    const refusals: string[] = [];
    const actions = createAccountActions(monitor, service, ({ message }) => refusals.push(message));
    expect(await actions.changeCourier('p', 'dhl')).toBe('registered-again');
    expect(await actions.setExtras('p', { postalCode: '50667' })).toBe('registered-again');
    expect(monitor.calls).toEqual(['edit p {"courierCode":"dhl"}', 'edit p {"postalCode":"50667"}']);
    expect(refusals).toEqual(['none.', 'none.']);
  });

  it('registers anew what is only cleared, because the service cannot clear', async () => {
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

  it('sends extras of a number with a known courier, and keeps others here only', async () => {
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

  it('says that there is no key', async () => {
    const actions = createAccountActions(createFakeMonitor([held]), null);
    await expect(actions.retrack('p')).rejects.toBeInstanceOf(KeyRefusedError);
  });
});
