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
 * `expectedDelivery` is a date). A time without a usable offset gives its day only. Null when there is nothing.
 */
export function expectedDelivery(received: JsonObject): ExpectedDelivery | null {
  const given = objectField(received, 'expectedDeliveryTime');
  const start = textField(given, 'start');
  const from = parseWallTime(start);
  const offset = parseOffset(textField(given, 'timezone'));
  if (from !== null && offset !== null) {
    const to = parseWallTime(textField(given, 'end'));
    const onUtc = (wall: EpochMs): string => `${formatWallTime(wall - offset * minuteMs).replace(' ', 'T')}Z`;
    return {
      kind: 'window',
      from: onUtc(from),
      to: to === null || to < from ? null : onUtc(to),
      offset: formatOffset(offset),
    };
  }
  const date = dayOf(textField(received, 'expectedDelivery')) ?? dayOf(start);
  return date === null ? null : { kind: 'day', date };
}

/** The day that a text begins with; null when there is no such day. */
function dayOf(text: string | null): string | null {
  const date = /^\d{4}-\d{2}-\d{2}(?![\d-])/.exec(text ?? '')?.[0];
  return date !== undefined && parseWallTime(`${date} 00:00:00`) !== null ? date : null;
}
