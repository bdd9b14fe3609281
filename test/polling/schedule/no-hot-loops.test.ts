import { describe, expect, it } from 'vitest';
import { dayMs as day, hourMs as hour, minuteMs as minute, secondMs as second } from '../../../src/lib/clock.ts';
import { QuotaExhaustedError, RequestRefusedError, ServiceTroubleError } from '../../../src/service/port.ts';
import { onServiceClock, type SeenCall } from '../fake-service.ts';
import { draftOf, startHarness, startPolling } from '../harness.ts';

const refusal = new RequestRefusedError('params format error', { code: 'A0400' });
const noCredit = new QuotaExhaustedError('No credit.');

const failRegistrationsWith =
  (failure: Error) =>
  ({ operation }: SeenCall): Error | null =>
    operation === 'register' ? failure : null;

describe('a repeated failure', () => {
  it('causes no hot loop if the account runs out of credit after a number made a registration fail', async () => {
    const { clock, parcel, service } = await startPolling(['RB1CN']);
    service.failure = failRegistrationsWith(refusal);
    await clock.advance(second);
    expect(parcel('RB1CN').error?.kind).toBe('request-refused');
    service.failure = failRegistrationsWith(noCredit);
    service.calls.length = 0;
    await clock.advance(Date.parse(parcel('RB1CN').nextPollAt ?? '') - clock.now() + 10 * second);
    expect(service.calls).toHaveLength(1);
    expect(parcel('RB1CN').error?.kind).toBe('quota-exhausted');
  });

  it('causes no hot loop for a parcel delivered long ago whose new registration is rejected', async () => {
    const { add, clock, monitor, parcel, service } = await startHarness();
    service.reply = () => ({ transitStatus: 'DELIVERED', nextUpdateTime: null });
    monitor.start();
    const { id } = await add('RB1CN');
    await clock.advance(45 * day);
    service.failure = failRegistrationsWith(refusal);
    service.calls.length = 0;
    await monitor.edit(id, { postalCode: '50667' });
    await clock.advance(10 * second);
    expect(service.calls).toHaveLength(1);
    expect(parcel('RB1CN').nextPollAt).not.toBeNull();
  });

  it('causes no further registrations if the credit runs out while a batch is split', async () => {
    const { clock, monitor, service } = await startHarness();
    let calls = 0;
    service.failure = ({ operation }) => {
      if (operation === 'query') return null;
      calls += 1;
      if (calls === 1) return new ServiceTroubleError('An internal error.');
      return calls === 2 ? null : noCredit;
    };
    const added = await monitor.addAll(Array.from({ length: 8 }, (_, at) => draftOf(`RB${100 + at}CN`)));
    const refreshed = monitor.refresh(added.map(({ parcel }) => parcel.id));
    await clock.advance(2 * second);
    await refreshed;
    const [, first, ...later] = service.calls.filter(({ operation }) => operation === 'register');
    expect(first?.trackNos).toHaveLength(4);
    expect(later.flatMap(({ trackNos }) => trackNos).filter((trackNo) => first?.trackNos.includes(trackNo))).toEqual(
      [],
    );
  });
});

it('delays live lookups until there is credit, without using up their attempts', async () => {
  let sent = 0;
  const { clock, monitor, service } = await startHarness({
    lookUp: async () => {
      sent += 1;
      throw noCredit;
    },
    looksUpWhenSilent: () => true,
  });
  service.reply = () => ({ transitStatus: 'NO_RECORD', transitSubStatus: null });
  monitor.start();
  await monitor.addAll(Array.from({ length: 30 }, (_, at) => draftOf(`RB${100 + at}CN`)));
  await clock.advance(day + 2 * hour);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(4);
  expect(monitor.getState().parcels.every(({ instantTries }) => instantTries === undefined)).toBe(true);
});

describe('waiting parcels', () => {
  it('are checked soon, even if they join a number that has been failing alone for hours', async () => {
    const { clock, monitor, parcel, service } = await startHarness();
    const startedAt = clock.now();
    service.reply = ({ trackNo }) => ({
      nextUpdateTime: onServiceClock(trackNo === 'POISON' ? clock.now() + hour : startedAt + 6 * hour),
    });
    const numbers = ['POISON', ...Array.from({ length: 20 }, (_, at) => `RB${100 + at}CN`)];
    const added = await monitor.addAll(numbers.map((trackNo) => draftOf(trackNo)));
    const refreshed = monitor.refresh(added.map(({ parcel: { id } }) => id));
    await clock.advance(2 * second);
    await refreshed;
    service.failure = ({ trackNos }) =>
      trackNos.includes('POISON') ? new ServiceTroubleError('An internal error.') : null;
    monitor.start();
    await clock.advance(6 * hour + 31 * minute);
    expect(Date.parse(parcel('RB100CN').checkedAt ?? '')).toBeGreaterThan(startedAt + 6 * hour);
  });

  it('are checked immediately when restored after delivery', async () => {
    const { add, clock, monitor, service } = await startHarness();
    service.reply = ({ trackNo }) =>
      trackNo === 'OLD1'
        ? { transitStatus: 'DELIVERED', nextUpdateTime: null }
        : { nextUpdateTime: onServiceClock(clock.now() + 6 * hour) };
    monitor.start();
    const { id } = await add('OLD1');
    await add('OTHER1');
    await clock.advance(5 * day);
    await monitor.archiveAll([id]);
    await clock.advance(15 * day);
    service.calls.length = 0;
    await monitor.restoreAll([id]);
    await clock.advance(second);
    expect(service.calls.map(({ trackNos }) => trackNos)).toEqual([['OLD1']]);
  });
});
