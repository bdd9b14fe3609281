import { type Clock, maxTimerMs } from '../lib/clock.ts';

/** The machine's clock. A timer keeps the process alive. Delays are limited to 0 to 2^31 - 1 ms. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer: (delayMs, callback) => {
    // A NaN delay would fire immediately, and could cause a busy loop.
    const delay = Number.isNaN(delayMs) ? maxTimerMs : Math.min(Math.max(delayMs, 0), maxTimerMs);
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

/** Prefix of a zone name in `TZ` and in the path of its file. */
const beforeName = /^:?(?:.*\/zoneinfo\/)?(?:posix\/|right\/)?/;
const zoneLink = '/etc/localtime';

interface SystemZoneSource {
  readonly tz: string | undefined;
  /** Throws if the path is not a symbolic link. */
  readonly readLink: (path: string) => string;
  /** The zone of `Intl`. */
  readonly formattedZone: () => string | undefined;
}

/** Returns `TZ`, else the target of `/etc/localtime`, else the zone of `Intl`. It may be unknown. */
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
