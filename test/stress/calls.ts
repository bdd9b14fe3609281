/** A call as it reaches the service. */
export interface SeenCall {
  /** Milliseconds of the clock. */
  readonly at: number;
  readonly operation: string;
  readonly who: string;
  readonly trackNos: readonly string[];
  /** Whether this process was busy, so that calls of different times were read at once. */
  readonly isReadLate?: boolean;
}

export interface SeenAnswer {
  readonly at: number;
  /** Whether it was an answer as the service gives it when nothing is wrong, and arrived. */
  readonly isClean: boolean;
  /** What Retry-After says; null if nothing. */
  readonly retryAfterMs: number | null;
  /** When the service updates each number next, as far as it said so. */
  readonly nextUpdates: ReadonlyMap<string, number>;
}

export interface CallJudge {
  /** A call arrives. Returns what is wrong with it; null if nothing is. */
  began(call: SeenCall): string | null;
  /** A call is answered, or never will be. */
  answered(call: SeenCall, answer: SeenAnswer): void;
}

/** A second as the service's own limit counts it, less what calls may be late on their way. */
const windowMs = 950;
const mostInAWindow = 5;
/** Service times are whole seconds, and a call is on its way for a moment. */
const toleranceMs = 1_500;
/** A call may be on its way already when another process is told to wait. */
const onItsWayMs = 1_000;
/** How long after a key a query can come of it: time limit, pause and pacing included. */
const askedForMs = 20_000;

/** Whether a call is of those that programs make by themselves, and hold back together. */
const asksByItself = ({ operation }: SeenCall): boolean => operation === 'query' || operation === 'register';

/** Judges the calls of many programs by what the service had told before and what users asked for. */
export class CallLog implements CallJudge {
  readonly #dueTimes = new Map<string, number>();
  readonly #recent = new Map<string, number[]>();
  readonly #answeredAt = new Map<string, number>();
  #expected: readonly { readonly until: number; left: number }[] = [];
  #toldToWait: { readonly from: number; readonly until: number; readonly by: string } | null = null;
  #figures = { calls: 0, queries_due: 0, queries_asked_for: 0, queries_after_trouble: 0, most_calls_in_a_second: 0 };

  /** A user asks now, which may take so many queries. */
  expect(now: number, queries: number): void {
    this.#expected = [...this.#expected.filter(({ until }) => until > now), { until: now + askedForMs, left: queries }];
  }

  /** What the service told of these numbers does not hold any more. */
  forget(trackNos: Iterable<string>): void {
    for (const trackNo of trackNos) this.#dueTimes.delete(trackNo);
  }

  /** A process was killed: what it was told in the last moments is perhaps not kept. */
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
  /** Null while it is under way, and when the answer did not come. */
  readonly answeredAt: number | null;
  /** Null if the service said nothing of a next update, or the answer was spoilt. */
  readonly dueAt: number | null;
}

/** What was answered so shortly before its host was lost may not have been written, in milliseconds. */
const unwrittenMs = 3_500;
/**
 * A time that was hardly ahead when it was told has passed when it is read, on a busy machine; then a number waits for half an
 * hour, as after any answer that names no time.
 */
const hardlyAheadMs = 5_000;

/** Judges by the calls alone, as the service sees them, whether several hosts ask as one would. */
export class AskedNumbers implements CallJudge {
  readonly #longestTakeoverMs: number;
  readonly #asked = new Map<string, Asked>();
  readonly #registered = new Map<string, { readonly who: string; readonly at: number }>();
  readonly #lostAt = new Map<string, number>();
  #caller: { readonly who: string; readonly since: number } | null = null;
  /** All but the queries, and what is asked again for a lost answer, have to be 0. */
  #figures = {
    queries: 0,
    /** Numbers about which somebody asked although what another had been told still held. */
    by_two_hosts: 0,
    /** The same by one host alone. */
    too_early: 0,
    /** Numbers asked later than their time, the longest takeover and an interval of their own together. */
    too_late: 0,
    /** Numbers that were registered again although a registration had been answered. */
    registered_twice: 0,
    /** Calls of a host when another, which had lost nothing, was the one that asks. */
    out_of_turn: 0,
    /** Numbers whose last answer came to a host that was lost before it can have written it: that is in order. */
    again_for_a_lost_answer: 0,
  };

  /** @param longestTakeoverMs the longest time without queries after a loss */
  constructor(longestTakeoverMs: number) {
    this.#longestTakeoverMs = longestTakeoverMs;
  }

  /** The one that has called last; null for nobody so far. */
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
      // Others may go on only after a loss of the one that asked.
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
      // The one that asked after that knows better.
      if (operation !== 'query' || asked === undefined || asked.who !== who || asked.at !== askedAt) continue;
      const dueAt = isClean ? (nextUpdates.get(trackNo) ?? null) : null;
      this.#asked.set(trackNo, { ...asked, answeredAt: at, dueAt });
    }
  }

  /** Numbers that should have been asked long ago, except those about which nobody has to ask any more. */
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

  /** Whether what a host heard then may not have been written. */
  #isLost(who: string, heardAt: number): boolean {
    const lostAt = this.#lostAt.get(who);
    return lostAt !== undefined && heardAt > lostAt - unwrittenMs;
  }

  #isLate({ answeredAt, dueAt }: Asked, now: number): boolean {
    if (answeredAt === null || dueAt === null || dueAt - answeredAt < hardlyAheadMs) return false;
    return now > dueAt + (dueAt - answeredAt) + this.#longestTakeoverMs + toleranceMs;
  }
}
