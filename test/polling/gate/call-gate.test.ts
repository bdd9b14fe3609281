import { describe, expect, it } from 'vitest';
import { minuteMs as minute } from '../../../src/lib/clock.ts';
import { BudgetSpentError } from '../../../src/polling/gate/budget.ts';
import { CallGate, type CallGateOptions } from '../../../src/polling/gate/call-gate.ts';
import {
  type CallOperation,
  type CallOrigin,
  HeldBackError,
  ServiceCoolDownError,
} from '../../../src/polling/gate/call-rules.ts';
import { createMonitor } from '../../../src/polling/monitor.ts';
import {
  CancelledError,
  KeyRefusedError,
  QuotaExhaustedError,
  RateLimitedError,
  RequestRefusedError,
  type ServiceError,
  ServiceTimeoutError,
  ServiceTroubleError,
  UnreachableError,
} from '../../../src/service/port.ts';
import { emptyPollingMemory } from '../../../src/store/shared-state.ts';
import { createMemoryDocument, createMemoryStore } from '../../../src/store/store.ts';
import { createUsageMeter, noUsage, type Usage } from '../../../src/store/usage-meter.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { recordOf } from '../../support/records.ts';
import { createFakeService } from '../fake-service.ts';

const key = { trackNo: 'RB1CN', courierCode: 'ups' };

function openGate(options: Partial<CallGateOptions> = {}, clock: FakeClock = createFakeClock()) {
  const memory = createMemoryDocument(emptyPollingMemory);
  const meter = createUsageMeter(clock);
  const gate = new CallGate({ clock, random: () => 0.5, memory, meter, ...options });
  return { clock, gate, memory, meter };
}
type GateContext = ReturnType<typeof openGate>;

/** A situation in which a call may be held back, and how to bring it about. */
interface Situation {
  readonly options?: Partial<CallGateOptions>;
  readonly arrange?: (context: GateContext) => Promise<void>;
  readonly signal?: AbortSignal;
  readonly beyondBudget?: boolean;
}

const otherProcess = {
  hold: async () => false,
  isHeld: () => false,
  fence: () => null,
  release: async () => undefined,
};
const queriesUsedUp: Situation = {
  options: { budget: { queriesPerDay: 1, registrationsPerMonth: null } },
  arrange: async ({ meter }) => void (await meter.add(() => ({ ...noUsage, queries: 1 }))),
};
const afterFailure = (error: ServiceError): Situation => ({
  arrange: async ({ clock, gate }) => {
    await gate.backOff(error, 'query');
    // Ends the back-off and keeps the failure.
    await clock.advance(minute);
  },
});
const coolingDown = (byService: boolean): Situation => ({
  arrange: async ({ clock, memory }) =>
    void (await memory.update((known) => ({
      ...known,
      coolDown: { until: clock.now() + minute, byService, failures: 1 },
    }))),
});
const situations = {
  'nothing is in the way': {},
  'the user has paused': {
    arrange: async ({ memory }) => void (await memory.update((known) => ({ ...known, paused: true }))),
  },
  'the service has asked for a pause': coolingDown(true),
  'our own back-off is running': coolingDown(false),
  'the service has rejected the key': afterFailure(new KeyRefusedError('No.')),
  'the credit is used up': afterFailure(new QuotaExhaustedError('No credit.')),
  'the last call failed, but the next may succeed': afterFailure(new UnreachableError('offline')),
  'a round has just ended': { arrange: async ({ gate }) => gate.beginPace() },
  'another process polls': { options: { lease: otherProcess } },
  'the budget is used up': queriesUsedUp,
  'the budget is used up, and the user exceeds it': { ...queriesUsedUp, beyondBudget: true },
  'the user has cancelled it': { signal: AbortSignal.abort() },
} satisfies Readonly<Record<string, Situation>>;

type Outcome = 'sent' | 'told to try later' | 'over budget' | 'cancelled' | `held back (${string})`;
type Row = Readonly<Record<CallOrigin, Outcome>>;

const forEveryOrigin = (outcome: Outcome): Row => ({ poll: outcome, user: outcome, command: outcome });
const forPolls = (outcome: Outcome): Row => ({ poll: outcome, user: 'sent', command: 'sent' });

