/** A call as it reaches the service. */
export interface SeenCall {
  /** Milliseconds of the clock. */
  readonly at: number;
  readonly operation: string;
  /** The process that calls. */
  readonly who: string;
  readonly trackNos: readonly string[];
}

/** What became of a call. */
export interface SeenAnswer {
  readonly at: number;
  /** Whether it was an answer as the service gives it when nothing is wrong, and arrived. */
  readonly isClean: boolean;
  /** What Retry-After says; null when nothing. */
  readonly retryAfterMs: number | null;
  /** When the service updates each number next, as far as it said so. */
  readonly nextUpdates: ReadonlyMap<string, number>;
}

/** Counts of calls. */
export interface CallFigures {
  readonly calls: number;
  /** Queries because of a due time that the service had told, or had not told yet. */
  readonly due: number;
  /** Queries for which a user asked. */
  readonly asked: number;
  /** Queries about numbers whose last answer was spoilt, or may not have been kept by a killed process. */
  readonly afterTrouble: number;
  /** Queries that nothing of this explains. */
  readonly withoutReason: number;
  /** Calls while the service had asked everybody to wait. */
  readonly whileToldToWait: number;
  /** Most calls of one operation by one process in a second. */
  readonly mostInASecond: number;
  /** Most calls of one operation by all processes together in a second. */
  readonly mostInASecondTogether: number;
}

/** A second as the service's own limit counts it, less what calls may be late on their way. */
const windowMs = 950;
/** Queries come up to a second after the decision, and times are told in whole seconds. */
const toleranceMs = 1_500;
/** A call may be on its way already when another process is told to wait. */
const onItsWayMs = 1_000;
/** How long after a key a query can come of it: time limit, pause and pacing included. */
const askedForMs = 20_000;

/** Whether a call is of those that programs make by themselves, and hold back together. */
const asksByItself = ({ operation }: SeenCall): boolean => operation === 'query' || operation === 'register';

/** Judges calls by what the service had told before and what users asked for. */
export class CallLog {
  readonly #dueTimes = new Map<string, number>();
  readonly #recent = new Map<string, number[]>();
  readonly #answeredAt = new Map<string, number>();
  #expected: readonly { readonly until: number; left: number }[] = [];
  #toldToWait: { readonly from: number; readonly until: number; readonly by: string } | null = null;
  #figures = {
    calls: 0,
    due: 0,
    asked: 0,
    afterTrouble: 0,
    withoutReason: 0,
    whileToldToWait: 0,
    mostInASecond: 0,
    mostInASecondTogether: 0,
  };

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

  /** A call arrives. Answers why, when nothing explains it. */
  began(call: SeenCall): string | null {
    this.#figures.calls += 1;
    const { at, operation, who } = call;
    const alone = this.#count(`${operation} ${who}`, at);
    this.#figures.mostInASecond = Math.max(this.#figures.mostInASecond, alone);
    this.#figures.mostInASecondTogether = Math.max(this.#figures.mostInASecondTogether, this.#count(operation, at));
    const complaints = alone > 5 ? [`${alone} calls of ${operation} by ${who} in a second`] : [];
    if (asksByItself(call)) {
      const wait = this.#toldToWait;
      if (wait !== null && at > wait.from + onItsWayMs && at < wait.until - toleranceMs) {
        this.#figures.whileToldToWait += 1;
        complaints.push(
          `${operation} by ${who} ${wait.until - at} ms before the end of a pause that the service asked for in its answer to ${wait.by}`,
        );
      }
    }
    if (operation === 'query' && !this.#explain(call)) {
      complaints.push(
        `query by ${who} about ${call.trackNos.map((trackNo) => `${trackNo} (due in ${(this.#dueTimes.get(trackNo) ?? at) - at} ms)`).join(', ')}`,
      );
    }
    if (operation !== 'query') this.forget(call.trackNos);
    return complaints.length === 0 ? null : complaints.join('; ');
  }

  /** A call is answered, or never will be. */
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

  figures(): CallFigures {
    return { ...this.#figures };
  }

  #explain({ at, trackNos }: SeenCall): boolean {
    const times = trackNos.map((trackNo) => this.#dueTimes.get(trackNo));
    if (times.some((due) => due !== undefined && due <= at + toleranceMs)) {
      this.#figures.due += 1;
      return true;
    }
    if (times.includes(undefined)) {
      this.#figures.afterTrouble += 1;
      return true;
    }
    const credit = this.#expected.find(({ until, left }) => until > at && left > 0);
    if (credit === undefined) {
      this.#figures.withoutReason += 1;
      return false;
    }
    credit.left -= 1;
    this.#figures.asked += 1;
    return true;
  }

  #count(key: string, at: number): number {
    const times = (this.#recent.get(key) ?? []).filter((time) => time > at - windowMs);
    times.push(at);
    this.#recent.set(key, times);
    return times.length;
  }
}
