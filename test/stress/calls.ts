/** A call as it reaches the service. */
export interface Call {
  /** In milliseconds on the clock. */
  readonly at: number;
  readonly operation: string;
  readonly who: string;
  readonly trackNos: readonly string[];
  /** Whether this process was too busy to read each call when it arrived. */
  readonly isReadLate?: boolean;
}

export interface CallResponse {
  readonly at: number;
  /** Whether the response was valid, and arrived. */
  readonly isClean: boolean;
  /** The value of Retry-After, or null. */
  readonly retryAfterMs: number | null;
  /** When the service will next update each number, if announced. */
  readonly nextUpdates: ReadonlyMap<string, number>;
}

export interface CallChecker {
  /** Called when a call arrives. Returns what is wrong with it, or null. */
  onCall(call: Call): string | null;
  /** Called when a call has got its response, or never will. */
  onResponse(call: Call, response: CallResponse): void;
}

/** The second of the service's rate limit, minus the transit time of calls. */
const windowMs = 950;
const maxCallsPerWindow = 5;
/** Service times are whole seconds, and calls spend a moment in transit. */
const toleranceMs = 1_500;
/** A call may already be in transit when a different process receives the request to wait. */
const inTransitMs = 1_000;
/** How long after a key press a query may still follow, including timeout, pause and pacing. */
const requestValidMs = 20_000;

/** Whether programs make this kind of call automatically, and hold it back together. */
const isAutomatic = ({ operation }: Call): boolean => operation === 'query' || operation === 'register';

/** Checks the calls of many programs against earlier responses of the service and requests of users. */
export class CallLog implements CallChecker {
  readonly #dueTimes = new Map<string, number>();
  readonly #recent = new Map<string, number[]>();
  readonly #respondedAt = new Map<string, number>();
  #expected: readonly { readonly until: number; left: number }[] = [];
  #requestedPause: { readonly from: number; readonly until: number; readonly by: string } | null = null;
  #figures = { calls: 0, queries_due: 0, queries_asked_for: 0, queries_after_trouble: 0, most_calls_in_a_second: 0 };

