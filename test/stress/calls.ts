/** A call as it reaches the service. */
export interface SeenCall {
  /** Milliseconds of the clock. */
  readonly at: number;
  readonly operation: string;
  readonly who: string;
  readonly trackNos: readonly string[];
  /** Whether this process was busy, so that it read calls of different times together. */
  readonly isReadLate?: boolean;
}

export interface SeenAnswer {
  readonly at: number;
  /** Whether the response was valid, and arrived. */
  readonly isClean: boolean;
  /** The value of Retry-After, or null. */
  readonly retryAfterMs: number | null;
  /** When the service updates each number next, as far as announced. */
  readonly nextUpdates: ReadonlyMap<string, number>;
}

export interface CallJudge {
  /** A call arrives. Returns what is wrong with it, or null. */
  began(call: SeenCall): string | null;
  /** A call is answered, or never will be. */
  answered(call: SeenCall, answer: SeenAnswer): void;
}

/** A second of the service's own limit, minus the transit time of calls. */
const windowMs = 950;
const mostInAWindow = 5;
/** Service times are whole seconds, and a call is in transit for a moment. */
const toleranceMs = 1_500;
/** A call may already be in transit when another process is told to wait. */
const onItsWayMs = 1_000;
/** How long after a key a query may follow, including timeout, pause and pacing. */
const askedForMs = 20_000;

/** Whether a call is one that programs make automatically, and hold back together. */
const asksByItself = ({ operation }: SeenCall): boolean => operation === 'query' || operation === 'register';

/** Checks the calls of many programs against earlier responses of the service and requests of users. */
export class CallLog implements CallJudge {
  readonly #dueTimes = new Map<string, number>();
  readonly #recent = new Map<string, number[]>();
  readonly #answeredAt = new Map<string, number>();
  #expected: readonly { readonly until: number; left: number }[] = [];
  #toldToWait: { readonly from: number; readonly until: number; readonly by: string } | null = null;
  #figures = { calls: 0, queries_due: 0, queries_asked_for: 0, queries_after_trouble: 0, most_calls_in_a_second: 0 };

  /** A user requests something now, which may take this many queries. */
  expect(now: number, queries: number): void {
    this.#expected = [...this.#expected.filter(({ until }) => until > now), { until: now + askedForMs, left: queries }];
  }

  /** The service's announcements about these numbers are outdated. */
  forget(trackNos: Iterable<string>): void {
    for (const trackNo of trackNos) this.#dueTimes.delete(trackNo);
  }

