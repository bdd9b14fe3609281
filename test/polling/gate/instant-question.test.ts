import { describe, expect, it } from 'vitest';
import { type Budget, BudgetKeeper, BudgetSpentError, noBudget } from '../../../src/polling/gate/budget.ts';
import { askForInstantAnswer } from '../../../src/polling/gate/instant-question.ts';
import { ToldToWaitError } from '../../../src/polling/gate/told-to-wait.ts';
import { QuotaExhaustedError, ServiceTimeoutError, UnreachableError } from '../../../src/service/failures/errors.ts';
import type { InstantAnswer, RegistrationItem } from '../../../src/service/record/record.ts';
import { StoreFullError } from '../../../src/watchlist/errors.ts';
import { noUsage } from '../../../src/watchlist/state/usage.ts';
import { createMemoryUsageMeter, type UsageMeter } from '../../../src/watchlist/state/usage-meter.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { recordOf } from '../../support/records.ts';

const item: RegistrationItem = { trackNo: 'RB1CN', courierCode: 'ups', postalCode: null, phoneSuffix: null };
const record: InstantAnswer = { kind: 'record', record: recordOf() };
const clock = createFakeClock();
const twoAMonth: Budget = { queriesPerDay: null, registrationsPerMonth: 2 };

function asker(budget: Budget, meter: UsageMeter = createMemoryUsageMeter(clock)) {
  const sent: RegistrationItem[] = [];
  const troubles: unknown[] = [];
  const admitted: number[] = [];
  const onTrouble = (error: unknown): void => void (error === null ? null : troubles.push(error));
  const keeper = new BudgetKeeper({ meter, budget, clock, onTotals: () => {}, onTrouble });
  const service = {
    instant: async (asked: RegistrationItem): Promise<InstantAnswer> => {
      sent.push(asked);
      return record;
    },
  };
  const { signal } = new AbortController();
  const pause: { error: Error | null } = { error: null };
  const ask = (beyondBudget = false): Promise<InstantAnswer> =>
    askForInstantAnswer(service, keeper, item, {
      signal,
      beyondBudget,
      refuseInPause: async () => {
        if (pause.error !== null) throw pause.error;
      },
      onAdmitted: () => admitted.push(sent.length),
    });
  return { ask, pause, sent, troubles, admitted, meter, service };
}

describe('an instant answer', () => {
  it('is counted as a registration, and announced before it is asked for', async () => {
    const { ask, sent, admitted, meter } = asker(noBudget);
    expect(await ask()).toBe(record);
    expect(sent).toEqual([item]);
    expect(admitted).toEqual([0]);
    expect((await meter.read()).today).toEqual({ ...noUsage, calls: 1, registrations: 1 });
  });

  it('is not asked for when the budget of registrations is used up, by whichever process', async () => {
    const meter = createMemoryUsageMeter(clock);
    await meter.add(() => ({ ...noUsage, calls: 1, registrations: 1 }));
    const { ask, sent, admitted } = asker(twoAMonth, meter);
    await ask();
    await expect(ask()).rejects.toThrow(BudgetSpentError);
    await expect(ask()).rejects.toThrow(
      'Your budget of 2 registrations a month (budget.registrationsPerMonth) is used up; it begins anew at 2026-12-01 00:00 UTC. Wait, or raise it in config.json. An instant answer costs as much as a registration.',
    );
    expect(sent).toHaveLength(1);
    expect(admitted).toHaveLength(1);
    expect((await meter.read()).today).toMatchObject({ calls: 2, registrations: 2 });
  });

  it('is asked for beyond the budget when the user wants so, and is counted all the same', async () => {
    const { ask, sent, meter } = asker({ ...twoAMonth, registrationsPerMonth: 0 });
    await expect(ask()).rejects.toThrow(BudgetSpentError);
    expect(await ask(true)).toBe(record);
    expect(sent).toHaveLength(1);
    expect((await meter.read()).month.registrations).toBe(1);
  });

  it('is neither announced nor counted in a pause that the service has asked for', async () => {
    const { ask, pause, sent, admitted, meter } = asker(noBudget);
    pause.error = new ToldToWaitError('A pause.', 5_000);
    await expect(ask()).rejects.toBe(pause.error);
    expect({ sent, admitted }).toEqual({ sent: [], admitted: [] });
    expect((await meter.read()).today).toEqual(noUsage);
  });

  it('costs no query', async () => {
    const { ask } = asker({ queriesPerDay: 0, registrationsPerMonth: null });
    expect(await ask()).toBe(record);
  });

  it.each([
    ['given back when the service did not take the call', new UnreachableError('No connection.'), 0],
    ['given back when the account has no credit', new QuotaExhaustedError('No credit.'), 0],
    ['counted when the service may have taken it', new ServiceTimeoutError('No answer.'), 1],
  ])('is %s', async (_what, failure, registrations) => {
    const { ask, meter, service } = asker(twoAMonth);
    service.instant = async () => {
      throw failure;
    };
    await expect(ask()).rejects.toBe(failure);
    expect((await meter.read()).today).toMatchObject({ calls: 1, registrations });
  });

  it('is asked for when the meter cannot be written, within what the meter tells', async () => {
    const full = new StoreFullError('No space left to write meter.json. Free some space.', 'meter.json');
    const add = async (): Promise<never> => {
      throw full;
    };
    const whole = createMemoryUsageMeter(clock);
    await whole.add(() => ({ ...noUsage, registrations: 1 }));
    const { ask, sent, troubles } = asker(twoAMonth, { read: whole.read, add });
    expect(await ask()).toBe(record);
    expect(troubles).toEqual([full]);
    await whole.add(() => ({ ...noUsage, registrations: 1 }));
    await expect(ask()).rejects.toThrow(BudgetSpentError);
    expect(sent).toHaveLength(1);
  });
});
