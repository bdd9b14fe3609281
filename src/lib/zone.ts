import { toZonedTime } from 'date-fns-tz/toZonedTime';
import { dayMs, type EpochMs, minuteMs } from './clock.ts';

/** In milliseconds. No zone changes its offset within such a slot. */
const slot = 15 * minuteMs;
const maxCached = 4096;
/** date-fns-tz is wrong for earlier years. Zones did not exist yet, so offsets are constant. */
const earliest = Date.parse('0001-01-03T00:00:00Z');

/** Returns the runtime's name for a zone (an IANA name, or an offset such as `+05:45`), or null. */
function knownName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // The zone is unknown.
    return null;
  }
}

export const isZoneName = (name: string): boolean => knownName(name) !== null;

/** Returns the machine's zone, or UTC if it is unknown. */
export function zoneOfMachine(name: string): string {
  const known = /^[a-z]/i.test(name) ? knownName(name) : null;
  return known === null || known === 'UTC' ? 'UTC' : name;
}

/** Caches offsets by day (UTC), or by slot on days with a change. Throws a `RangeError` for an unknown name. */
export class Zone {
  readonly name: string;
  readonly #offsets = new Map<EpochMs, number>();

  constructor(name: string) {
    if (!isZoneName(name)) throw new RangeError(`Unknown time zone "${name}".`);
    this.name = name;
  }

  /** Milliseconds ahead of UTC at an instant. NaN outside the range of `Date`. */
  offsetAt(at: EpochMs): number {
    const midnight = Math.floor(at / dayMs) * dayMs;
    const offset = this.#kept(midnight);
    return offset === this.#kept(midnight + dayMs) ? offset : this.#kept(Math.floor(at / slot) * slot);
  }

  /** Returns the local time at an instant as if it were UTC. */
  wallTime(at: EpochMs): EpochMs {
    return at + this.offsetAt(at);
  }

  #kept(at: EpochMs): number {
    const kept = this.#offsets.get(at);
    if (kept !== undefined) return kept;
    if (this.#offsets.size >= maxCached) this.#offsets.clear();
    const known = Math.max(at, earliest);
    // `getTimezoneOffset` takes a local time, which can be ambiguous.
    const offset = toZonedTime(known, this.name).getTime() - known;
    this.#offsets.set(at, offset);
    return offset;
  }
}
