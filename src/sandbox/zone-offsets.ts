import type { EpochMs } from '../service/clock/clock.ts';
import { parseOffset } from '../service/clock/service-clock.ts';

/** Minutes that an IANA zone is ahead of UTC at an instant, daylight saving included. */
export type ZoneOffsets = (zone: string, at: EpochMs) => number;

/**
 * Reads offsets from the runtime's own zone data, whatever the zone of the machine. Formatters are slow to make, so
 * each zone's is kept for as long as the returned function. `getTimezoneOffset` of date-fns-tz takes an instant for a
 * local time, and is wrong for some hours before and after each change of the clocks.
 */
export function createZoneOffsets(): ZoneOffsets {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  return (zone, at) => {
    let formatter = formatters.get(zone);
    if (formatter === undefined) {
      formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
      formatters.set(zone, formatter);
    }
    const name = formatter.format(at).split(', ').at(-1) ?? '';
    return parseOffset(name) ?? 0;
  };
}
