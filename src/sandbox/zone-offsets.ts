import type { EpochMs } from '../service/clock/clock.ts';
import { Zone } from '../service/clock/zone.ts';

/** Minutes that an IANA zone is ahead of UTC at an instant, daylight saving included. */
export type ZoneOffsets = (zone: string, at: EpochMs) => number;

/** Reads offsets of any zones; what has been looked up is kept for as long as the returned function. */
export function createZoneOffsets(): ZoneOffsets {
  const zones = new Map<string, Zone>();
  return (name, at) => {
    const zone = zones.get(name) ?? new Zone(name);
    zones.set(name, zone);
    return zone.offsetAt(at) / 60_000;
  };
}
