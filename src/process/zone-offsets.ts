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
  return (zone, instants) =>
    inZone(env, zone, () => instants.map((at) => 0 - new Date(at).getTimezoneOffset() * 60_000));
}

/** Does work while the process with these variables lives in a zone; undefined for that of the system. */
export function inZone<Result>(env: ZonedProcess['env'], zone: string | undefined, work: () => Result): Result {
  const live = (wanted: string | undefined): void => {
    if (wanted === undefined) delete env['TZ'];
    else env['TZ'] = wanted;
  };
  const before = env['TZ'];
  live(zone);
  try {
    return work();
  } finally {
    live(before);
  }
}
