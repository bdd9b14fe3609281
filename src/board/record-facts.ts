import { cut, paragraphLines } from '../lib/cells.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { Line } from '../lib/paint.ts';
import { counted } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isKnownLookup } from '../service/status.ts';
import { orderNoOf, remarkOf } from './parcel-facts.ts';

/** Maximum width of a phrase, in cells. */
const maxTextLength = 160;

/** Returns the facts of a parcel that do not depend on the time. */
export function factPhrases(parcel: Parcel): string[] {
  // Cleaning can leave a text empty.
  const { dimensions, pieces, serviceCode, signedBy, weight } = parcel.record ?? {};
  const orderNo = orderNoOf(parcel);
  const remark = remarkOf(parcel);
  return [
    !signedBy ? null : `signed by ${signedBy}`,
    pieces === undefined ? null : counted(pieces, 'piece'),
    !weight ? null : `weight ${weight}`,
    !dimensions ? null : `size ${dimensions}`,
    !serviceCode ? null : `service ${serviceCode}`,
    orderNo === null ? null : `order ${orderNo}`,
    remark === null ? null : `remark: ${remark}`,
  ]
    .filter((phrase) => phrase !== null)
    .map((phrase) => cut(phrase, maxTextLength));
}

const serviceClock = "on the service's clock";

const localClock = 'local time, zone unknown';

/** Fields that are shown only here, with their title and clock (see "Clocks" in `service/README.md`). */
const fieldTitles: Readonly<Record<string, readonly [name: string, clock?: string]>> = {
  id: ['Identifier'],
  createTime: ['Registered', serviceClock],
  orderTime: ['Ordered', localClock],
  shipTime: ['Shipped', 'as entered'],
  receiptTime: ['Received by the courier', localClock],
  deliveredDays: ['Days to delivery, as counted by the service'],
  customerEmail: ['Email'],
  custom1: ['Custom 1'],
  custom2: ['Custom 2'],
  trackingStatus: ['Lookup code'],
};

/** Fields that appear in other places on the board. */
const fieldsShownElsewhere: ReadonlySet<string> = new Set([
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

const extrasShownElsewhere: ReadonlySet<string> = new Set([
  'pieces',
  'signedBy',
  'serviceCode',
  'dimensions',
  'weight',
]);

const maxOthers = 20;

/** Returns the "Record" section with all fields that are not shown elsewhere. The decoder has already cleaned them. */
export function recordLines(
  { merchant = {} }: Pick<Parcel, 'merchant'>,
  received: JsonObject | null,
  width: number,
): Line[] {
  const { customerEmail, custom1, custom2 } = merchant;
  const entered = Object.entries({ customerEmail, custom1, custom2 }).filter(([, value]) => value);
  const fields: Readonly<Record<string, JsonValue | undefined>> = { ...received, ...Object.fromEntries(entered) };
  const knownTexts = Object.entries(fieldTitles).flatMap(([field, [name, clock]]) => {
    const text = scalarText(fields[field]);
    if (field === 'trackingStatus' && text !== null && isKnownLookup(text)) return [];
    return text === null ? [] : [`${name}: ${text}${clock === undefined ? '' : ` (${clock})`}`];
  });
  const isOther = (field: string): boolean => !Object.hasOwn(fieldTitles, field) && !fieldsShownElsewhere.has(field);
  const otherTexts = Object.entries(fields)
    .filter(([field]) => isOther(field))
    .flatMap(([field, value]) => leafTexts(field, value))
    .slice(0, maxOthers);
  const texts = [...knownTexts, ...otherTexts];
  if (texts.length === 0 || width < 1) return [];
  return [[{ text: 'Record', bold: true }], ...texts.flatMap((text) => paragraphLines(text, width, { dim: true }))];
}

function leafTexts(field: string, value: JsonValue | undefined): string[] {
  if (isJsonObject(value)) {
    const parts = Object.entries(value).filter(([name]) => field !== 'extraInfo' || !extrasShownElsewhere.has(name));
    return parts.flatMap(([name, part]) => leafTexts(`${field}.${name}`, part));
  }
  const text =
    scalarText(value) ?? (Array.isArray(value) && value.length > 0 ? JSON.stringify(value).slice(0, 160) : null);
  return text === null ? [] : [`${field}: ${text}`];
}

const scalarText = (value: JsonValue | undefined): string | null =>
  typeof value === 'string'
    ? value || null
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : null;
