import { beforeEach, describe, expect, it } from 'vitest';
import { startWebhookSender } from '../../src/sandbox/webhook.ts';
import { type Account, openAccount } from '../../src/sandbox/world/account.ts';
import type { WireWebhook } from '../../src/service/wire.ts';
import { createFakeClock, type FakeClock, settle } from '../support/fake-clock.ts';
import { checkpointsOf, noon, registerParcel, registrationRequest, upsNumber } from './support.ts';

type PushedRecord = WireWebhook['data'];

/** A callback whose response the test decides. */
interface Call {
  readonly record: PushedRecord;
  readonly at: number;
  readonly signal: AbortSignal;
  respond(isAcknowledged: boolean): Promise<void>;
}

const speed = 360;
let clock: FakeClock;
let account: Account;
let sender: ReturnType<typeof startWebhookSender>;
let calls: Call[];
/** Whether calls are acknowledged by default. With null, the test has to respond to each. */
let defaultResponse: boolean | null;

beforeEach(() => {
  clock = createFakeClock(noon);
  account = openAccount({ seed: 7, speed }, noon);
  calls = [];
  defaultResponse = true;
  const post = (body: string, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      calls.push({
        record: (JSON.parse(body) as WireWebhook).data,
        at: clock.now(),
        signal,
        respond: async (isAcknowledged) => {
          resolve(isAcknowledged);
          await settle();
        },
      });
      signal.addEventListener('abort', () => resolve(false));
      if (defaultResponse !== null) resolve(defaultResponse);
    });
  sender = startWebhookSender({ account, clock, signing: { apiKey: 'k', signature: 'hmac' }, speed, post });
});

const register = (index: number) => registerParcel(account, registrationRequest(upsNumber(index)), clock.now());
const statesOf = (trackNo: string): readonly string[] =>
  calls
    .filter(({ record }) => record.trackNo === trackNo)
    .map(
      ({ record }) =>
        `${record.transitStatus}/${record.transitSubStatus}/${checkpointsOf({ ...record, id: '' }).length}`,
    );

describe('on a visible change', () => {
  it('calls back once per change, with the record that a query would return', async () => {
    const registrations = Array.from({ length: 5 }, (_, index) => register(index));
    const expected = new Map(registrations.map(({ id }) => [id, ['INIT/undefined/0']]));
    for (let second = 0; second < 1200; second += 1) {
      await clock.advance(1000);
      for (const registration of registrations) {
        const record = account.recordAt(registration, clock.now());
        const state = `${record.transitStatus}/${record.transitSubStatus}/${checkpointsOf(record).length}`;
        const states = expected.get(registration.id) ?? [];
        if (states.at(-1) !== state) states.push(state);
      }
    }
    for (const { id, trackNo } of registrations) expect(statesOf(trackNo)).toEqual(expected.get(id)?.slice(1));
    expect(calls.length).toBeGreaterThan(15);
    expect(sender.counts()).toEqual({ attempts: calls.length, acknowledged: calls.length, abandoned: 0, waiting: 0 });
  });

  it('does not report a registration, a deletion, a remark or a new update time', async () => {
    const registration = register(1);
    account.edit(registration, { merchant: { remark: 'x' }, extra: { postalCode: null, phoneSuffix: null } }, noon);
    expect(calls).toEqual([]);
    await clock.advance(3000);
    expect(calls).toHaveLength(1);
    for (const current of account.all()) account.remove(current);
    await clock.advance(10 * 86_400_000);
    expect(calls).toHaveLength(1);
    expect(clock.timers()).toBe(0);
  });

  it('reports changes caused by a refresh or a new courier immediately', async () => {
    register(1);
    const [registration] = account.all();
    if (registration !== undefined) account.refresh(registration, clock.now());
    await settle();
    expect(calls.map(({ at }) => at)).toEqual([noon]);
    const [refreshed] = account.all();
    if (refreshed !== undefined) account.changeCourier(refreshed, 'fedex', clock.now());
    await settle();
    expect(calls.map(({ record }) => record.transitStatus).at(-1)).toBe('INIT');
  });
});

