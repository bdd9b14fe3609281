import { type EpochMs, minuteMs } from '../clock/clock.ts';
import { formatOffset, parseOffset } from '../clock/utc-offset.ts';
import { formatWallTime, parseWallTime } from '../clock/wall-time.ts';
import type { JsonObject } from '../text/json.ts';
import { objectField, textField } from '../text/json-fields.ts';
import type { expectedDeliverySchema } from './schema.ts';
import type { Shape } from './shape.ts';

/** When the courier expects to deliver, as exactly as the service says. */
export type ExpectedDelivery = Shape<typeof expectedDeliverySchema>;

/**
 * Reads the expected delivery of a record as received (`expectedDeliveryTime` carries its own offset,
 * `expectedDelivery` is a date). A time without a usable offset gives its days only. Null when there is nothing.
 */
export function expectedDelivery(received: JsonObject): ExpectedDelivery | null {
  const given = objectField(received, 'expectedDeliveryTime');
  const [start, end] = [textField(given, 'start'), textField(given, 'end')];
  const [from, to] = [parseWallTime(start), parseWallTime(end)];
  const offset = parseOffset(textField(given, 'timezone'));
  if ((from !== null || to !== null) && offset !== null) {
    const onUtc = (wall: EpochMs): string => `${formatWallTime(wall - offset * minuteMs).replace(' ', 'T')}Z`;
    return {
      kind: 'window',
      from: from === null ? null : onUtc(from),
      to: to === null || (from !== null && to < from) ? null : onUtc(to),
      offset: formatOffset(offset),
    };
  }
  const [first, last] = [dayOf(start), dayOf(end)];
  if (first !== null && last !== null && first < last) return { kind: 'day', date: first, until: last };
  const date = dayOf(textField(received, 'expectedDelivery')) ?? first ?? last;
  return date === null ? null : { kind: 'day', date };
}

/** The day that a text begins with; null when there is no such day. */
function dayOf(text: string | null): string | null {
  const date = /^\d{4}-\d{2}-\d{2}(?![\d-])/.exec(text ?? '')?.[0];
  return date !== undefined && parseWallTime(`${date} 00:00:00`) !== null ? date : null;
}
