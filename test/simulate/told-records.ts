import type { Account } from '../../src/sandbox/world/account.ts';
import type { Registration } from '../../src/sandbox/world/registration.ts';
import { viewAt } from '../../src/sandbox/world/sighting.ts';
import type { EpochMs } from '../../src/service/clock.ts';
import { assumedServiceClock, formatServiceTime } from '../../src/service/service-clock.ts';
import type { WireRecord } from '../../src/service/wire.ts';

/** A record as it was told last. */
interface Told {
  /** Differs when anything but the time of the next update does. */
  readonly key: string;
  readonly record: WireRecord;
  /** The record's JSON before and behind the time of the next update. */
  readonly text: readonly [before: string, behind: string];
}

const dayMs = 24 * 60 * 60_000;
const mark = '"@"';

/**
 * What the account tells of its registrations, made anew only when it changes: between two events a record stays the
 * same but for the time of the next update. Days in transit are counted anew once a day.
 */
export class ToldRecords {
  readonly #account: Account;
  readonly #told = new Map<string, Told>();

  constructor(account: Account) {
    this.#account = account;
  }

  /** As `Account.recordAt`. */
  recordAt(registration: Registration, now: EpochMs): WireRecord {
    const view = viewAt(registration, now);
    if (view === null) return this.#account.recordAt(registration, now);
    const { status, events } = view.sighting;
    const key = [Math.floor(now / dayMs), view.trouble, status.core, status.sub, events.length].join('/');
    const last = this.#told.get(registration.id);
    if (last?.key === key) {
      return { ...last.record, nextUpdateTime: formatServiceTime(view.nextAt, assumedServiceClock) };
    }
    const record = this.#account.recordAt(registration, now);
    const [before = '', behind = ''] = JSON.stringify({ ...record, nextUpdateTime: '@' }).split(mark);
    this.#told.set(registration.id, { key, record, text: [before, behind] });
    return record;
  }

  /** The JSON of a record that has just been told. */
  textOf(record: WireRecord): string {
    const told = this.#told.get(record.id);
    if (told === undefined || record.nextUpdateTime === null) return JSON.stringify(record);
    const [before, behind] = told.text;
    return `${before}${JSON.stringify(record.nextUpdateTime)}${behind}`;
  }
}
