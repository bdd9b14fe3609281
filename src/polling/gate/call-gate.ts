import { type Clock, type EpochMs, type Random, sleep } from '../../lib/clock.ts';
import type { StoreError } from '../../lib/store-errors.ts';
import { CancelledError, RateLimitedError, ServiceError, type ServiceErrorKind } from '../../service/port.ts';
import {
  type CoolDown,
  emptyPollingMemory,
  LeaseLostError,
  type PollingMemory,
  type PollLease,
} from '../../store/shared-state.ts';
import { createMemoryDocument } from '../../store/store.ts';
import { type CallMeter, createUsageMeter, noUsage, type Usage } from '../../store/usage-meter.ts';
import { defaultPollingPolicy, type PollingPolicy } from '../schedule/timings.ts';
import { type Budget, BudgetKeeper, BudgetSpentError, describeShortages, noBudget } from './budget.ts';
import {
  activeCoolDown,
  type CallLane,
  type CallOperation,
  type CallOrigin,
  consecutiveFailures,
  coolDownAfter,
  type GateListener,
  HeldBackError,
  type HoldReason,
  holdReasons,
  laneOf,
  mayHaveBeenProcessed,
  needsUserAfter,
  operationRules,
  otherLane,
  ServiceCoolDownError,
  sharedCoolDown,
} from './call-rules.ts';
import { LeaseKeeper, MemoryKeeper } from './lease-and-memory.ts';

export interface CallGateOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly memory?: PollingMemory;
  readonly meter?: CallMeter;
  readonly budget?: Budget;
  /** Decides which process polls. If absent, this process does. */
  readonly lease?: PollLease | null;
  readonly policy?: Partial<PollingPolicy>;
  /** Aborts waits for a retry. */
  readonly signal?: AbortSignal;
  /** Called before a command waits for several seconds, with the wait in milliseconds. */
  readonly onLongWait?: (waitMs: number) => void;
}

export interface GateCall<Result> {
  readonly operation: CallOperation;
  readonly origin: CallOrigin;
  readonly numbers?: number;
  readonly beyondBudget?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onAdmitted?: () => void;
  readonly send: (numbers: number) => Promise<Result>;
  /** Returns the actual cost of the call, if only the response shows it. */
  readonly usageOf?: (response: Result) => Usage;
}

/** The default wait if the service does not request one. Its limits are per second. */
const minWaitMs = 1_100;
const longWaitMs = 3_000;
const maxWaitMs = 60_000;

const lanes: readonly CallLane[] = ['register', 'query'];
const coolDownNames = { register: 'registerCoolDown', query: 'coolDown' } as const;

/**
 * All calls to the service go through the gate. It either refuses a call, or counts it, sends it, and corrects the count
 * after the response. It retries a rate-limited call once. All processes share the pause, the cool-downs and the usage.
 */
