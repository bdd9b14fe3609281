import { Observable } from '../lib/async.ts';
import { type Clock, type EpochMs, minuteMs, sleep } from '../lib/clock.ts';
import type { Zone } from '../lib/date-time.ts';
import type { ViewMemory } from '../store/saved-view.ts';
import type { NotificationSwitch } from './notification.ts';

/** How often to check whether a different board has muted notifications, in milliseconds. */
const pollMs = 2_000;

/** A {@link NotificationSwitch} whose state is part of the shared view, which all boards read. */
export class Silence implements NotificationSwitch {
  readonly #memory: Pick<ViewMemory, 'load' | 'update'>;
  readonly #clock: Clock;
  readonly #isSilent = new Observable(false);
  readonly #closing = new AbortController();

  constructor(memory: Pick<ViewMemory, 'load' | 'update'>, clock: Clock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  isSilent(): boolean {
    return this.#isSilent.get();
  }

  subscribe(listener: () => void): () => void {
    return this.#isSilent.subscribe(listener);
  }

  async setSilent(isSilent: boolean): Promise<void> {
    this.#isSilent.set(isSilent);
    await this.#memory.update({ isSilent });
  }

  /** Loads the current state. */
  async refresh(): Promise<boolean> {
    const { isSilent } = await this.#memory.load();
    this.#isSilent.set(isSilent);
    return isSilent;
  }

  async follow(): Promise<void> {
    while (await sleep(this.#clock, pollMs, this.#closing.signal)) await this.refresh();
  }

  close(): void {
    this.#closing.abort();
  }
}

/** Quiet hours in minutes since midnight. They may span midnight, as in 22:00 to 07:00. */
export interface QuietHours {
  readonly from: number;
  /** The first minute that is not quiet. */
  readonly to: number;
}

const minutesPerDay = 24 * 60;
/** Time zone offsets change only at multiples of this interval. */
const maxStepMs = 15 * minuteMs;

/** Parses `22:00-07:00`. Returns null if it is invalid or if start and end are equal. */
export function parseQuietHours(text: string): QuietHours | null {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)\s*[-–]\s*([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (match === null) return null;
  const [, fromHour, fromMinute, toHour, toMinute] = match;
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  return from === to ? null : { from, to };
}

export function quietHoursText({ from, to }: QuietHours): string {
  const format = (minutes: number): string =>
    [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${format(from)}-${format(to)}`;
}

/** Whether an instant is within the quiet hours in a zone. */
export function isQuiet({ from, to }: QuietHours, at: EpochMs, zone: Zone): boolean {
  const now = minuteOfDay(at, zone);
  return from < to ? now >= from && now < to : now >= from || now < to;
}

/** Returns the end of the current quiet hours, allowing for clock changes, or null if it is not quiet. */
export function quietUntil(hours: QuietHours, now: EpochMs, zone: Zone): EpochMs | null {
  let at = now;
  while (isQuiet(hours, at, zone)) {
    const minutesLeft = (hours.to - minuteOfDay(at, zone) + minutesPerDay) % minutesPerDay;
    at = Math.floor(at / minuteMs) * minuteMs + Math.min(minutesLeft * minuteMs, maxStepMs);
  }
  return at === now ? null : at;
}

const minuteOfDay = (at: EpochMs, zone: Zone): number => Math.floor(zone.wallTime(at) / minuteMs) % minutesPerDay;
