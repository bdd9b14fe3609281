import type { EpochMs } from '../../lib/clock.ts';
import type { JourneyEvent, RecordStatus } from '../journey/journey-event.ts';
import {
  firstGoodLookup,
  type LookupTrouble,
  lastGoodLookup,
  lastLookup,
  lookupAt,
  plannedAt,
  troubleAt,
} from './lookups.ts';
import { instantOf, type ParcelLife } from './parcel-lives.ts';
import type { Registration } from './registration.ts';

/** What a lookup at a courier brought. */
export interface Sighting {
  readonly at: EpochMs;
  /** Oldest first. */
  readonly events: readonly JourneyEvent[];
  readonly status: RecordStatus;
}

/** What a registered number's record shows. */
export interface RecordView {
  readonly sighting: Sighting;
  /** When the next lookup is planned; that of the last one once the parcel's story is over. */
  readonly nextAt: EpochMs;
  /** What went wrong at the newest lookup, so that the sighting is an older one; null for nothing. */
  readonly trouble: LookupTrouble | null;
  /** Whether the parcel's story is over, so that nothing changes any more. */
  readonly isFinal: boolean;
}

/** What a courier knows of a parcel at an instant, without what the courier needs: nothing. */
export function sightingOf({ journey, timeline }: ParcelLife, at: EpochMs, hasNeededExtra: boolean): Sighting {
  if (!hasNeededExtra) return { at, events: [], status: { core: 'NO_RECORD', sub: null } };
  const { expiresAt } = journey;
  const events = journey.events.filter((event) => instantOf(timeline, event.position) <= at);
  const status =
    expiresAt !== null && instantOf(timeline, expiresAt) <= at
      ? { core: 'EXPIRED', sub: null }
      : (events.at(-1)?.recordStatus ?? { core: 'NO_RECORD', sub: null });
  return { at, events, status };
}

const hasExtraAt = ({ extraKnownSince }: Registration, at: EpochMs): boolean =>
  extraKnownSince !== null && extraKnownSince <= at;

/** The first lookup that worked and showed what is there at `at`; infinite when none ever will. */
function lookupThatShows({ lookups, extraKnownSince }: Registration, at: EpochMs): number {
  return extraKnownSince === null ? Number.POSITIVE_INFINITY : firstGoodLookup(lookups, Math.max(at, extraKnownSince));
}

/** What a registered number's record shows at `now`; null before the first lookup. */
export function viewAt(registration: Registration, now: EpochMs): RecordView | null {
  const { lookups, timeline, journey } = registration;
  const latest = lastLookup(lookups, now);
  if (latest < 0) return null;
  const final = lookupThatShows(registration, instantOf(timeline, journey.endsAt));
  // A finished record keeps the time of its last lookup, as records of the public service do.
  const isFinal = latest >= final;
  const shownAt = lookupAt(lookups, isFinal ? final : lastGoodLookup(lookups, latest));
  return {
    sighting: sightingOf(registration, shownAt, hasExtraAt(registration, shownAt)),
    nextAt: isFinal ? shownAt : plannedAt(lookups, latest + 1),
    trouble: isFinal ? null : troubleAt(lookups, latest),
    isFinal,
  };
}

/**
 * When the record will show another status or more events than at `now`, if nobody changes the registration; null for
 * never.
 */
export function nextChangeAt(registration: Registration, now: EpochMs): EpochMs | null {
  const { lookups, timeline, journey, extraKnownSince } = registration;
  const view = viewAt(registration, now);
  if (view === null) return lookups.firstAt;
  if (extraKnownSince === null) return null;
  const { sighting } = view;
  const unseen = journey.events[sighting.events.length]?.position;
  const expiry = sighting.status.core === 'EXPIRED' ? null : journey.expiresAt;
  const position = unseen ?? expiry;
  return position === null ? null : lookupAt(lookups, lookupThatShows(registration, instantOf(timeline, position)));
}

/** A text that differs when status or events of the record do. */
export function fingerprintAt(registration: Registration, now: EpochMs): string {
  const view = viewAt(registration, now);
  if (view === null) return 'INIT';
  const { events, status } = view.sighting;
  return [registration.courier.code, status.core, status.sub, events.length].join('/');
}
