import type { EpochMs } from '../../service/clock/clock.ts';

const minute = 60_000;
/** No zone changes its offset within one, in milliseconds. */
const slot = 15 * minute;
/** Slots kept, some six weeks of them; a board looks at far fewer. */
const mostKept = 4096;

const offsetPattern = /GMT(?<sign>[+\u2212-])(?<hours>\d{2}):(?<minutes>\d{2})(?::(?<seconds>\d{2}))?$/;

/**
 * A time zone. The runtime is slow to tell the offset of an instant, and a frame needs those of the same few hours again and
 * again, so each is kept. Throws a `RangeError` for a name that the runtime does not know.
 */
export class Zone {
  /** IANA name. */
  readonly name: string;
  readonly #formatter: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(name: string) {
    this.name = name;
    this.#formatter = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  }

  /** Milliseconds that its clocks are ahead of UTC at an instant. */
  offsetAt(at: EpochMs): number {
    const key = Math.floor(at / slot);
    const kept = this.#offsets.get(key);
    if (kept !== undefined) return kept;
    const offset = parseOffsetName(this.#formatter.format(at));
    if (this.#offsets.size >= mostKept) this.#offsets.clear();
    this.#offsets.set(key, offset);
    return offset;
  }

  /** What its clocks show at an instant, as the instant at which clocks of UTC show it. */
  wallTime(at: EpochMs): EpochMs {
    return at + this.offsetAt(at);
  }
}

/** The offset at the end of a formatted instant, milliseconds: `… GMT+05:30`; plain `GMT` is none. */
function parseOffsetName(text: string): number {
  const { sign, hours = '0', minutes = '0', seconds = '0' } = offsetPattern.exec(text)?.groups ?? {};
  const ahead = Number(hours) * 60 * minute + Number(minutes) * minute + Number(seconds) * 1000;
  return sign === undefined || sign === '+' ? ahead : -ahead;
}