  /** A process was killed: responses of the last moments may not be saved. */
  forgetSince(at: number): void {
    if (this.#toldToWait !== null && this.#toldToWait.from >= at) this.#toldToWait = null;
    for (const [trackNo, answeredAt] of this.#answeredAt) if (answeredAt >= at) this.#dueTimes.delete(trackNo);
  }

  began(call: SeenCall): string | null {
    const { at, operation, trackNos, who } = call;
    const times = (this.#recent.get(`${operation} ${who}`) ?? []).filter((time) => time > at - windowMs);
    if (call.isReadLate !== true) times.push(at);
    this.#recent.set(`${operation} ${who}`, times);
    this.#figures.calls += 1;
    this.#figures.most_calls_in_a_second = Math.max(this.#figures.most_calls_in_a_second, times.length);
    const complaints =
      times.length > mostInAWindow ? [`${times.length} calls of ${operation} by ${who} in a second`] : [];
    const wait = this.#toldToWait;
    if (asksByItself(call) && wait !== null && at > wait.from + onItsWayMs && at < wait.until - toleranceMs) {
      complaints.push(
        `${operation} by ${who} ${wait.until - at} ms before the end of a pause that the service asked for in its answer to ${wait.by}`,
      );
    }
    if (operation !== 'query') this.forget(trackNos);
    else if (!this.#explain(call)) {
      const dues = trackNos.map((trackNo) => `${trackNo} (due in ${(this.#dueTimes.get(trackNo) ?? at) - at} ms)`);
      complaints.push(`query by ${who} about ${dues.join(', ')}`);
    }
    return complaints.length === 0 ? null : complaints.join('; ');
  }

  answered(call: SeenCall, { at, isClean, nextUpdates, retryAfterMs }: SeenAnswer): void {
    // The other operations are a user's own calls, one at a time.
    if (retryAfterMs !== null && asksByItself(call)) {
      this.#toldToWait = { from: at, until: at + retryAfterMs, by: `${call.operation} by ${call.who}` };
    } else if (isClean) this.#toldToWait = null;
    for (const trackNo of call.trackNos) {
      this.#answeredAt.set(trackNo, at);
      const next = isClean ? nextUpdates.get(trackNo) : undefined;
      if (next === undefined) this.#dueTimes.delete(trackNo);
      else this.#dueTimes.set(trackNo, next);
    }
  }

  figures() {
    return { ...this.#figures };
  }

  #explain({ at, trackNos }: SeenCall): boolean {
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

interface Asked {
  readonly who: string;
  readonly at: number;
  /** Null while it is in progress, and if the response did not arrive. */
  readonly answeredAt: number | null;
  /** Null if the response contains no next update, or was corrupted. */
  readonly dueAt: number | null;
}

/** In milliseconds. A response that arrived this shortly before its host was lost may not have been written. */
const unwrittenMs = 3_500;
/**
 * In milliseconds. A time that was just ahead when it was sent has passed when a busy machine reads it. Then a number
 * waits for half an hour, as after any response without a time.
 */
const hardlyAheadMs = 5_000;

/** Checks only from the calls, as the service sees them, whether several hosts poll like one. */
export class AskedNumbers implements CallJudge {
  readonly #longestTakeoverMs: number;
  readonly #asked = new Map<string, Asked>();
  readonly #registered = new Map<string, { readonly who: string; readonly at: number }>();
  readonly #lostAt = new Map<string, number>();
  #caller: { readonly who: string; readonly since: number } | null = null;
  /** All except the queries, and the repeated calls after a lost response, must be 0. */
  #figures = {
    queries: 0,
    /** Numbers that were queried although another host knew that they were not due. */
    by_two_hosts: 0,
    /** The same by one host alone. */
    too_early: 0,
    /** Numbers that were queried too late: after the longest takeover plus an interval. */
    too_late: 0,
    /** Numbers that were registered again although a registration had succeeded. */
    registered_twice: 0,
    /** Calls of a host while another one, which had lost nothing, is the poller. */
    out_of_turn: 0,
    /** Numbers whose last response reached a host that was lost before it can have written it. This is allowed. */
    again_for_a_lost_answer: 0,
  };

  /** @param longestTakeoverMs the longest time without queries after a loss */
  constructor(longestTakeoverMs: number) {
    this.#longestTakeoverMs = longestTakeoverMs;
  }

  /** The last caller, or null. */
  get caller(): string | null {
    return this.#caller?.who ?? null;
  }

  /** A host is lost from now on: killed, stopped or cut off. */
  lost(who: string, at: number): void {
    this.#lostAt.set(who, at);
  }

  began(call: SeenCall): string | null {
    const { at, operation, trackNos, who } = call;
    const complaints: string[] = [];
    const caller = this.#caller;
    if (caller?.who !== who) {
      // Others may continue only after a loss of the poller.
      if (caller !== null && (this.#lostAt.get(caller.who) ?? Number.NEGATIVE_INFINITY) < caller.since) {
        this.#figures.out_of_turn += 1;
        complaints.push(`${who} calls, and it is ${caller.who} that asks`);
      }
      this.#caller = { who, since: at };
    }
    for (const trackNo of trackNos) {
      if (operation === 'query') complaints.push(...this.#query(trackNo, call));
      if (operation === 'register') complaints.push(...this.#register(trackNo, call));
    }
    return complaints.length === 0 ? null : complaints.join('; ');
  }

  answered({ at: askedAt, operation, trackNos, who }: SeenCall, { at, isClean, nextUpdates }: SeenAnswer): void {
    for (const trackNo of trackNos) {
      if (operation === 'register' && isClean) this.#registered.set(trackNo, { who, at });
      const asked = this.#asked.get(trackNo);
      // The next poller has newer data.
      if (operation !== 'query' || asked === undefined || asked.who !== who || asked.at !== askedAt) continue;
      const dueAt = isClean ? (nextUpdates.get(trackNo) ?? null) : null;
      this.#asked.set(trackNo, { ...asked, answeredAt: at, dueAt });
    }
  }

  /** Numbers that should have been queried long ago, except those that no longer need it. */
  leftOver(now: number, isDone: (trackNo: string) => boolean): readonly string[] {
    return [...this.#asked].flatMap(([trackNo, asked]) =>
      this.#isLate(asked, now) && !isDone(trackNo) ? [trackNo] : [],
    );
  }

  figures() {
    return { ...this.#figures };
  }

  #query(trackNo: string, { at, who }: SeenCall): readonly string[] {
    this.#figures.queries += 1;
    const before = this.#asked.get(trackNo);
    this.#asked.set(trackNo, { who, at, answeredAt: null, dueAt: null });
    if (before === undefined) return [];
    const isUnderWay = before.answeredAt === null;
    if (isUnderWay || (before.dueAt !== null && at < before.dueAt - toleranceMs)) {
      if (this.#isLost(before.who, before.answeredAt ?? before.at)) {
        this.#figures.again_for_a_lost_answer += 1;
        return [];
      }
      this.#figures[before.who === who ? 'too_early' : 'by_two_hosts'] += 1;
      const told = isUnderWay ? 'has not been answered' : `was told ${(before.dueAt ?? at) - at} ms more`;
      return [`${who} asks about ${trackNo}, and ${before.who} ${told}`];
    }
    if (!this.#isLate(before, at)) return [];
    this.#figures.too_late += 1;
    return [`${trackNo} was due ${at - (before.dueAt ?? at)} ms ago`];
  }

  #register(trackNo: string, { at, who }: SeenCall): readonly string[] {
    const before = this.#registered.get(trackNo);
    if (before === undefined) return [];
    const isLost = this.#isLost(before.who, before.at);
    this.#figures[isLost ? 'again_for_a_lost_answer' : 'registered_twice'] += 1;
    return isLost ? [] : [`${who} registers ${trackNo}, which ${before.who} has done ${at - before.at} ms ago`];
  }

  /** Whether a response that a host received then may not have been written. */
  #isLost(who: string, heardAt: number): boolean {
    const lostAt = this.#lostAt.get(who);
    return lostAt !== undefined && heardAt > lostAt - unwrittenMs;
  }

  #isLate({ answeredAt, dueAt }: Asked, now: number): boolean {
    if (answeredAt === null || dueAt === null || dueAt - answeredAt < hardlyAheadMs) return false;
    return now > dueAt + (dueAt - answeredAt) + this.#longestTakeoverMs + toleranceMs;
  }
}
