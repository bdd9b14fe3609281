import { isSurelyZone, type ReadOffsets } from '../service/clock/zone.ts';
import type { Environment } from './environment.ts';
import { inZone } from './zone-offsets.ts';

/** What it takes to find the machine's zone out. */
export interface SystemZoneSource {
  /** The user's, of before the process was put on UTC. */
  readonly environment: Environment;
  /** That of the process, which lives on UTC. */
  readonly processEnvironment: Record<string, string | undefined>;
  readonly readOffsets: ReadOffsets | null;
  /** Where a symbolic link leads; throws where there is none. */
  readonly readLink: (path: string) => string;
}

/** The machine's zone, IANA: that of `TZ`, else of the system; UTC when it is none that is known. */
export function findSystemZone(source: SystemZoneSource): string {
  const { environment, readLink, readOffsets } = source;
  const name = environment['TZ']?.replace(/^:/, '') ?? linkedZone(readLink);
  if (readOffsets !== null && name !== null && isSurelyZone(name, readOffsets)) return name;
  return formattedZone(source);
}

/** As Linux and macOS say it: a link to the file of the zone. */
function linkedZone(readLink: (path: string) => string): string | null {
  try {
    return /\/zoneinfo\/(?!posix\/|right\/)(.+)$/.exec(readLink('/etc/localtime'))?.[1] ?? null;
  } catch {
    // Other systems say it otherwise.
    return null;
  }
}

/** Asks what formats dates, which knows every way to set a zone, and takes as long as a short command. */
function formattedZone({ environment, processEnvironment }: SystemZoneSource): string {
  const { timeZone } = inZone(
    processEnvironment,
    environment['TZ'],
    () => new Intl.DateTimeFormat().resolvedOptions() as { readonly timeZone?: string },
  );
  // For a zone that is not known it says either, depending on how that was set.
  return timeZone === undefined || timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}
