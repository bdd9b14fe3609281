import { dayMs, type Position } from '../../src/sandbox/journey/journey-event.ts';
import type { Account } from '../../src/sandbox/world/account.ts';
import { lastLookup, lookupAt, troubleAt } from '../../src/sandbox/world/lookups.ts';
import type { Registration } from '../../src/sandbox/world/registration.ts';
import { type RecordView, viewAt } from '../../src/sandbox/world/sighting.ts';
import { instantOf, positionAt } from '../../src/sandbox/world/timeline.ts';
import type { EpochMs } from '../../src/service/clock/clock.ts';
import { assumedServiceClock, formatServiceTime } from '../../src/service/clock/service-clock.ts';
import type { WireRecord } from '../../src/service/record/wire.ts';

/** A record as it was last made. */
interface CachedRecord {
  /** Changes make a new one. */
  readonly registration: Registration;
  /** Lookups in [from, until) that work bring the same; empty where that is not known ahead. */
  readonly from: EpochMs;
  readonly until: EpochMs;
  /** Whole days that the record counts, which grow while nothing else changes. */
  readonly days: readonly (number | null)[];
  /** Since when it counts them. */
  readonly since: readonly (Position | null)[];
  readonly trouble: RecordView['trouble'];
  readonly status: RecordView['sighting']['status'];
  readonly events: number;
  readonly record: WireRecord;
  /** The record's JSON before and behind the time of the next update. */
  readonly before: Buffer;
  readonly behind: Buffer;
  nextUpdateTime: string | null;
}

const mark = '"@"';

const wholeDays = (from: Position | null, to: Position): number | null =>
  from === null ? null : Math.max(0, Math.floor((to - from) / dayMs));

/** Between when and when lookups that work bring what this view shows: until an event, or another day to count. */
function sameBetween(
  { journey, timeline }: Registration,
  { sighting, trouble }: RecordView,
  since: CachedRecord['since'],
  days: CachedRecord['days'],
): readonly [EpochMs, EpochMs] {
  if (trouble !== null) return [sighting.at, sighting.at];
  const dayEnds = since.map((from, index) => (from === null ? null : from + ((days[index] ?? 0) + 1) * dayMs));
  const unseen = journey.events.slice(sighting.events.length).map(({ position }) => position);
  const changes = [journey.endsAt, journey.expiresAt, ...dayEnds, ...unseen].filter((position) => position !== null);
  return [sighting.at, Math.min(...changes.map((position) => instantOf(timeline, position)))];
}

/**
 * The account's records of its registrations, made anew only when they change: between two events a record stays the
 * same but for the time of the next update and the days that it counts.
 */
export class RecordCache {
  readonly #account: Account;
  readonly #records = new Map<string, CachedRecord>();

  constructor(account: Account) {
    this.#account = account;
  }

  /** As `Account.recordAt`, but for `nextUpdateTime`, which is right only in {@link RecordCache.jsonOf}. */
  recordAt(registration: Registration, now: EpochMs): WireRecord {
    const last = this.#records.get(registration.id);
    const { lookups } = registration;
    const latest = lastLookup(lookups, now);
    const lookedUpAt = lookupAt(lookups, latest);
    const isWithin = last?.registration === registration && lookedUpAt >= last.from && lookedUpAt < last.until;
    if (isWithin && latest >= 0 && troubleAt(lookups, latest) === null) {
      last.nextUpdateTime = formatServiceTime(lookupAt(lookups, latest + 1), assumedServiceClock);
      return last.record;
    }
    const view = viewAt(registration, now);
    if (view === null) return this.#account.recordAt(registration, now);
    const { status, events } = view.sighting;
    const position = positionAt(registration.timeline, view.sighting.at);
    const isTheSame =
      last?.trouble === view.trouble &&
      last.status.core === status.core &&
      last.status.sub === status.sub &&
      last.events === events.length &&
      last.since.every((since, index) => wholeDays(since, position) === last.days[index]);
    if (isTheSame) {
      last.nextUpdateTime = formatServiceTime(view.nextAt, assumedServiceClock);
      return last.record;
    }
    const record = this.#account.recordAt(registration, now);
    const [before = '', behind = ''] = JSON.stringify({ ...record, nextUpdateTime: '@' }).split(mark);
    const { nextUpdateTime } = record;
    const since = [events.find(({ kind }) => kind === 'picked-up'), events.at(-1)].map(
      (event) => event?.position ?? null,
    );
    const days = since.map((from) => wholeDays(from, position));
    const [from, until] = sameBetween(registration, view, since, days);
    this.#records.set(registration.id, {
      registration,
      from,
      until,
      days,
      since,
      trouble: view.trouble,
      status,
      events: events.length,
      record,
      before: Buffer.from(before),
      behind: Buffer.from(behind),
      nextUpdateTime,
    });
    return record;
  }

  /** The JSON of a record that {@link RecordCache.recordAt} has just answered, in pieces. */
  jsonOf(record: WireRecord): readonly Buffer[] {
    const cached = this.#records.get(record.id);
    if (cached?.record !== record) return [Buffer.from(JSON.stringify(record))];
    return [cached.before, Buffer.from(JSON.stringify(cached.nextUpdateTime)), cached.behind];
  }
}
