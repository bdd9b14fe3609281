import type { EpochMs } from '../../src/lib/clock.ts';
import type { Account } from '../../src/sandbox/world/account.ts';
import { lastLookup, lookupAt } from '../../src/sandbox/world/lookups.ts';
import { fingerprintAt, viewAt } from '../../src/sandbox/world/record-at.ts';
import type { QueryResponse } from '../../src/service/port.ts';

/** What is new in a record. `the same again` means that only its next update time is. */
export type NewsKind = 'first record' | 'new events' | 'the end' | 'the same again';

/** A record that the service created, on the service clock. */
export interface Version {
  readonly trackNo: string;
  readonly kind: NewsKind;
  readonly readyAt: EpochMs;
}

/** The reason for a call, derived from its most important result. */
export type CallReason =
  | 'to register'
  | 'new records'
  | 'no record yet'
  | 'after the end'
  | 'the old record again'
  | 'query failed'
  | 'registration failed';

/** Returns all records of these numbers that existed before an instant. */
export function versionsUntil(account: Account, trackNos: readonly string[], until: EpochMs): readonly Version[] {
  return trackNos.flatMap((trackNo) => {
    const [registration] = account.find(trackNo, null);
    if (registration === undefined) return [];
    const versions: Version[] = [];
    for (let index = 0; index <= lastLookup(registration.lookups, until); index += 1) {
      const readyAt = lookupAt(registration.lookups, index);
      const isFinal = viewAt(registration, readyAt)?.isFinal === true;
      const isSame = fingerprintAt(registration, readyAt) === fingerprintAt(registration, readyAt - 1);
      const kind = index === 0 ? 'first record' : isFinal ? 'the end' : isSame ? 'the same again' : 'new events';
      versions.push({ trackNo, kind, readyAt });
      if (isFinal) break;
    }
    return versions;
  });
}

/** Records when responses contained news, and why calls were sent. */
export class NewsWatch {
  readonly reasons = new Map<CallReason, number>();
  readonly #account: Account;
  readonly #serviceNow: () => EpochMs;
  /** When responses contained each number, on the service clock. */
  readonly #respondedAt = new Map<string, EpochMs[]>();

  constructor(account: Account, serviceNow: () => EpochMs) {
    this.#account = account;
    this.#serviceNow = serviceNow;
  }

  /** Counts a call by its reason. */
  count(reason: CallReason): void {
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }

  /** Records a response to a query. Must be called at the moment when the response was created. */
  onResponse({ records }: QueryResponse): void {
    const now = this.#serviceNow();
    const outcomes = new Set<CallReason>();
    for (const { trackNo } of records) {
      const [registration] = this.#account.find(trackNo, null);
      const seen = this.#respondedAt.get(trackNo) ?? [];
      const last = seen.at(-1) ?? Number.NEGATIVE_INFINITY;
      seen.push(now);
      this.#respondedAt.set(trackNo, seen);
      if (registration === undefined || viewAt(registration, now) === null) continue;
      const { lookups } = registration;
      if (viewAt(registration, last)?.isFinal === true) outcomes.add('after the end');
      else outcomes.add(lastLookup(lookups, last) < lastLookup(lookups, now) ? 'new records' : 'the old record again');
    }
    const order: readonly CallReason[] = ['new records', 'after the end', 'the old record again'];
    this.count(order.find((reason) => outcomes.has(reason)) ?? 'no record yet');
  }

  /**
   * Returns how long after its creation each version was shown, in milliseconds. For a version that has not been shown,
   * the time until `until` counts.
   */
  delays(versions: readonly Version[], until: EpochMs): ReadonlyMap<NewsKind, readonly number[]> {
    const delays = new Map<NewsKind, number[]>();
    for (const { trackNo, kind, readyAt } of versions) {
      const shownAt = this.#respondedAt.get(trackNo)?.find((at) => at >= readyAt) ?? until;
      delays.set(kind, [...(delays.get(kind) ?? []), shownAt - readyAt]);
    }
    return delays;
  }
}
