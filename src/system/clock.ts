import { type Clock, longestTimerMs } from '../lib/clock.ts';

/** The machine's own clock. A running timer keeps the process alive; its delay is brought into 0 to 2^31 - 1 ms. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer: (delayMs, callback) => {
    // A NaN delay would fire at once and make a busy loop of a mistake elsewhere.
    const delay = Number.isNaN(delayMs) ? longestTimerMs : Math.min(Math.max(delayMs, 0), longestTimerMs);
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

/** What comes before the name of a zone in the path of its file, and in `TZ`. */
const beforeName = /^:?(?:.*\/zoneinfo\/)?(?:posix\/|right\/)?/;
/** The link of Linux and macOS to the file of the zone. */
const zoneLink = '/etc/localtime';

/** What it takes to find out how the machine names its zone. */
interface SystemZoneSource {
  readonly tz: string | undefined;
  /** Where a symbolic link leads. Throws for anything else. */
  readonly readLink: (path: string) => string;
  /** What formats dates takes for the zone. To ask it for the first time takes 11 ms. */
  readonly formattedZone: () => string | undefined;
}

/**
 * `TZ`, else the link of Linux and macOS, else what formats dates. Asked before the process is put on UTC; may be no
 * known zone.
 */
export function nameOfSystemZone({ formattedZone, readLink, tz }: SystemZoneSource): string {
  const named = tz?.replace(beforeName, '');
  // `TZ` may name the link itself, so that programs do not look at it again and again.
  return (named === zoneLink ? undefined : named) ?? linkedZone(readLink) ?? formattedZone() ?? 'UTC';
}

function linkedZone(readLink: SystemZoneSource['readLink']): string | null {
  try {
    const path = readLink(zoneLink);
    return path.includes('/zoneinfo/') ? path.replace(beforeName, '') : null;
  } catch {
    // Other systems say it otherwise.
    return null;
  }
}
