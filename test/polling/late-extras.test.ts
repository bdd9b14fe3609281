import { describe, expect, it } from 'vitest';
import { dayMs as day } from '../../src/lib/clock.ts';
import { CancelledError, RequestRefusedError, type TrackingEdit, UnreachableError } from '../../src/service/port.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createFakeService, onServiceClock, type Reply } from './fake-service.ts';
import { createHarness } from './harness.ts';

const withoutRecord = { courierCode: 'postnl', transitStatus: 'NO_RECORD', transitSubStatus: null };

/** Starts a board with RB1CN, registered without a courier. The service detects the courier in `reply`. */
async function watch(reply: Partial<Reply>, failures: readonly Error[] = [], trackNo = 'RB1CN') {
  const clock = createFakeClock();
  const fake = createFakeService(clock);
  const sent: TrackingEdit[] = [];
  const remaining = [...failures];
  const edit = async (change: TrackingEdit): Promise<void> => {
    sent.push(change);
    const failure = remaining.shift();
    if (failure !== undefined) throw failure;
  };
  fake.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + 3_600_000), ...reply });
  const harness = await createHarness(
    {
      service: fake,
      account: { edit },
      knownExtras: (courierCode) => (courierCode === 'postnl' ? { postalCode: '1234 AB' } : {}),
    },
    { clock, service: fake },
  );
  harness.monitor.start();
  await harness.add(trackNo);
  await clock.advance(5_000);
  return { ...harness, sent };
}

describe('a configured extra whose courier is detected after the registration', () => {
  it('is sent once and saved, and the parcel is rechecked', async () => {
    const { clock, monitor, parcel, sent, service } = await watch(withoutRecord);
    expect(sent).toEqual([{ trackNo: 'RB1CN', courierCode: 'postnl', postalCode: '1234 AB' }]);
    expect(parcel('RB1CN').extras.postalCode).toBe('1234 AB');
    expect(service.calls.map(({ operation }) => operation)).toEqual(['register', 'query', 'query']);
    await clock.advance(2 * day);
    expect(sent).toHaveLength(1);
    expect(monitor.getState().undoable).toBe('adding RB1CN');
    await monitor.stop();
  });

  it.each([
    ['the courier finds the parcel without it', { ...withoutRecord, transitStatus: 'IN_TRANSIT' }],
    ['the courier needs none', { ...withoutRecord, courierCode: 'dhl' }],
    ['none is configured', { ...withoutRecord, courierCode: 'yodel' }],
  ])('is not sent when %s', async (_what, reply) => {
    const { clock, monitor, sent } = await watch(reply);
    await clock.advance(day);
    expect(sent).toEqual([]);
    await monitor.stop();
  });

  it('is sent again after the next successful check if the first attempt failed', async () => {
    const { clock, monitor, parcel, sent } = await watch(withoutRecord, [new UnreachableError('No network.')]);
    expect(sent).toHaveLength(1);
    expect(parcel('RB1CN').extras.postalCode).toBeNull();
    await clock.advance(3_700_000);
    expect(sent).toHaveLength(2);
    expect(parcel('RB1CN').extras.postalCode).toBe('1234 AB');
    await monitor.stop();
  });

  it('does not delay leaving the board', async () => {
    const clock = createFakeClock();
    const service = createFakeService(clock);
    service.reply = () => withoutRecord;
    const edit = (_edit: TrackingEdit, signal?: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new CancelledError('The request was ended.')));
      });
    const knownExtras = () => ({ postalCode: '1234 AB' });
    const { add, monitor, parcel } = await createHarness({ account: { edit }, knownExtras }, { clock, service });
    monitor.start();
    await add('RB1CN');
    await clock.advance(5_000);
    await monitor.stop();
    expect(parcel('RB1CN').extras.postalCode).toBeNull();
  });

  it('causes a notice, and is not sent again, if the service rejects it', async () => {
    const { clock, monitor, parcel, sent } = await watch(withoutRecord, [new RequestRefusedError('It says: "no".')]);
    expect(monitor.getState().notices).toEqual([
      expect.stringMatching(/RB1CN: .* postal code or phone digits for PostNL.*"no".* press p on the board/),
    ]);
    expect(monitor.getState().notices.join()).not.toContain('1234');
    await clock.advance(day);
    expect(sent).toHaveLength(1);
    expect(parcel('RB1CN').extras.postalCode).toBeNull();
    await monitor.stop();
  });
});
