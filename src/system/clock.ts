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

/** Everything before a zone's name in `TZ` and in the path of its file. */
const zonePathPrefix = /^:?(?:.*\/zoneinfo\/)?(?:posix\/|right\/)?/;
const zoneLink = '/etc/localtime';

interface SystemZoneSource {
  readonly tz: string | undefined;
  /** Throws if there is no symbolic link at this path. */
  readonly readLink: (path: string) => string;
  /** Returns the zone according to `Intl`. */
  readonly formattedZone: () => string | undefined;
}

/**
 * Returns the zone from `TZ`, from the target of `/etc/localtime`, or from `Intl`. `Intl` may not know a zone of this
 * name.
 */
export function findSystemZone({ formattedZone, readLink, tz }: SystemZoneSource): string {
  const name = tz?.replace(zonePathPrefix, '');
  // `TZ` may name the link itself.
  return (name === zoneLink ? undefined : name) ?? linkedZone(readLink) ?? formattedZone() ?? 'UTC';
}

function linkedZone(readLink: SystemZoneSource['readLink']): string | null {
  try {
    const path = readLink(zoneLink);
    return path.includes('/zoneinfo/') ? path.replace(zonePathPrefix, '') : null;
  } catch {
    // This system has no such link.
    return null;
  }
}

export function blockProcess(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