  /** Called when a user requests something that may take this many queries. */
  expect(now: number, queries: number): void {
    this.#expected = [
      ...this.#expected.filter(({ until }) => until > now),
      { until: now + requestValidMs, left: queries },
    ];
  }

  /** Discards the announced times of these numbers. */
  forget(trackNos: Iterable<string>): void {
    for (const trackNo of trackNos) this.#dueTimes.delete(trackNo);
  }

  /** Called when a process was killed, which may not have saved its latest responses. */
  forgetSince(at: number): void {
    if (this.#requestedPause !== null && this.#requestedPause.from >= at) this.#requestedPause = null;
    for (const [trackNo, respondedAt] of this.#respondedAt) if (respondedAt >= at) this.#dueTimes.delete(trackNo);
  }

  onCall(call: Call): string | null {
    const { at, operation, trackNos, who } = call;
    const times = (this.#recent.get(`${operation} ${who}`) ?? []).filter((time) => time > at - windowMs);
    if (call.isReadLate !== true) times.push(at);
    this.#recent.set(`${operation} ${who}`, times);
    this.#figures.calls += 1;
    this.#figures.most_calls_in_a_second = Math.max(this.#figures.most_calls_in_a_second, times.length);
    const violations =
      times.length > maxCallsPerWindow ? [`${times.length} ${operation} calls by ${who} in a second`] : [];
    const wait = this.#requestedPause;
    if (isAutomatic(call) && wait !== null && at > wait.from + inTransitMs && at < wait.until - toleranceMs) {
      violations.push(
        `${operation} by ${who} ${wait.until - at} ms before the end of a pause that the service requested in its response to ${wait.by}`,
      );
    }
    if (operation !== 'query') this.forget(trackNos);
    else if (!this.#isExpected(call)) {
      const dues = trackNos.map((trackNo) => `${trackNo} (due in ${(this.#dueTimes.get(trackNo) ?? at) - at} ms)`);
      violations.push(`query by ${who} about ${dues.join(', ')}`);
    }
    return violations.length === 0 ? null : violations.join('; ');
  }

  onResponse(call: Call, { at, isClean, nextUpdates, retryAfterMs }: CallResponse): void {
    // Other operations are calls that a user makes, one at a time.
    if (retryAfterMs !== null && isAutomatic(call)) {
      this.#requestedPause = { from: at, until: at + retryAfterMs, by: `${call.operation} by ${call.who}` };
    } else if (isClean) this.#requestedPause = null;
    for (const trackNo of call.trackNos) {
      this.#respondedAt.set(trackNo, at);
      const next = isClean ? nextUpdates.get(trackNo) : undefined;
      if (next === undefined) this.#dueTimes.delete(trackNo);
      else this.#dueTimes.set(trackNo, next);
    }
  }

  figures() {
    return { ...this.#figures };
  }

  #isExpected({ at, trackNos }: Call): boolean {
    const times = trackNos.map((trackNo) => this.#dueTimes.get(trackNo));
    if (times.some((due) => due !== undefined && due <= at + toleranceMs)) {
      this.#figures.queries_due += 1;
      return true;
    }
    if (times.includes(undefined)) {
      this.#figures.queries_after_trouble += 1;
      return true;
    }
    const credit = this.#expected.find(({ until, left }) => until > at && left > 0);
    if (credit === undefined) return false;
    credit.left -= 1;
    this.#figures.queries_asked_for += 1;
    return true;
  }
}

interface LastQuery {
  readonly who: string;
  readonly at: number;
  /** Null while the query is in progress, or if its response never arrived. */
  readonly respondedAt: number | null;
  /** Null if the response contained no next update or was corrupted. */
  readonly dueAt: number | null;
}

/** In milliseconds. A response that arrived this shortly before its host was lost may not have been written. */
const unwrittenMs = 3_500;
/**
 * In milliseconds. A time that is only just in the future when it is sent may have passed by the time a busy machine
 * reads it. The number then waits for half an hour, as after any response without a time.
 */
const minLeadMs = 5_000;

/** Checks, from the calls that the service receives, whether several hosts together poll like a single one. */
export class QueryChecker implements CallChecker {
  readonly #longestTakeoverMs: number;
  readonly #lastQueries = new Map<string, LastQuery>();
  readonly #registered = new Map<string, { readonly who: string; readonly at: number }>();
  readonly #lostAt = new Map<string, number>();
  #caller: { readonly who: string; readonly since: number } | null = null;
  /** All must be 0 except the queries and the repeated calls after a lost response. */
  #figures = {
    queries: 0,
    /** Numbers that were queried although a different host knew that they were not due. */
    by_two_hosts: 0,
    /** Numbers that a host queried although it knew itself that they were not due. */
    too_early: 0,
    /** Numbers that were queried too late: after the longest takeover plus an interval. */
    too_late: 0,
    /** Numbers that were registered again although a registration had succeeded. */
    registered_twice: 0,
    /** Calls by a host while a different one, which had not lost the lease, was the poller. */
    out_of_turn: 0,
    /** Numbers whose last response reached a host that was lost before it can have written it. This is allowed. */
    again_for_a_lost_answer: 0,
  };

  /** @param longestTakeoverMs the longest permitted time without queries after a loss */
  constructor(longestTakeoverMs: number) {
    this.#longestTakeoverMs = longestTakeoverMs;
  }

  /** The last caller, or null. */
  get caller(): string | null {
    return this.#caller?.who ?? null;
  }

  /** Called when a host is lost: killed, stopped or cut off. */
  lost(who: string, at: number): void {
    this.#lostAt.set(who, at);
  }

  onCall(call: Call): string | null {
    const { at, operation, trackNos, who } = call;
    const violations: string[] = [];
    const caller = this.#caller;
    if (caller?.who !== who) {
      // Another host may take over only after the poller was lost.
      if (caller !== null && (this.#lostAt.get(caller.who) ?? Number.NEGATIVE_INFINITY) < caller.since) {
        this.#figures.out_of_turn += 1;
        violations.push(`${who} calls although ${caller.who} is polling`);
      }
      this.#caller = { who, since: at };
    }
    for (const trackNo of trackNos) {
      if (operation === 'query') violations.push(...this.#query(trackNo, call));
      if (operation === 'register') violations.push(...this.#register(trackNo, call));
    }
    return violations.length === 0 ? null : violations.join('; ');
  }

  onResponse({ at: queriedAt, operation, trackNos, who }: Call, { at, isClean, nextUpdates }: CallResponse): void {
    for (const trackNo of trackNos) {
      if (operation === 'register' && isClean) this.#registered.set(trackNo, { who, at });
      const query = this.#lastQueries.get(trackNo);
      // The next poller has newer data.
      if (operation !== 'query' || query === undefined || query.who !== who || query.at !== queriedAt) continue;
      const dueAt = isClean ? (nextUpdates.get(trackNo) ?? null) : null;
      this.#lastQueries.set(trackNo, { ...query, respondedAt: at, dueAt });
    }
  }

  /** Returns the numbers that should have been queried long ago, except those that no longer need it. */
  leftOver(now: number, isDone: (trackNo: string) => boolean): readonly string[] {
    return [...this.#lastQueries].flatMap(([trackNo, query]) =>
      this.#isLate(query, now) && !isDone(trackNo) ? [trackNo] : [],
    );
  }

  figures() {
    return { ...this.#figures };
  }

  #query(trackNo: string, { at, who }: Call): readonly string[] {
    this.#figures.queries += 1;
    const before = this.#lastQueries.get(trackNo);
    this.#lastQueries.set(trackNo, { who, at, respondedAt: null, dueAt: null });
    if (before === undefined) return [];
    const isPending = before.respondedAt === null;
    if (isPending || (before.dueAt !== null && at < before.dueAt - toleranceMs)) {
      if (this.#isLost(before.who, before.respondedAt ?? before.at)) {
        this.#figures.again_for_a_lost_answer += 1;
        return [];
      }
      this.#figures[before.who === who ? 'too_early' : 'by_two_hosts'] += 1;
      const previous = isPending ? 'has no response yet' : `was to wait ${(before.dueAt ?? at) - at} ms more`;
      return [`${who} queries ${trackNo}, but ${before.who} ${previous}`];
    }
    if (!this.#isLate(before, at)) return [];
    this.#figures.too_late += 1;
    return [`${trackNo} was due ${at - (before.dueAt ?? at)} ms ago`];
  }

  #register(trackNo: string, { at, who }: Call): readonly string[] {
    const before = this.#registered.get(trackNo);
    if (before === undefined) return [];
    const isLost = this.#isLost(before.who, before.at);
    this.#figures[isLost ? 'again_for_a_lost_answer' : 'registered_twice'] += 1;
    return isLost ? [] : [`${who} registers ${trackNo}, which ${before.who} did ${at - before.at} ms ago`];
  }

  /** Whether a host may have been lost before it wrote a response that it received at this time. */
  #isLost(who: string, receivedAt: number): boolean {
    const lostAt = this.#lostAt.get(who);
    return lostAt !== undefined && receivedAt > lostAt - unwrittenMs;
  }

  #isLate({ respondedAt, dueAt }: LastQuery, now: number): boolean {
    if (respondedAt === null || dueAt === null || dueAt - respondedAt < minLeadMs) return false;
    return now > dueAt + (dueAt - respondedAt) + this.#longestTakeoverMs + toleranceMs;
  }
}
