import { dayMs, type EpochMs } from '../../src/lib/clock.ts';
import type { JourneyEvent } from '../../src/sandbox/journey/places.ts';
import type { Account } from '../../src/sandbox/world/account.ts';
import { lastGoodLookup, lastLookup, lookupAt, plannedAt, troubleAt } from '../../src/sandbox/world/lookups.ts';
import { instantOf } from '../../src/sandbox/world/parcel-lives.ts';
import { type RecordView, trackingStatusOf, viewAt } from '../../src/sandbox/world/record-at.ts';
import type { Registration } from '../../src/sandbox/world/registration.ts';
import { assumedServiceClock, formatServiceTime } from '../../src/service/service-clock.ts';
import type { WireRecord } from '../../src/service/wire.ts';

/** The fields of a record that change from lookup to lookup while its parcel does not move. */
export type LatestFields = Partial<Pick<WireRecord, 'nextUpdateTime' | 'trackingStatus' | 'transitDays' | 'stayDays'>>;

/** A record at an instant: `{ ...record, ...latest }`. */
export interface CachedRecord {
  /** The record as it was when other fields last changed. The same object until they change again. */
  readonly record: WireRecord;
  readonly latest: LatestFields;
}

interface KeptRecord {
  /** A change creates a new object. */
  readonly registration: Registration;
  /** Successful lookups in [from, until) return the same record. Empty if that is not known in advance. */
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly trouble: RecordView['trouble'];
  readonly status: RecordView['snapshot']['status'];
  readonly events: number;
  /** When the counting of days started, or null. */
  readonly receivedAt: EpochMs | null;
  readonly deliveredAt: EpochMs | null;
  readonly newestAt: EpochMs | null;
  readonly record: WireRecord;
}

const wholeDays = (from: EpochMs | null, to: EpochMs): number | null =>
  from === null ? null : Math.max(0, Math.floor((to - from) / dayMs));

/**
 * The account's records of its registrations, created again only when they change: between two events only the {@link
 * LatestFields} of a record change.
 */
export class RecordCache {
  readonly #account: Account;
  readonly #kept = new Map<string, KeptRecord>();

  constructor(account: Account) {
    this.#account = account;
  }

  /** Like `Account.recordAt`, in two parts. */
  recordAt(registration: Registration, now: EpochMs): CachedRecord {
    const kept = this.#kept.get(registration.id);
    const { lookups } = registration;
    const latest = lastLookup(lookups, now);
    if (kept?.registration === registration && latest >= 0) {
      const shownAt = lookupAt(lookups, lastGoodLookup(lookups, latest));
      if (shownAt >= kept.from && shownAt < kept.until) {
        return replacementOf(kept, shownAt, plannedAt(lookups, latest + 1), troubleAt(lookups, latest));
      }
    }
    const view = viewAt(registration, now);
    if (view === null) return { record: this.#account.recordAt(registration, now), latest: {} };
    const { snapshot: sighting, nextAt, trouble } = view;
    const isSame =
      kept?.registration === registration &&
      kept.status.core === sighting.status.core &&
      kept.status.sub === sighting.status.sub &&
      kept.events === sighting.events.length &&
      // If nothing is known about a parcel, its record only contains its trouble.
      (kept.events > 0 || kept.trouble === trouble);
    if (isSame) return replacementOf(kept, sighting.at, nextAt, trouble);
    const made = this.#make(registration, view, now);
    this.#kept.set(registration.id, made);
    return replacementOf(made, sighting.at, nextAt, trouble);
  }

  #make(registration: Registration, { snapshot: sighting, trouble }: RecordView, now: EpochMs): KeptRecord {
    const { events, status } = sighting;
    const { journey, timeline } = registration;
    const instant = (event: JourneyEvent | undefined): EpochMs | null =>
      event === undefined ? null : instantOf(timeline, event.position);
    const unseen = journey.events.slice(events.length).map(({ position }) => position);
    const ends = [journey.endsAt, journey.expiresAt, ...unseen].filter((position) => position !== null);
    return {
      registration,
      from: sighting.at,
      until: events.length === 0 ? sighting.at : Math.min(...ends.map((position) => instantOf(timeline, position))),
      trouble,
      status,
      events: events.length,
      receivedAt: instant(events.find(({ kind }) => kind === 'picked-up')),
      deliveredAt: instant(events.findLast(({ subStatus }) => subStatus.startsWith('DELIVERED_'))),
      newestAt: instant(events.at(-1)),
      record: this.#account.recordAt(registration, now),
    };
  }
}

function replacementOf(
  kept: KeptRecord,
  shownAt: EpochMs,
  nextAt: EpochMs,
  trouble: RecordView['trouble'],
): CachedRecord {
  const { deliveredAt, events, newestAt, receivedAt, record } = kept;
  const nextUpdateTime = formatServiceTime(nextAt, assumedServiceClock);
  if (events === 0) return { record, latest: { nextUpdateTime } };
  return {
    record,
    latest: {
      nextUpdateTime,
      trackingStatus: trackingStatusOf(trouble, true),
      transitDays: wholeDays(receivedAt, deliveredAt ?? shownAt),
      stayDays: wholeDays(newestAt, shownAt),
    },
  };
}
