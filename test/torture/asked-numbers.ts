import type { SeenAnswer, SeenCall } from '../soak/call-log.ts';

/** What came of calls. All but totals and times have to be 0, unless something else is said. */
export interface AskedFigures {
  readonly queries: number;
  /** Numbers about which somebody asked although what another had been told still held. */
  readonly by_two_hosts: number;
  /** The same by one host alone. */
  readonly too_early: number;
  /** Numbers asked later than their time, the longest takeover and an interval of their own together. */
  readonly too_late: number;
  /** Numbers that were registered again although a registration had been answered. */
  readonly registered_twice: number;
  /** Calls of a host when another, which had lost nothing, was the one that asks. */
  readonly out_of_turn: number;
  /**
   * Numbers whose last answer came to a host that was lost before it can have written it: asked again, as it has to be.
   * Not a fault.
   */
  readonly asked_again_for_a_lost_answer: number;
  /** How long before its host was lost the oldest of those had come, in milliseconds. */
  readonly oldest_lost_answer_ms: number;
  /** The same of registrations. Not a fault. */
  readonly registered_again_for_a_lost_answer: number;
}

interface Asked {
  readonly who: string;
  readonly at: number;
  /** Null while it is under way, and when the answer did not come. */
  readonly answeredAt: number | null;
  /** Null when the service said nothing of a next update, or the answer was spoilt. */
  readonly dueAt: number | null;
}

/** Service times are whole seconds, and a call is on its way for a moment. */
const toleranceMs = 1_500;
/** What was answered so shortly before its host was lost may not have been written, in milliseconds. */
const unwrittenMs = 3_500;
/**
 * A time that was hardly ahead when it was told has passed when it is read, on a busy machine; then a number waits for half an
 * hour, as after any answer that names no time.
 */
const hardlyAheadMs = 5_000;

/** Judges by the calls alone, as the service sees them, whether several hosts ask as one would. */
export class AskedNumbers {
  readonly #longestTakeoverMs: number;
  readonly #asked = new Map<string, Asked>();
  readonly #registered = new Map<string, { readonly who: string; readonly at: number }>();
  readonly #lostAt = new Map<string, number>();
  #caller: { readonly who: string; readonly since: number } | null = null;
  #figures = {
    queries: 0,
    by_two_hosts: 0,
    too_early: 0,
    too_late: 0,
    registered_twice: 0,
    out_of_turn: 0,
    asked_again_for_a_lost_answer: 0,
    oldest_lost_answer_ms: 0,
    registered_again_for_a_lost_answer: 0,
  };

  /** @param longestTakeoverMs how long nobody may ask after a loss */
  constructor(longestTakeoverMs: number) {
    this.#longestTakeoverMs = longestTakeoverMs;
  }

  /** Who has called last; null for nobody so far. */
  get caller(): string | null {
    return this.#caller?.who ?? null;
  }

  /** A host is lost from now on: killed, stopped or cut off. */
  lost(who: string, at: number): void {
    this.#lostAt.set(who, at);
  }

  /** A call arrives. Answers what is wrong with it; null when nothing is. */
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
      const complaint = operation === 'query' ? this.#query(trackNo, call) : this.#register(trackNo, call);
      if (complaint !== null) complaints.push(complaint);
    }
    return complaints.length === 0 ? null : complaints.join('; ');
  }

  /** A call is answered, or never will be. */
  answered({ at: askedAt, operation, trackNos, who }: SeenCall, { at, isClean, nextUpdates }: SeenAnswer): void {
    for (const trackNo of trackNos) {
      if (operation === 'register' && isClean) this.#registered.set(trackNo, { who, at });
      const asked = this.#asked.get(trackNo);
      // Whoever asked after that knows better.
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

  figures(): AskedFigures {
    return { ...this.#figures };
  }

  #query(trackNo: string, { at, who }: SeenCall): string | null {
    this.#figures.queries += 1;
    const before = this.#asked.get(trackNo);
    this.#asked.set(trackNo, { who, at, answeredAt: null, dueAt: null });
    if (before === undefined) return null;
    const isUnderWay = before.answeredAt === null;
    const isEarly = isUnderWay || (before.dueAt !== null && at < before.dueAt - toleranceMs);
    if (isEarly) {
      if (this.#isLost(before.who, before.answeredAt ?? before.at)) {
        this.#figures.asked_again_for_a_lost_answer += 1;
        this.#figures.oldest_lost_answer_ms = Math.max(
          this.#figures.oldest_lost_answer_ms,
          (this.#lostAt.get(before.who) ?? 0) - (before.answeredAt ?? before.at),
        );
        return null;
      }
      this.#figures[before.who === who ? 'too_early' : 'by_two_hosts'] += 1;
      const told = isUnderWay ? 'has not been answered' : `was told ${(before.dueAt ?? at) - at} ms more`;
      return `${who} asks about ${trackNo}, and ${before.who} ${told}`;
    }
    if (!this.#isLate(before, at)) return null;
    this.#figures.too_late += 1;
    return `${trackNo} was due ${at - (before.dueAt ?? at)} ms ago`;
  }

  #register(trackNo: string, { at, operation, who }: SeenCall): string | null {
    if (operation !== 'register') return null;
    const before = this.#registered.get(trackNo);
    if (before === undefined) return null;
    if (this.#isLost(before.who, before.at)) {
      this.#figures.registered_again_for_a_lost_answer += 1;
      return null;
    }
    this.#figures.registered_twice += 1;
    return `${who} registers ${trackNo}, which ${before.who} has done ${at - before.at} ms ago`;
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
