import type { EpochMs } from './clock.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** No zone changes its offset within one, in milliseconds. */
const slot = 15 * minute;
/** Days and slots kept; a board and a list look at far fewer. */
const mostKept = 4096;
/** How the runtime writes an offset: nothing for none, seconds before clocks were set by zones. */
const writtenOffset = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * A time zone. To look up the offset of an instant takes long, and a frame needs those of the same few days again and
 * again, so each is kept: one for a day (of UTC) whose beginning and end have the same, since no zone changes its clocks and
 * changes them back within a day; else one for each slot of it. Throws a `RangeError` for a name that the runtime does not know.
 */
export class Zone {
  /** IANA name. */
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  /** By the beginning of a slot. */
  readonly #offsets = new Map<EpochMs, number>();

  constructor(name: string) {
    // Throws for a name that it does not know; an empty one would be taken for the machine's zone.
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    this.name = name;
  }

  /** Milliseconds that its clocks are ahead of UTC at an instant. */
  offsetAt(at: EpochMs): number {
    const midnight = Math.floor(at / day) * day;
    const offset = this.#kept(midnight);
    return offset === this.#kept(midnight + day) ? offset : this.#kept(Math.floor(at / slot) * slot);
  }

  /** What its clocks show at an instant, as the instant at which clocks of UTC show it. */
  wallTime(at: EpochMs): EpochMs {
    return at + this.offsetAt(at);
  }

  #kept(at: EpochMs): number {
    const kept = this.#offsets.get(at);
    if (kept !== undefined) return kept;
    const offset = this.#readOffset(at);
    if (this.#offsets.size >= mostKept) this.#offsets.clear();
    this.#offsets.set(at, offset);
    return offset;
  }

  /** Without date-fns-tz, which takes longer to load than a whole list needs. */
  #readOffset(at: EpochMs): number {
    const [, sign, hours, minutes, seconds = 0] = writtenOffset.exec(this.#format.format(at)) ?? [];
    if (sign === undefined) return 0;
    const ahead = Number(hours) * 60 * minute + Number(minutes) * minute + Number(seconds) * 1_000;
    return sign === '-' ? -ahead : ahead;
  }
}
