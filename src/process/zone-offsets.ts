import type { ReadOffsets } from '../service/clock/zone.ts';

/** The part of a process whose variable `TZ` decides in which zone dates are. */
interface ZonedProcess {
  readonly env: Record<string, string | undefined>;
  readonly platform: string;
}

/**
 * Reads offsets by having the process live in a zone for the moment. The first use of what formats dates costs as much
 * as the rest of a short command, this next to nothing. Null on Windows, where dates may not follow the variable.
 */
export function createReadOffsets({ env, platform }: ZonedProcess): ReadOffsets | null {
  if (platform === 'win32') return null;
  return (zone, instants) => {
    const before = env['TZ'];
    try {
      env['TZ'] = zone;
      return instants.map((at) => 0 - new Date(at).getTimezoneOffset() * 60_000);
    } finally {
      if (before === undefined) delete env['TZ'];
      else env['TZ'] = before;
    }
  };
}
