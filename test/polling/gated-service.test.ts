import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/lib/store-errors.ts';
import { type GatedService, gatedService } from '../../src/polling/account.ts';
import { type Budget, BudgetSpentError, noBudget } from '../../src/polling/gate/budget.ts';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import type { HttpTrackingService } from '../../src/service/client.ts';
import type { InstantResponse, RegistrationItem } from '../../src/service/port.ts';
import { emptyPollingMemory } from '../../src/store/shared-state.ts';
import { createMemoryDocument } from '../../src/store/store.ts';
import { type CallMeter, createUsageMeter, noUsage } from '../../src/store/usage-meter.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { recordOf } from '../support/records.ts';
import { createFakeService } from './fake-service.ts';

const key = { trackNo: 'RB1CN', courierCode: 'ups' };
const item: RegistrationItem = { ...key, postalCode: null, phoneSuffix: null };
const record: InstantResponse = { kind: 'record', record: recordOf() };
const page = { records: [recordOf(), recordOf()], next: null, totalPages: null, traceId: null };

/** Opens a gated service whose calls succeed, and records the names of the calls that are sent. */
function open(budget: Budget = noBudget, givenMeter?: CallMeter) {
  const clock = createFakeClock();
  const meter = givenMeter ?? createUsageMeter(clock);
  const memory = createMemoryDocument(emptyPollingMemory);
  const sent: string[] = [];
  const succeed =
    <Value>(name: string, value: Value) =>
    async (): Promise<Value> => {
      sent.push(name);
      return value;
    };
  const ungated: HttpTrackingService = {
    ...createFakeService(clock),
    couriers: succeed('couriers', []),
    search: succeed('search', page),
    delete: succeed('delete', []),
    edit: succeed('edit', undefined),
    changeCourier: succeed('changeCourier', undefined),
    retrack: succeed('retrack', []),
    instant: succeed('instant', record),
    clockSkew: () => null,
    close: async () => undefined,
  };
  const gate = new CallGate({ clock, random: () => 0.5, memory, meter, budget });
  return { clock, gate, memory, meter, sent, service: gatedService(ungated, gate, 'user') };
}

const calls: Readonly<Record<string, (service: GatedService) => Promise<unknown>>> = {
  couriers: (service) => service.couriers(),
  search: (service) => service.search({}, ''),
  delete: (service) => service.delete([key]),
  edit: (service) => service.edit(key),
  changeCourier: (service) => service.changeCourier(key, 'dhl'),
  retrack: (service) => service.retrack([key]),
  instant: (service) => service.instant(item),
};

describe('a gated service', () => {
  it.each(Object.entries(calls))('passes %s through the gate', async (name, call) => {
    const { clock, memory, meter, sent, service } = open();
    await memory.update((known) => ({
      ...known,
      coolDown: { until: clock.now() + 300_000, byService: true, failures: 1 },
    }));
    await expect(call(service)).rejects.toThrow(/asked for a pause.*300 s/);
    expect(sent).toEqual([]);
    await clock.advance(300_000);
    await call(service);
    expect(sent).toEqual([name]);
    expect((await meter.read()).today.calls).toBe(1);
  });

  it('counts an account page as a query for as many numbers as it has records', async () => {
    const { meter, service } = open();
    expect(await service.search({}, '')).toBe(page);
    expect((await meter.read()).today).toEqual({ calls: 1, queries: 1, numbers: 2, registrations: 0 });
  });
});

describe('a live lookup', () => {
  const twoAMonth: Budget = { queriesPerDay: null, registrationsPerMonth: 2 };

  it('is counted as a registration, and announced before it is sent', async () => {
    const { meter, sent, service } = open({ queriesPerDay: 0, registrationsPerMonth: null });
    const announced: number[] = [];
    const onAdmitted = (): void => void announced.push(sent.length);
    expect(await service.instant(item, undefined, { onAdmitted })).toBe(record);
    expect(announced).toEqual([0]);
    expect((await meter.read()).today).toEqual({ ...noUsage, calls: 1, registrations: 1 });
  });

  it('is neither announced nor sent once the budget is used up, by whichever process', async () => {
    const meter = createUsageMeter(createFakeClock());
    await meter.add(() => ({ ...noUsage, calls: 1, registrations: 1 }));
    const { sent, service } = open(twoAMonth, meter);
    await service.instant(item);
    const announced: string[] = [];
    await expect(service.instant(item, undefined, { onAdmitted: () => void announced.push('again') })).rejects.toThrow(
      'Your budget of 2 registrations a month (budget.registrationsPerMonth), which also pays for live lookups, is used up until 2026-12-01 00:00 UTC. To continue sooner, raise the budget in config.json.',
    );
    expect({ announced, sent }).toEqual({ announced: [], sent: ['instant'] });
  });

  it('exceeds the budget if the user wants that, and is counted', async () => {
    const { meter, sent, service } = open({ ...twoAMonth, registrationsPerMonth: 0 });
    await expect(service.instant(item)).rejects.toThrow(BudgetSpentError);
    expect(await service.instant(item, undefined, { beyondBudget: true })).toBe(record);
    expect(sent).toHaveLength(1);
    expect((await meter.read()).month.registrations).toBe(1);
  });

  it('is not sent if it cannot be counted, unless there is no budget or the user may exceed it', async () => {
    const full = new StoreError('disk-full', 'No space left to write meter.json. Free some space.', 'meter.json');
    const working = createUsageMeter(createFakeClock());
    const add = async (): Promise<never> => {
      throw full;
    };
    const { gate, sent, service } = open(twoAMonth, { read: working.read, add });
    const problems: unknown[] = [];
    gate.listen({ onProblem: (_source, error) => void (error === null ? null : problems.push(error)) });
    await expect(service.instant(item)).rejects.toMatchObject({
      kind: 'disk-full',
      message: `Requests with a budget wait until they can be counted: ${full.message}`,
      cause: full,
    });
    expect({ sent, problems }).toEqual({ sent: [], problems: [expect.objectContaining({ cause: full })] });
    await service.couriers();
    await service.instant(item, undefined, { beyondBudget: true });
    expect(sent).toEqual(['couriers', 'instant']);
    await open(noBudget, { read: working.read, add }).service.instant(item);
  });
});
