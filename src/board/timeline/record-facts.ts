import { isKnownLookup } from '../../service/record/status.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../service/text/json.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Line } from '../text/line.ts';
import { paragraphLines } from '../text/paragraph.ts';

const serviceClock = "on the service's clock";
const localClock = 'local time, zone not given';

/** Fields that stand nowhere else, with what a person reads, and on what clock a time is (`service/README.md`, "Clocks"). */
const names: Readonly<Record<string, readonly [name: string, clock?: string]>> = {
  id: ['Identifier'],
  createTime: ['Registered', serviceClock],
  orderTime: ['Ordered', localClock],
  shipTime: ['Shipped', 'as it was entered'],
  receiptTime: ['Received by the courier', localClock],
  deliveredDays: ['Days to delivery, as the service counts'],
  customerEmail: ['E-mail'],
  custom1: ['Custom 1'],
  custom2: ['Custom 2'],
  trackingStatus: ['Lookup code'],
};

/** Fields that stand elsewhere in the timeline or its head, or say no more than what does; see "Where a field is seen". */
const shownElsewhere: ReadonlySet<string> = new Set([
  'trackNo',
  'courierCode',
  'nextUpdateTime',
  'shipFrom',
  'shipTo',
  'transitStatus',
  'transitSubStatus',
  'lastTrackingTime',
  'transitDays',
  'stayDays',
  'shipmentType',
  'localLogisticsInfo',
  'lastMileInfo',
  'deliveredTime',
  'expectedDelivery',
  'expectedDeliveryTime',
  'orderNo',
  'remark',
]);
const shownExtras: ReadonlySet<string> = new Set(['pieces', 'signedBy', 'serviceCode', 'dimensions', 'weight']);

/** Fields that nothing is known of are shown up to here. */
const mostOthers = 20;

/** What stands below the events: fields of the record, cleaned when it was decoded, that are seen nowhere else. */
export function recordLines(
  { merchant = {} }: Pick<Parcel, 'merchant'>,
  received: JsonObject | null,
  width: number,
): Line[] {
  const { customerEmail, custom1, custom2 } = merchant;
  const entered = Object.entries({ customerEmail, custom1, custom2 }).filter(([, value]) => value);
  const fields: Readonly<Record<string, JsonValue | undefined>> = { ...received, ...Object.fromEntries(entered) };
  const known = Object.entries(names).flatMap(([field, [name, clock]]) => {
    const text = textOf(fields[field]);
    if (field === 'trackingStatus' && text !== null && isKnownLookup(text)) return [];
    return text === null ? [] : [`${name}: ${text}${clock === undefined ? '' : ` (${clock})`}`];
  });
  const isOther = (field: string): boolean => !Object.hasOwn(names, field) && !shownElsewhere.has(field);
  const others = Object.entries(fields)
    .filter(([field]) => isOther(field))
    .flatMap(([field, value]) => leaves(field, value))
    .slice(0, mostOthers);
  const texts = [...known, ...others];
  if (texts.length === 0 || width < 1) return [];
  return [[{ text: 'Record', bold: true }], ...texts.flatMap((text) => paragraphLines(text, width, { dim: true }))];
}

function leaves(field: string, value: JsonValue | undefined): string[] {
  if (isJsonObject(value)) {
    const parts = Object.entries(value).filter(([name]) => field !== 'extraInfo' || !shownExtras.has(name));
    return parts.flatMap(([name, part]) => leaves(`${field}.${name}`, part));
  }
  const text = textOf(value) ?? (Array.isArray(value) && value.length > 0 ? JSON.stringify(value).slice(0, 160) : null);
  return text === null ? [] : [`${field}: ${text}`];
}

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === 'string'
    ? value || null
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : null;