/** The outcome of a call in each situation, by origin. Pushes are always stored, and send nothing. */
const outcomes: Readonly<Record<keyof typeof situations, Row>> = {
  'nothing is in the way': forEveryOrigin('sent'),
  'the user has paused': forPolls('held back (paused)'),
  'the service has asked for a pause': forEveryOrigin('told to try later'),
  'our own back-off is running': forPolls('held back (back-off)'),
  'the service has rejected the key': forPolls('held back (needs-user)'),
  'the credit is used up': forPolls('held back (needs-user)'),
  'the last call failed, but the next may succeed': forEveryOrigin('sent'),
  'a round has just ended': forPolls('held back (pace)'),
  'another process polls': forPolls('held back (lease)'),
  'the budget is used up': forEveryOrigin('over budget'),
  'the budget is used up, and the user exceeds it': forEveryOrigin('sent'),
  'the user has cancelled it': forEveryOrigin('cancelled'),
};

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ServiceCoolDownError) return 'told to try later';
  if (error instanceof HeldBackError) return `held back (${error.reason})`;
  if (error instanceof BudgetSpentError) return 'over budget';
  if (error instanceof CancelledError) return 'cancelled';
  throw error;
}

async function openGateIn({ arrange, options }: Situation): Promise<GateContext> {
  const context = openGate(options);
  await arrange?.(context);
  return context;
}

const names = Object.keys(situations) as (keyof typeof situations)[];
const rows = names.flatMap((name) =>
  (['poll', 'user', 'command'] as const).map((origin) => ({ name, origin, outcome: outcomes[name][origin] })),
);

describe('a call', () => {
  it.each(rows)('with origin $origin is $outcome while $name', async ({ name, origin, outcome }) => {
    const situation: Situation = situations[name];
    const context = await openGateIn(situation);
    const before = await context.meter.read();
    let sent = 0;
    const { beyondBudget = false, signal } = situation;
    const call = { operation: 'query', origin, numbers: 3, beyondBudget, signal } as const;
    const actual = await context.gate
      .call({ ...call, send: async () => ++sent })
      .then((): Outcome => 'sent', outcomeOf);
    expect(actual).toBe(outcome);
    expect(sent).toBe(outcome === 'sent' ? 1 : 0);
    // Calls that are not sent are not counted.
    const { queries } = (await context.meter.read()).today;
    expect(queries - before.today.queries).toBe(sent);
  });

  it.each(names)('is never needed to accept a push, while %s', async (name) => {
    const { clock, gate, meter } = await openGateIn(situations[name]);
    const before = await meter.read();
    const service = createFakeService(clock);
    const watched = parcelOf('RB1CN', { registration: 'registered', courierCode: 'ups' });
    const store = createMemoryStore({ version: 1, parcels: [watched] });
    const monitor = createMonitor({ store, service, gate, clock, random: () => 0.5 });
    await monitor.load();
    expect(await monitor.receive(recordOf(key))).toBe('stored');
    expect(service.calls).toEqual([]);
    expect(await meter.read()).toEqual(before);
  });

  it('says when to try again', async () => {
    const { gate } = await openGateIn(coolingDown(true));
    const call = gate.call({ operation: 'edit', origin: 'user', send: async () => undefined });
    await expect(call).rejects.toMatchObject({ retryAfterMs: minute });
    await expect(call).rejects.toThrow('Try again in 60 s. Due parcels are checked automatically then.');
  });

  it('is not counted if the lease is lost before it is sent', async () => {
    let checks = 0;
    // The lease is lost to another process while the call is counted.
    const { gate, meter } = openGate({ lease: { ...otherProcess, isHeld: () => ++checks <= 1 } });
    const call = gate.call({ operation: 'register', origin: 'poll', numbers: 5, send: async () => undefined });
    await expect(call).rejects.toMatchObject({ reason: 'lease' });
    expect((await meter.read()).today).toEqual(noUsage);
    expect(gate.budget.registrationsLeft()).toBeNull();
  });

  it('is limited to the numbers that the budget covers', async () => {
    const { gate, meter } = openGate({ budget: { queriesPerDay: null, registrationsPerMonth: 2 } });
    const send = async (numbers: number) => numbers;
    const call = { operation: 'register', origin: 'user', numbers: 5, send } as const;
    expect(gate.budget.registrationsLeft()).toBe(2);
    expect(await gate.call(call)).toBe(2);
    expect(gate.budget.registrationsLeft()).toBe(0);
    await expect(gate.call(call)).rejects.toThrow(BudgetSpentError);
    expect((await meter.read()).month.registrations).toBe(2);
  });
});