describe('without an acknowledgement', () => {
  /** A number that does not change after its first lookup. */
  const registerQuiet = () => registerParcel(account, registrationRequest('3SABCD1234567'), clock.now());

  it('tries seven times, with waits from ten minutes to a day and a half, divided by the speed', async () => {
    defaultResponse = false;
    registerQuiet();
    await clock.advance(10 * 86_400_000);
    const waits = calls.slice(1).map(({ at }, index) => ((at - (calls[index]?.at ?? 0)) * speed) / 1000);
    expect(waits.map((wait) => Math.round(wait))).toEqual([600, 1800, 3600, 14_400, 43_200, 129_600]);
    expect(sender.counts()).toEqual({ attempts: 7, acknowledged: 0, abandoned: 1, waiting: 0 });
  });

  it('stops trying when a later attempt is acknowledged', async () => {
    defaultResponse = false;
    registerQuiet();
    await clock.advance(3000);
    defaultResponse = true;
    await clock.advance(10 * 86_400_000);
    expect(sender.counts()).toEqual({ attempts: 2, acknowledged: 1, abandoned: 0, waiting: 0 });
  });

  it('stops waiting for a response after ten seconds', async () => {
    defaultResponse = null;
    registerQuiet();
    await clock.advance(3000);
    expect(calls).toHaveLength(1);
    const givenUpAt = (calls[0]?.at ?? 0) + 10_000;
    await clock.advance(givenUpAt - 1 - clock.now());
    expect([calls[0]?.signal.aborted, calls.length]).toEqual([false, 1]);
    await clock.advance(1 + 600_000 / speed + 1);
    expect([calls[0]?.signal.aborted, calls.length]).toEqual([true, 2]);
  });

  it('replaces a waiting state with a newer one, which gets the full number of attempts', async () => {
    defaultResponse = false;
    const registration = registerQuiet();
    await clock.advance(3000);
    expect(calls).toHaveLength(1);
    defaultResponse = true;
    account.changeCourier(registration, 'bpost', clock.now());
    await settle();
    expect(calls.map(({ record }) => record.localLogisticsInfo?.courierCode)).toEqual(['postnl', 'bpost']);
    expect(sender.counts().waiting).toBe(0);
    await clock.advance(600_000 / speed);
    expect(calls.filter(({ record }) => record.localLogisticsInfo?.courierCode === 'postnl')).toHaveLength(1);
  });

  it('sends a newer state only after the response to the older one', async () => {
    defaultResponse = null;
    const registration = registerQuiet();
    await clock.advance(3000);
    account.changeCourier(registration, 'bpost', clock.now());
    await settle();
    expect(calls).toHaveLength(1);
    await calls[0]?.respond(false);
    expect(calls.map(({ record }) => record.localLogisticsInfo?.courierCode)).toEqual(['postnl', 'bpost']);
  });

  it('drops a number that is deleted', async () => {
    defaultResponse = false;
    const registration = registerQuiet();
    await clock.advance(3000);
    account.remove(registration);
    expect(sender.counts().waiting).toBe(0);
    await clock.advance(10 * 86_400_000);
    expect(calls).toHaveLength(1);
  });
});

it('makes at most eight calls at the same time', async () => {
  defaultResponse = null;
  for (let index = 0; index < 20; index += 1) register(index);
  await clock.advance(3000);
  expect(calls).toHaveLength(8);
  await calls[0]?.respond(true);
  expect(calls).toHaveLength(9);
  expect(sender.counts()).toMatchObject({ attempts: 9, acknowledged: 1, waiting: 19 });
});

it('cancels calls and timers when it is closed', async () => {
  defaultResponse = null;
  register(1);
  await clock.advance(3000);
  sender.close();
  await settle();
  expect(calls[0]?.signal.aborted).toBe(true);
  expect(clock.timers()).toBe(0);
  register(2);
  await clock.advance(60_000);
  expect(calls).toHaveLength(1);
});
