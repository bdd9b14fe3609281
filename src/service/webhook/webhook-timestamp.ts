import { type EpochMs, minuteMs } from '../clock/clock.ts';
import { parseServiceTime, type ServiceClock } from '../clock/service-clock.ts';
import { parseOffset } from '../clock/utc-offset.ts';
import { parseWallTime } from '../clock/wall-time.ts';

const number = /^\d{9,14}(?:\.\d{1,9})?$/;
const zoned = /^([\d-]{10}[ T][\d:]{5,8})(?:\.\d{1,9})? ?(Z|[+-]\d{2}:?\d{2})$/;

/**
 * The instant of a callback's timestamp; null for none. Its form is described nowhere: seconds or milliseconds since 1970
 * (of today's times only the latter have 13 digits), a date with its zone, or a date on the service clock.
 */
export function parseWebhookTimestamp(text: string, serviceClock: ServiceClock): EpochMs | null {
  if (number.test(text)) return Math.floor(Number(text) * (Number.parseInt(text, 10) >= 1e11 ? 1 : 1000));
  const [, date = null, offset = null] = zoned.exec(text) ?? [];
  if (date === null) return parseServiceTime(text, serviceClock);
  const wall = parseWallTime(date);
  const minutes = parseOffset(offset);
  return wall === null || minutes === null ? null : wall - minutes * minuteMs;
}