describe('the call gate', () => {
  const oneCall = { ...noUsage, calls: 1 };
  const queried = { ...oneCall, queries: 1, numbers: 3 };
  const registered = { ...oneCall, registrations: 3 };
  /** What a call with three numbers counts if it succeeds, if it may have been received, and if it was not received. */
  const counts: Readonly<Record<CallOperation, readonly [Usage, Usage, Usage]>> = {
    register: [registered, registered, oneCall],
    query: [queried, queried, queried],
    search: [queried, queried, noUsage],
    instant: [registered, registered, oneCall],
    couriers: [oneCall, oneCall, oneCall],
    edit: [oneCall, oneCall, oneCall],
    changeCourier: [oneCall, oneCall, oneCall],
    delete: [oneCall, oneCall, oneCall],
    retrack: [oneCall, oneCall, oneCall],
  };
  const endings = [
    ['succeeds', null],
    ['times out', new ServiceTimeoutError('No response.')],
    ['does not reach the service', new UnreachableError('offline')],
  ] as const;
  const rows = (Object.keys(counts) as CallOperation[]).flatMap((operation) =>
    endings.map(([ending, failure], index) => ({ operation, ending, failure, usage: counts[operation][index] })),
  );
  it.each(rows)('counts a call ($operation) that $ending', async ({ operation, failure, usage }) => {
    const { gate, meter } = openGate();
    const send = async (): Promise<void> => {
      if (failure !== null) throw failure;
    };
    const call = gate.call({ operation, origin: 'user', numbers: 3, send });
    if (failure === null) await call;
    else await expect(call).rejects.toBe(failure);
    expect((await meter.read()).today).toEqual(usage);
  });

  it('corrects the count to the cost in the response', async () => {
    const { gate, meter } = openGate();
    const usageOf = (accepted: number) => ({ ...oneCall, registrations: accepted });
    await gate.call({ operation: 'register', origin: 'user', numbers: 3, send: async () => 1, usageOf });
    expect((await meter.read()).today).toEqual({ ...oneCall, registrations: 1 });
  });

  it('reports a failing meter, but still sends the call', async () => {
    const diskFull = new Error('No space left.');
    const fail = async (): Promise<never> => {
      throw diskFull;
    };
    const { gate } = openGate({ meter: { read: fail, add: fail } });
    const problems: unknown[] = [];
    gate.listen({ onProblem: (source, error) => problems.push([source, error]) });
    expect(await gate.call({ operation: 'delete', origin: 'user', send: async () => 'gone' })).toBe('gone');
    expect(problems).toContainEqual(['meter-write', diskFull]);
  });
});

describe('a rate-limited call', () => {
  const tooMany = (retryAfterMs: number | null): RateLimitedError =>
    new RateLimitedError('Too many calls.', { retryAfterMs });

  /** Starts a call that first fails with these errors. */
  function startFailingCall(
    failures: readonly ServiceError[],
    origin: CallOrigin = 'command',
    operation: CallOperation = 'edit',
  ) {
    const waits: number[] = [];
    const interruption = new AbortController();
    // Our own wait is the shortest possible.
    const context = openGate({
      random: () => 0,
      signal: interruption.signal,
      onLongWait: (waitMs) => waits.push(waitMs),
    });
    const remaining = [...failures];
    let sent = 0;
    const send = async (): Promise<string> => {
      sent += 1;
      const failure = remaining.shift();
      if (failure !== undefined) throw failure;
      return 'done';
    };
    const call = context.gate.call({ operation, origin, send });
    call.catch(() => {});
    return { ...context, call, interruption, waits, sent: () => sent };
  }

  it('is retried after a second', async () => {
    const { call, clock, meter, sent, waits } = startFailingCall([tooMany(500)]);
    await clock.advance(999);
    expect(sent()).toBe(1);
    await clock.advance(200);
    expect(await call).toBe('done');
    expect({ sent: sent(), waits }).toEqual({ sent: 2, waits: [] });
    expect((await meter.read()).today.calls).toBe(2);
  });

  it('waits as long as the service asks, and tells a command about the wait', async () => {
    const { call, clock, sent, waits } = startFailingCall([tooMany(12_000)]);
    await clock.advance(11_999);
    expect({ sent: sent(), waits }).toEqual({ sent: 1, waits: [12_000] });
    await clock.advance(1);
    expect(await call).toBe('done');
    const onBoard = startFailingCall([tooMany(12_000)], 'user');
    await onBoard.clock.advance(12_000);
    expect(await onBoard.call).toBe('done');
    expect(onBoard.waits).toEqual([]);
  });

  it('is retried only once', async () => {
    const { call, clock, sent } = startFailingCall([tooMany(500), tooMany(500)]);
    await clock.advance(5_000);
    await expect(call).rejects.toThrow(RateLimitedError);
    expect(sent()).toBe(2);
  });

  it.each([
    ['would wait for minutes', [tooMany(120_000)], 'edit'],
    ['is rejected for a different reason', [new RequestRefusedError('No.')], 'edit'],
    ['is a registration, which its caller reschedules', [tooMany(500)], 'register'],
    ['is a query, which its caller reschedules', [tooMany(500)], 'query'],
  ] as const)('is not retried if it %s', async (_what, failures, operation) => {
    const { call, clock, sent } = startFailingCall(failures, 'command', operation);
    await expect(call).rejects.toThrow(failures[0].message);
    expect({ sent: sent(), timers: clock.timers() }).toEqual({ sent: 1, timers: 0 });
  });

  it('stops waiting when the program stops', async () => {
    const { call, clock, interruption, sent } = startFailingCall([tooMany(500)]);
    await clock.advance(10);
    interruption.abort();
    await expect(call).rejects.toThrow(RateLimitedError);
    expect({ sent: sent(), timers: clock.timers() }).toEqual({ sent: 1, timers: 0 });
  });

  it('holds back all other calls in all processes until the pause is over', async () => {
    const { call, clock, memory, sent } = startFailingCall([tooMany(12_000)]);
    await clock.advance(5_000);
    expect((await memory.read()).coolDown).toMatchObject({ byService: true });
    const other = openGate({ memory }, clock);
    const edit = other.gate.call({ operation: 'edit', origin: 'command', send: async () => undefined });
    await expect(edit).rejects.toThrow(ServiceCoolDownError);
    await clock.advance(7_000);
    expect(await call).toBe('done');
    expect(sent()).toBe(2);
  });
});

