import { parseOffset } from '../lib/date-time.ts';
import { nearestWord } from '../lib/text.ts';
import { isZoneName, Zone } from '../lib/zone.ts';
import { isHeaderName, parseBaseUrl, UnusableBaseUrlError } from '../service/address.ts';
import { defaultKeyHeader } from '../service/port.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import { orUsageError, UsageError } from './errors.ts';

/** The address of a gateway. Throws a {@link UsageError} for one that cannot be used. */
export const usableBaseUrl = (text: string): URL => orUsageError(UnusableBaseUrlError, () => parseBaseUrl(text));

/** The text, when it can be the name of a header. Throws a {@link UsageError}. */
export function usableHeader(name: string): string {
  if (isHeaderName(name)) return name;
  throw new UsageError(`"${name}" cannot be the name of a header; the usual one is ${defaultKeyHeader}.`);
}

/** The service clock of an offset such as `+08:00` or of an IANA zone. Throws a {@link UsageError}. */
export function configuredClock(text: string): ServiceClock {
  const offsetMinutes = parseOffset(text);
  if (offsetMinutes !== null) return { offsetMinutes, source: 'configured' };
  if (/^local$/i.test(text) || !isZoneName(text)) {
    const meant = nearestZone(text);
    const advice = meant === null ? 'Write it like +08:00 or Asia/Shanghai.' : `Did you mean ${meant}?`;
    throw new UsageError(`The service clock "${text}" is neither an offset from UTC nor a time zone. ${advice}`);
  }
  return { zone: new Zone(text), source: 'configured' };
}

/** The IANA zone meant by a text: `utc`, `local` (the zone handed in) or a name. Throws a {@link UsageError}. */
export function namedZone(text: string, local: () => string): string {
  if (/^local$/i.test(text)) return local();
  if (/^utc$/i.test(text)) return 'UTC';
  if (isZoneName(text)) return text;
  const meant = nearestZone(text);
  const advice = meant === null ? 'use a name such as Europe/Berlin, "utc" or "local".' : `did you mean ${meant}?`;
  throw new UsageError(`The zone "${text}" does not exist; ${advice}`);
}

/** The zone that somebody may have meant, who may have named the city alone; null when none is near. */
function nearestZone(text: string): string | null {
  const wanted = text.trim().replaceAll(' ', '_');
  const zones = Intl.supportedValuesOf('timeZone');
  const cities = new Map(zones.map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]));
  const near = nearestWord(wanted, zones) ?? nearestWord(wanted, ['utc', 'local']);
  if (near !== null) return near;
  const city = nearestWord(wanted, cities.keys());
  return city === null ? null : (cities.get(city) ?? null);
}
