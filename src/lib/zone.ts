import { toZonedTime } from 'date-fns-tz/toZonedTime';
import { dayMs, type EpochMs, minuteMs } from './clock.ts';

/** No zone changes its offset within one, in milliseconds. */
const slot = 15 * minuteMs;
const mostKept = 4096;
/** Before this date-fns-tz takes years before Christ for years after. Clocks were not set by zones yet, so offsets are the same. */
const earliest = Date.parse('0001-01-03T00:00:00Z');

/** How the runtime calls the zone of a name, which is an IANA name or an offset such as `+05:45`; null when it does not know it. */
function knownName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // This is how Intl says that it does not know a zone.
    return null;
  }
}

/** Whether the runtime knows a zone of this name, which may be an offset. */
export const isZoneName = (name: string): boolean => knownName(name) !== null;

/** The zone that a machine names: UTC under its usual name, also where the name is that of no zone. */
export function zoneOfMachine(name: string): string {
  const known = /^[a-z]/i.test(name) ? knownName(name) : null;
  return known === null || known === 'UTC' ? 'UTC' : name;
}

/**
 * A time zone that caches offsets by day (UTC), or by slot on days with a change. Throws a `RangeError` for an unknown
 * name.
 */
export class Zone {
  readonly name: string;
  readonly #offsets = new Map<EpochMs, number>();

  constructor(name: string) {
    if (!isZoneName(name)) throw new RangeError(`The zone "${name}" does not exist.`);
    this.name = name;
  }

  /** Milliseconds that its clocks are ahead of UTC at an instant; not a number outside the range of `Date`. */
  offsetAt(at: EpochMs): number {
    const midnight = Math.floor(at / dayMs) * dayMs;
    const offset = this.#kept(midnight);
    return offset === this.#kept(midnight + dayMs) ? offset : this.#kept(Math.floor(at / slot) * slot);
  }

  /** What its clocks show at an instant, as the instant at which clocks of UTC show it. */
  wallTime(at: EpochMs): EpochMs {
    return at + this.offsetAt(at);
  }

  #kept(at: EpochMs): number {
    const kept = this.#offsets.get(at);
    if (kept !== undefined) return kept;
    if (this.#offsets.size >= mostKept) this.#offsets.clear();
    const known = Math.max(at, earliest);
    // `getTimezoneOffset` takes a time on clocks of the zone, which can mean two instants.
    const offset = toZonedTime(known, this.name).getTime() - known;
    this.#offsets.set(at, offset);
    return offset;
  }
}
