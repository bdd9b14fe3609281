import { describe, expect, it } from 'vitest';
import { politeService } from '../../../src/commands/session/polite-service.ts';
import { restingService } from '../../../src/polling/gate/resting-service.ts';
import { ToldToWaitError } from '../../../src/polling/gate/told-to-wait.ts';
import { defaultPollingPolicy } from '../../../src/polling/schedule/policy.ts';
import type { HttpTrackingService } from '../../../src/service/client/client.ts';
import { RateLimitedError, RequestRefusedError, type ServiceError } from '../../../src/service/failures/errors.ts';
import type { RegistrationItem } from '../../../src/service/record/record.ts';
import { createMemoryPollingMemory } from '../../../src/watchlist/state/polling-memory.ts';
import { createFakeService } from '../../polling/fake-service.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { recordOf } from '../../support/records.ts';

const item: RegistrationItem = { trackNo: 'RB1CN', courierCode: null, postalCode: null, phoneSuffix: null };
const tooMany = (retryAfterMs: number | null): RateLimitedError =>
  new RateLimitedError('Too many calls.', retryAfterMs);

/** A service whose instant tracking fails with these errors first. */
function open(...failures: readonly ServiceError[]) {
  const clock = createFakeClock();
  const interrupted = new AbortController();
  const waits: number[] = [];
  const left = [...failures];
  let asked = 0;
  const unused = async (): Promise<never> => Promise.reject(new Error('not asked for'));
  const service: HttpTrackingService = {
    ...createFakeService(clock),
    search: unused,
    delete: unused,
    edit: unused,
    changeCourier: unused,
    retrack: unused,
    instant: async () => {
      asked += 1;
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return { kind: 'record', record: recordOf() };
    },
    clockSkew: () => null,
    close: async () => undefined,
  };
  const { signal } = interrupted;
  const polite = politeService(service, { clock, signal, onLongWait: (waitMs) => waits.push(waitMs) });
  return { clock, interrupted, polite, service, signal, waits, asked: () => asked };
}

describe('politeService', () => {
  it('waits out the second in which there were too many calls, says nothing, and tries once more', async () => {
    const { asked, clock, polite, waits } = open(tooMany(null));
    const answer = polite.instant(item);
    await clock.advance(999);
    expect(asked()).toBe(1);
    await clock.advance(200);
    expect(await answer).toMatchObject({ kind: 'record' });
    expect({ asked: asked(), waits }).toEqual({ asked: 2, waits: [] });
  });

  it('waits as long as the service asks for, and tells when that is long', async () => {
    const { asked, clock, polite, waits } = open(tooMany(12_000));
    const answer = polite.instant(item);
    await clock.advance(11_999);
    expect({ asked: asked(), waits }).toEqual({ asked: 1, waits: [12_000] });
    await clock.advance(1);
    expect(await answer).toMatchObject({ kind: 'record' });
  });

  it('gives up after the second try', async () => {
    const { asked, clock, polite } = open(tooMany(null), tooMany(null));
    const answer = expect(polite.instant(item)).rejects.toThrow(RateLimitedError);
    await clock.advance(5_000);
    await answer;
    expect(asked()).toBe(2);
  });

  it('does not wait for minutes, nor in a pause that was known, nor because of another failure', async () => {
    for (const failure of [tooMany(120_000), new ToldToWaitError('A pause.', 5_000), new RequestRefusedError('No.')]) {
      const { asked, clock, polite } = open(failure);
      await expect(polite.instant(item)).rejects.toBe(failure);
      expect({ asked: asked(), timers: clock.timers() }).toEqual({ asked: 1, timers: 0 });
    }
  });

  it('stops waiting when it is interrupted', async () => {
    const { asked, clock, interrupted, polite } = open(tooMany(null));
    const answer = expect(polite.instant(item)).rejects.toThrow(RateLimitedError);
    await clock.advance(10);
    interrupted.abort();
    await answer;
    expect({ asked: asked(), timers: clock.timers() }).toEqual({ asked: 1, timers: 0 });
  });

  it('lets everything else rest while it waits, and is let through when the pause is over', async () => {
    const { asked, clock, service, signal } = open(tooMany(12_000));
    const memory = createMemoryPollingMemory();
    const resting = restingService(service, { clock, memory, policy: defaultPollingPolicy, random: () => 0.5 });
    const polite = politeService(resting, { clock, signal, onLongWait: () => undefined });
    const answer = polite.instant(item);
    await clock.advance(5_000);
    expect((await memory.load()).coolDown).toMatchObject({ byService: true });
    await expect(polite.delete([item])).rejects.toThrow(ToldToWaitError);
    await clock.advance(7_000);
    expect(await answer).toMatchObject({ kind: 'record' });
    expect(asked()).toBe(2);
  });
});
