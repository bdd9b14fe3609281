import { type Clock, maxTimerMs } from '../lib/clock.ts';

/** The local clock. Timers keep the process alive. Delays are clamped to 0 to 2^31 - 1 ms. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer: (delayMs, callback) => {
    // A timer with a NaN delay would fire immediately, which could cause a busy loop.
    const delay = Number.isNaN(delayMs) ? maxTimerMs : Math.min(Math.max(delayMs, 0), maxTimerMs);
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

/** What precedes the name of a zone in `TZ` and in the path of its file. */
const beforeName = /^:?(?:.*\/zoneinfo\/)?(?:posix\/|right\/)?/;
const zoneLink = '/etc/localtime';

interface SystemZoneSource {
  readonly tz: string | undefined;
  /** Throws if there is no symbolic link at this path. */
  readonly readLink: (path: string) => string;
  /** Returns the zone according to `Intl`. */
  readonly formattedZone: () => string | undefined;
}

/**
 * Returns the zone from `TZ`, from the target of `/etc/localtime`, or from `Intl`. The name may not be a known zone.
 */
export function nameOfSystemZone({ formattedZone, readLink, tz }: SystemZoneSource): string {
  const named = tz?.replace(beforeName, '');
  // `TZ` may name the link itself.
  return (named === zoneLink ? undefined : named) ?? linkedZone(readLink) ?? formattedZone() ?? 'UTC';
}

function linkedZone(readLink: SystemZoneSource['readLink']): string | null {
  try {
    const path = readLink(zoneLink);
    return path.includes('/zoneinfo/') ? path.replace(beforeName, '') : null;
  } catch {
    // This system has no such link.
    return null;
  }
}

export function pauseProcess(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