describe('the cool-down', () => {
  const fail = (gate: CallGate, error: ServiceError): Promise<unknown> =>
    gate.call({
      operation: 'edit',
      origin: 'user',
      send: async () => {
        throw error;
      },
    });

  it('applies to all processes after a rate limit, but not after any other failure', async () => {
    const { clock, gate, memory } = openGate();
    await expect(fail(gate, new ServiceTroubleError('In trouble.'))).rejects.toThrow('In trouble.');
    expect((await memory.read()).coolDown).toBeNull();
    const tooMany = new RateLimitedError('Too many calls.', { retryAfterMs: 120_000 });
    await expect(fail(gate, tooMany)).rejects.toMatchObject({ message: 'Too many calls.', retryAfterMs: 120_000 });
    expect((await memory.read()).coolDown).toEqual({ until: clock.now() + 120_000, byService: true, failures: 1 });
  });

  it('does not grow if the last one was days ago', async () => {
    const { clock, gate, memory } = openGate();
    for (const _day of Array.from({ length: 5 })) {
      await expect(fail(gate, new RateLimitedError('Too many calls.', { retryAfterMs: 120_000 }))).rejects.toThrow(
        'Too many calls.',
      );
      expect((await memory.read()).coolDown?.failures).toBe(1);
      await clock.advance(24 * 60 * minute);
    }
  });

  it('has a fixed end even if the service names no time', async () => {
    const { clock, gate, memory } = openGate({ random: () => 0.999, signal: AbortSignal.abort() });
    const error: unknown = await fail(gate, new RateLimitedError('Too many calls.')).catch((thrown: unknown) => thrown);
    const until = (await memory.read()).coolDown?.until ?? 0;
    expect(error).toMatchObject({ retryAfterMs: until - clock.now() });
    expect(until).toBeGreaterThan(clock.now());
  });

  it('ends when a query succeeds, unless the service asked for it', async () => {
    const query = { operation: 'query', origin: 'user', send: async () => undefined } as const;
    const ownBackOff = await openGateIn(coolingDown(false));
    await ownBackOff.gate.call(query);
    expect((await ownBackOff.memory.read()).coolDown).toBeNull();
    const { clock, gate, memory } = openGate();
    const coolDown = { until: clock.now() + minute, byService: true, failures: 1 };
    await gate.call({ ...query, send: async () => void (await memory.update((known) => ({ ...known, coolDown }))) });
    expect((await memory.read()).coolDown).toEqual(coolDown);
  });

  it('works even if the memory can be neither read nor written', async () => {
    const broken = async (): Promise<never> => Promise.reject(new Error('No memory.'));
    const { gate } = openGate({ memory: { read: broken, update: broken } });
    await expect(fail(gate, new RateLimitedError('Too many calls.', { retryAfterMs: 120_000 }))).rejects.toThrow(
      'Too many calls.',
    );
    // It still applies in this process.
    await expect(fail(gate, new UnreachableError('never sent'))).rejects.toThrow(ServiceCoolDownError);
  });
});
