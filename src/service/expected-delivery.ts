import type { EpochMs } from './clock.ts';
import { objectField, textField } from './fields.ts';
import type { JsonObject } from './json.ts';
import { parseOffset, parseWallTime } from './service-clock.ts';

/** When the courier expects to deliver, as exactly as the service told it. */
export type ExpectedDelivery =
  | { readonly kind: 'window'; readonly from: EpochMs /** Null when no end was told. */; readonly to: EpochMs | null }
  /** `YYYY-MM-DD`, where the parcel goes. */
  | { readonly kind: 'day'; readonly date: string };

const minuteMs = 60_000;

/**
 * Reads the expected delivery of a record as received (public facts: `expectedDeliveryTime` carries its own offset,
 * `expectedDelivery` is a date). A time without a usable offset is told by its day only. Null when nothing is told.
 */
export function expectedDelivery(received: JsonObject): ExpectedDelivery | null {
  const told = objectField(received, 'expectedDeliveryTime');
  const start = textField(told, 'start');
  const from = parseWallTime(start);
  const offset = parseOffset(textField(told, 'timezone'));
  if (from !== null && offset !== null) {
    const to = parseWallTime(textField(told, 'end'));
    const onUtc = (wall: EpochMs): EpochMs => wall - offset * minuteMs;
    return { kind: 'window', from: onUtc(from), to: to === null || to <= from ? null : onUtc(to) };
  }
  const date = dayOf(textField(received, 'expectedDelivery')) ?? dayOf(start);
  return date === null ? null : { kind: 'day', date };
}

/** The day that a text begins with; null when there is no such day. */
function dayOf(text: string | null): string | null {
  const date = /^\d{4}-\d{2}-\d{2}(?![\d-])/.exec(text ?? '')?.[0];
  return date !== undefined && parseWallTime(`${date} 00:00:00`) !== null ? date : null;
}