export class CallGate {
  readonly policy: PollingPolicy & { minPauseMs: number };
  readonly memory: MemoryKeeper;
  readonly budget: BudgetKeeper;
  readonly lease: LeaseKeeper;
  readonly #options: CallGateOptions;
  #listener: Partial<GateListener> = {};
  #failures: Readonly<Record<CallLane, ServiceErrorKind | null>> = { register: null, query: null };
  #paceUntil: EpochMs = Number.NEGATIVE_INFINITY;
  readonly #conditions: Readonly<Record<HoldReason, (lane: CallLane) => boolean>> = {
    'cut-off': () => this.cutOff() !== null,
    uncounted: (lane) => this.budget.isUncountable(lane),
    paused: () => this.memory.current.paused,
    'needs-user': (lane) => this.needsUser(lane),
    'cool-down': (lane) => this.coolDown(lane)?.byService === true,
    'back-off': (lane) => this.coolDown(lane)?.byService === false,
    pace: () => this.#isPacing(),
    lease: () => !this.lease.isHeld(),
  };

  constructor(options: CallGateOptions) {
    const { budget = noBudget, clock, lease = null, memory, meter, policy } = options;
    this.#options = options;
    this.policy = { ...defaultPollingPolicy, ...policy };
    const listener: GateListener = {
      onMemory: (data) => this.#listener.onMemory?.(data),
      onUsage: (totals) => this.#listener.onUsage?.(totals),
      onProblem: (source, error) => this.#listener.onProblem?.(source, error),
    };
    this.memory = new MemoryKeeper(memory ?? createMemoryDocument(emptyPollingMemory), listener);
    this.budget = new BudgetKeeper(meter ?? createUsageMeter(clock), budget, clock, listener);
    this.lease = new LeaseKeeper(lease, listener);
  }

  listen(listener: Partial<GateListener>): void {
    this.#listener = listener;
  }

  /** Reads what other processes have saved. Call this before each check. */
  async load(): Promise<void> {
    await Promise.all([this.memory.load(), this.budget.load()]);
  }

  /** Returns why a request would not be sent right now (apart from the budget), or null if it would. */
  holdReason(origin: CallOrigin, lane: CallLane): HoldReason | null {
    return holdReasons[origin].find((reason) => this.#conditions[reason](lane)) ?? null;
  }

  /** Set while the shared database is unreachable. Nothing may be sent during that time. */
  cutOff(): StoreError | null {
    return this.memory.cutOff ?? this.budget.cutOff;
  }

  /**
   * Throws a {@link ServiceCoolDownError} or a {@link HeldBackError}. If the database is unreachable, users and
   * commands get its `StoreError` instead.
   */
  throwIfHeldBack(origin: CallOrigin, lane: CallLane): void {
    const reason = this.holdReason(origin, lane);
    if (reason === null) return;
    const cutOff = reason === 'cut-off' && origin !== 'poll' ? this.cutOff() : null;
    if (cutOff !== null) throw cutOff;
    if (reason !== 'cool-down') throw new HeldBackError(reason);
    const wait = (this.coolDown(lane)?.until ?? 0) - this.#options.clock.now();
    throw new ServiceCoolDownError(
      {
        what: 'The service asked for a pause.',
        advice: `Try again in ${Math.ceil(wait / 1000)} s. Due parcels are checked automatically then.`,
      },
      { retryAfterMs: wait },
    );
  }

  /**
   * Returns when a poll may send a request, or null if that is not known yet, for example because the user has to act.
   * Ignores the lease, which may become free at any time.
   */
  pollAt(due: EpochMs, lane: CallLane): EpochMs | null {
    if (this.memory.current.paused || this.needsUser(lane) || this.cutOff() !== null) return null;
    if (this.budget.isUncountable(lane)) return null;
    return Math.max(due, this.coolDown(lane)?.until ?? due, this.#isPacing() ? this.#paceUntil : due);
  }

  coolDown(lane: CallLane): CoolDown | null {
    return activeCoolDown(this.#lastCoolDown(lane), lane, this.#options.clock.now(), this.policy);
  }

  needsUser(lane: CallLane): boolean {
    return needsUserAfter(this.#failures[lane], lane);
  }

  consecutiveFailures(lane: CallLane): number {
    return consecutiveFailures(this.#lastCoolDown(lane), this.#options.clock.now(), this.policy);
  }

  beginPace(): void {
    this.#paceUntil = this.#options.clock.now() + this.policy.paceMs;
  }

  /**
   * Throws a {@link ServiceCoolDownError}, {@link HeldBackError} or {@link BudgetSpentError} if the request was not sent,
   * a `StoreError` if it could not be counted, and the `ServiceError` if it failed.
   */
  async call<Result>(call: GateCall<Result>): Promise<Result> {
    try {
      return await this.#send(call);
    } catch (error) {
      if (!(error instanceof RateLimitedError) || error instanceof ServiceCoolDownError) throw error;
      if (!operationRules[call.operation].isRetried) throw error;
      await this.#waitAfter(error, call);
    }
    const { onAdmitted: _alreadyCalled, ...retry } = call;
    return await this.#send(retry);
  }

  async backOff(error: ServiceError, lane: CallLane): Promise<void> {
    this.#failures = { ...this.#failures, [lane]: error.kind };
    await this.#coolDownAfter(error, lane);
  }

  async #coolDownAfter(error: ServiceError, lane: CallLane): Promise<CoolDown> {
    // Another process may have been rate-limited during this call.
    await this.memory.load();
    const { clock, random } = this.#options;
    const before = this.#lastCoolDown(lane);
    const failedCall = { error, lane, before, now: clock.now(), chance: random(), policy: this.policy };
    // Save it even if the user has to act: otherwise a program that keeps restarting would send a request each time.
    const coolDown = coolDownAfter(failedCall);
    const other = otherLane(lane);
    const shared = sharedCoolDown(failedCall, coolDown, this.#lastCoolDown(other));
    if (shared !== null && error.kind === 'unreachable') this.#failures = { ...this.#failures, [other]: error.kind };
    await this.memory.remember({
      [coolDownNames[lane]]: coolDown,
      ...(shared === null ? {} : { [coolDownNames[other]]: shared }),
    });
    return coolDown;
  }

  #lastCoolDown(lane: CallLane): CoolDown | null {
    return this.memory.current[coolDownNames[lane]];
  }

  #isPacing(): boolean {
    const waitMs = this.#paceUntil - this.#options.clock.now();
    // If the clock was set back, do not wait.
    return waitMs > 0 && waitMs <= this.policy.paceMs;
  }

  async #send<Result>(call: GateCall<Result>): Promise<Result> {
    const { beyondBudget = false, numbers = 1, onAdmitted, operation, origin, send, signal, usageOf } = call;
    const { isRetried, usage, usageIfRefused } = operationRules[operation];
    const lane = laneOf(operation);
    // Another process may have been rate-limited or paused since the last call. Counting the call reads the meter.
    await (this.cutOff() === null ? this.memory.load() : this.load());
    this.throwIfHeldBack(origin, lane);
    // A cancelled request must not be counted.
    if (signal?.aborted === true) throw new CancelledError('The request was cancelled.');
    const admitted = await this.#admit(call, numbers, beyondBudget);
    if (admitted === 0) throw new BudgetSpentError(describeShortages([this.budget.shortage(operation)]));
    // We may have been suspended while counting. If another process polls now, we must not send.
    if (origin === 'poll' && !this.lease.isHeld()) {
      await this.budget.correct(usage(admitted), noUsage);
      throw new HeldBackError('lease');
    }
    onAdmitted?.();
    let response: Result;
    try {
      response = await send(admitted);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (!mayHaveBeenProcessed(error)) await this.budget.correct(usage(admitted), usageIfRefused(admitted));
      throw isRetried && error instanceof RateLimitedError ? await this.#rememberCoolDown(error) : error;
    }
    if (!isRetried) await this.#recordSuccess(lane);
    if (usageOf !== undefined) await this.budget.correct(usage(admitted), usageOf(response));
    return response;
  }

  async #admit(call: Pick<GateCall<unknown>, 'operation' | 'origin'>, numbers: number, beyondBudget: boolean) {
    const isPoll = call.origin === 'poll';
    try {
      return await this.budget.admit(call.operation, numbers, beyondBudget, isPoll ? this.lease.fence() : null);
    } catch (error) {
      if (error instanceof LeaseLostError) {
        this.lease.suspectLoss();
        throw new HeldBackError('lease');
      }
      throw isPoll ? new HeldBackError(this.cutOff() === null ? 'uncounted' : 'cut-off') : error;
    }
  }

  async #recordSuccess(lane: CallLane): Promise<void> {
    const recovered = lanes.filter((other) => other === lane || this.#failures[other] === 'unreachable');
    this.#failures = { ...this.#failures, ...Object.fromEntries(recovered.map((name) => [name, null])) };
    if (recovered.every((name) => this.#lastCoolDown(name) === null)) return;
    await this.memory.load();
    // A late response must not end a pause that the service has requested since.
    const expired = recovered.filter((name) => !this.#conditions['cool-down'](name));
    if (expired.length === 0) return;
    await this.memory.remember(Object.fromEntries(expired.map((name) => [coolDownNames[name], null])));
  }

  async #rememberCoolDown(error: RateLimitedError): Promise<RateLimitedError> {
    const { until } = await this.#coolDownAfter(error, 'query');
    const { code, httpStatus, message, traceId } = error;
    const retryAfterMs = until - this.#options.clock.now();
    return new RateLimitedError(message, { code, httpStatus, traceId, retryAfterMs, cause: error });
  }

  /** Waits until the call may be retried. Throws the error if the wait would be too long or is interrupted. */
  async #waitAfter(
    error: RateLimitedError,
    { origin, signal }: Pick<GateCall<unknown>, 'origin' | 'signal'>,
  ): Promise<void> {
    const { clock, onLongWait } = this.#options;
    const waitMs = Math.max(minWaitMs, error.retryAfterMs ?? 0);
    if (waitMs > maxWaitMs) throw error;
    if (origin === 'command' && waitMs >= longWaitMs) onLongWait?.(waitMs);
    const signals = [this.#options.signal, signal].filter((candidate) => candidate !== undefined);
    const until = clock.now() + waitMs;
    // Timers may fire early, and the clock may be set back.
    for (let remainingMs = waitMs; remainingMs > 0 && remainingMs <= waitMs; remainingMs = until - clock.now()) {
      if (!(await sleep(clock, remainingMs, AbortSignal.any(signals)))) throw error;
    }
  }
}
