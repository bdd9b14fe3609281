import { dayMs, type EpochMs, minuteMs } from './clock.ts';

/** No zone changes its offset within one, in milliseconds. */
const slot = 15 * minuteMs;
/** Days and slots kept; a board and a list look at far fewer. */
const mostKept = 4096;
/** Clocks that were off UTC by seconds were set right before; the machine reads whole minutes. */
const wholeMinutesSince = Date.UTC(1973, 0);
/** How the runtime writes an offset: nothing for none, seconds before clocks were set by zones. */
const writtenOffset = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * The offsets of a zone at instants, in milliseconds ahead of UTC; all of them 0 for a name that the machine does not know.
 */
export type ReadOffsets = (zone: string, instants: readonly EpochMs[]) => readonly number[];

/** The first instants of the days of UTC in the year of an instant, and of the day after. */
function daysOfYear(at: EpochMs): readonly EpochMs[] {
  const first = Date.UTC(new Date(at).getUTCFullYear(), 0);
  return Array.from({ length: 367 }, (_, index) => first + index * dayMs);
}

/**
 * Whether a name is surely that of a zone: one that is ever off UTC is known. False for one of which only what formats
 * dates can tell.
 */
export function isSurelyZone(name: string, readOffsets: ReadOffsets): boolean {
  const isWritten = /^[A-Z][A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+$/.test(name);
  return isWritten && readOffsets(name, [Date.UTC(2026, 0), Date.UTC(2026, 6)]).some((offset) => offset !== 0);
}

/**
 * A time zone. To look up the offset of an instant takes long, and a frame needs those of the same few days again and
 * again, so each is kept: one for a day (of UTC) whose beginning and end have the same, since no zone changes its clocks and
 * changes them back within a day; else one for each slot of it. Throws a `RangeError` for a name that the runtime does not
 * know.
 */
export class Zone {
  /** IANA name. */
  readonly name: string;
  readonly #readOffsets: ReadOffsets | null;
  /** By the beginning of a slot. */
  readonly #offsets = new Map<EpochMs, number>();
  #format: Intl.DateTimeFormat | null = null;
  /** True once the machine has shown that it knows the zone. */
  #isKnown = false;

  /** @param readOffsets the quick way of the machine; with it, the name must be one that is known */
  constructor(name: string, readOffsets: ReadOffsets | null = null) {
    this.name = name;
    this.#readOffsets = readOffsets;
    if (readOffsets === null) this.#formatter();
  }

  /** Milliseconds that its clocks are ahead of UTC at an instant. */
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
    return this.#offsets.get(at) ?? this.#keep(at);
  }

  #keep(at: EpochMs): number {
    if (this.#offsets.size >= mostKept) this.#offsets.clear();
    if (at % dayMs === 0) this.#keepYear(at);
    const offset = this.#offsets.get(at) ?? this.#readOffset(at);
    this.#offsets.set(at, offset);
    return offset;
  }

  /** The machine reads many at once. Where a whole year is on UTC, it may only not know the zone. */
  #keepYear(at: EpochMs): void {
    if (this.#readOffsets === null || at < wholeMinutesSince) return;
    const days = daysOfYear(at);
    const offsets = this.#readOffsets(this.name, days);
    if (offsets.every((offset) => offset === 0)) return;
    this.#isKnown = true;
    for (const [index, offset] of offsets.entries()) this.#offsets.set(days[index] ?? at, offset);
  }

  /** Without date-fns-tz, which takes longer to load than a whole list needs. */
  #readOffset(at: EpochMs): number {
    if (this.name === 'UTC') return 0;
    const [read] = this.#isKnown && at >= wholeMinutesSince ? (this.#readOffsets?.(this.name, [at]) ?? []) : [];
    if (read !== undefined) return read;
    const [, sign, hours, minutes, seconds = 0] = writtenOffset.exec(this.#formatter().format(at)) ?? [];
    if (sign === undefined) return 0;
    const ahead = Number(hours) * 60 * minuteMs + Number(minutes) * minuteMs + Number(seconds) * 1_000;
    return sign === '-' ? -ahead : ahead;
  }

  /** Throws a `RangeError` for a name that it does not know; an empty one would be taken for the machine's zone. */
  #formatter(): Intl.DateTimeFormat {
    this.#format ??= new Intl.DateTimeFormat('en-US', { timeZone: this.name, timeZoneName: 'longOffset' });
    return this.#format;
  }
}
