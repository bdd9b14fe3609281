import { toZonedTime } from 'date-fns-tz/toZonedTime';
import { dayMs, type EpochMs, minuteMs } from './clock.ts';

/** In milliseconds. Zones change their offset only on slot boundaries. */
const slotMs = 15 * minuteMs;
const maxCached = 4096;
/** date-fns-tz gets earlier dates wrong. There were no time zones then, so the offset is constant. */
const earliest = Date.parse('0001-01-03T00:00:00Z');

/** Returns the runtime's name for a zone (an IANA name or an offset such as `+05:45`), or null if it is unknown. */
function knownName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // A RangeError for an unknown zone.
    return null;
  }
}

export const isZoneName = (name: string): boolean => knownName(name) !== null;

/** Returns `name`, the machine's zone, or UTC if it is unknown or only an offset. */
export function zoneOfMachine(name: string): string {
  const known = /^[a-z]/i.test(name) ? knownName(name) : null;
  return known === null || known === 'UTC' ? 'UTC' : name;
}

/** Caches offsets per UTC day, or per slot on days when the offset changes. Throws a `RangeError` for an unknown name. */
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
    const offset = this.#cached(midnight);
    return offset === this.#cached(midnight + dayMs) ? offset : this.#cached(Math.floor(at / slotMs) * slotMs);
  }

  /** Returns the local time at an instant as if it were UTC. */
  wallTime(at: EpochMs): EpochMs {
    return at + this.offsetAt(at);
  }

  #cached(at: EpochMs): number {
    const cached = this.#offsets.get(at);
    if (cached !== undefined) return cached;
    if (this.#offsets.size >= maxCached) this.#offsets.clear();
    const supported = Math.max(at, earliest);
    // `getTimezoneOffset` takes a local time, which can be ambiguous.
    const offset = toZonedTime(supported, this.name).getTime() - supported;
    this.#offsets.set(at, offset);
    return offset;
  }
}
