import { Observable } from '../lib/async.ts';
import { type Clock, type EpochMs, minuteMs, sleep } from '../lib/clock.ts';
import type { Zone } from '../lib/zone.ts';
import type { ViewMemory } from '../store/saved-view.ts';
import type { NotificationSwitch } from './notification.ts';

/** How often to look for another board's mute, in milliseconds. */
const lookMs = 2_000;

/** A {@link NotificationSwitch} that uses the shared view. */
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

  /** Reads the current state. */
  async look(): Promise<boolean> {
    const { isSilent } = await this.#memory.load();
    this.#isSilent.set(isSilent);
    return isSilent;
  }

  async follow(): Promise<void> {
    while (await sleep(this.#clock, lookMs, this.#closing.signal)) await this.look();
  }

  close(): void {
    this.#closing.abort();
  }
}

/** Quiet hours in minutes since midnight. 22:00 to 07:00 crosses midnight. */
export interface QuietHours {
  readonly from: number;
  /** The first minute that is not quiet. */
  readonly to: number;
}

const minutesOfDay = 24 * 60;
/** Zones do not change their clocks more often or by less. */
const maxStepMs = 15 * minuteMs;

/** Parses `22:00-07:00`. Returns null if it is not valid or if start and end are equal. */
export function parseQuietHours(text: string): QuietHours | null {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)\s*[-–]\s*([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (match === null) return null;
  const [, fromHour, fromMinute, toHour, toMinute] = match;
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  return from === to ? null : { from, to };
}

export function quietHoursText({ from, to }: QuietHours): string {
  const clock = (minutes: number): string =>
    [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock(from)}-${clock(to)}`;
}

/** Whether a time is quiet in a zone. */
export function isQuiet({ from, to }: QuietHours, at: EpochMs, zone: Zone): boolean {
  const now = minuteOfDay(at, zone);
  return from < to ? now >= from && now < to : now >= from || now < to;
}

/** Returns the end of the current quiet hours, including clock changes, or null. */
export function quietUntil(hours: QuietHours, now: EpochMs, zone: Zone): EpochMs | null {
  let at = now;
  while (isQuiet(hours, at, zone)) {
    const left = (hours.to - minuteOfDay(at, zone) + minutesOfDay) % minutesOfDay;
    at = Math.floor(at / minuteMs) * minuteMs + Math.min(left * minuteMs, maxStepMs);
  }
  return at === now ? null : at;
}

const minuteOfDay = (at: EpochMs, zone: Zone): number => Math.floor(zone.wallTime(at) / minuteMs) % minutesOfDay;
