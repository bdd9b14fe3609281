import { type EpochMs, minuteMs } from '../lib/clock.ts';
import { formatOffset, formatWallTime, parseOffset, parseWallTime } from '../lib/date-time.ts';
import { type JsonObject, objectField, textField } from '../lib/json.ts';
import type { ExpectedDelivery } from './record.ts';

/** Stages in the order in which the board lists them, the most urgent first. */
export const stages = [
  'attention',
  'out-for-delivery',
  'pickup',
  'in-transit',
  'announced',
  'no-record',
  'unknown',
  'delivered',
  'expired',
] as const;
export type Stage = (typeof stages)[number];

interface CoreStatusMeaning {
  readonly text: string;
  readonly stage: Stage;
}

/** See `service/README.md`, "Statuses". */
export const coreStatuses: Readonly<Record<string, CoreStatusMeaning>> = {
  INIT: { text: 'Registered, not looked up yet', stage: 'no-record' },
  NO_RECORD: { text: 'The courier has no info yet', stage: 'no-record' },
  INFO_RECEIVED: { text: 'Announced', stage: 'announced' },
  IN_TRANSIT: { text: 'In transit', stage: 'in-transit' },
  WAITING_DELIVERY: { text: 'Out for delivery', stage: 'out-for-delivery' },
  OUT_FOR_DELIVERY: { text: 'Out for delivery', stage: 'out-for-delivery' },
  DELIVERY_FAILED: { text: 'Delivery attempt failed', stage: 'attention' },
  ABNORMAL: { text: 'Exception', stage: 'attention' },
  DELIVERED: { text: 'Delivered', stage: 'delivered' },
  EXPIRED: { text: 'No news for a long time', stage: 'expired' },
};

export const subStatusTexts: Readonly<Record<string, string>> = {
  INFO_RECEIVED_01: 'Announced, the courier prepares pick-up',
  IN_TRANSIT_01: 'In transit',
  IN_TRANSIT_02: 'Arrived at a sorting centre',
  IN_TRANSIT_03: 'Customs cleared',
  IN_TRANSIT_04: 'Packed, leaving for the airport',
  IN_TRANSIT_05: 'Handed to the airline',
  IN_TRANSIT_06: 'Landed in the destination country',
  IN_TRANSIT_07: 'At the local depot, delivery soon',
  IN_TRANSIT_08: 'On board, departed',
  WAITING_DELIVERY_01: 'Out for delivery',
  WAITING_DELIVERY_02: 'Ready for pick-up',
  WAITING_DELIVERY_03: 'Delivery postponed, another attempt follows',
  DELIVERED_01: 'Delivered',
  DELIVERED_02: 'Picked up at the collection point',
  DELIVERED_03: 'Delivered, signed for',
  DELIVERED_04: 'Left in a safe place or with someone',
  DELIVERY_FAILED_01: 'Address problem',
  DELIVERY_FAILED_02: 'Nobody home',
  DELIVERY_FAILED_03: 'Recipient not reachable',
  DELIVERY_FAILED_04: 'Delivery attempt failed',
  ABNORMAL_01: 'Not collected',
  ABNORMAL_02: 'Held by customs',
  ABNORMAL_03: 'Damaged, lost or discarded',
  ABNORMAL_04: 'Order cancelled',
  ABNORMAL_05: 'Refused',
  ABNORMAL_06: 'Return received by the sender',
  ABNORMAL_07: 'On its way back to the sender',
  ABNORMAL_08: 'Exception',
};

const coreMeanings: ReadonlyMap<string, CoreStatusMeaning> = new Map(Object.entries(coreStatuses));
const wordings: ReadonlyMap<string, string> = new Map(Object.entries(subStatusTexts));

/** Returns the core status in words, or as received if it is unknown. */
export const coreStatusText = (status: string): string => coreMeanings.get(status)?.text ?? status;

export const knownSubStatusText = (subStatus: string): string | undefined => wordings.get(subStatus);

/** The core status decides the stage. The sub-status only distinguishes "ready for pick-up" from "out for delivery". */
export function stageOf(transitStatus: string | null, transitSubStatus: string | null): Stage {
  if (transitStatus === null) return 'no-record';
  const stage = coreMeanings.get(transitStatus)?.stage ?? 'unknown';
  return stage === 'out-for-delivery' && transitSubStatus === 'WAITING_DELIVERY_02' ? 'pickup' : stage;
}

/** Returns the stage that an event's sub-status implies, for records without a core status. */
export function stageOfEvent(subStatus: string | null): Stage {
  return subStatus === null ? 'unknown' : stageOf(coreOf(subStatus), subStatus);
}

export const isProblem = (subStatus: string | null): boolean => /^(?:ABNORMAL|DELIVERY_FAILED)_/.test(subStatus ?? '');

const finalProblems: ReadonlySet<string> = new Set(['ABNORMAL_03', 'ABNORMAL_04', 'ABNORMAL_06']);

/** Whether the journey ended without a delivery: the parcel was lost, destroyed, cancelled or returned. */
export const isFinalProblem = (subStatus: string | null): boolean => finalProblems.has(subStatus ?? '');

export const isReturn = (subStatus: string | null): boolean => /^ABNORMAL_0[67]$/.test(subStatus ?? '');

/**
 * Whether the parcel moved towards its recipient. `IN_TRANSIT_01` does not count, because couriers use it for all kinds
 * of remarks.
 */
export const isMovement = (subStatus: string | null): boolean =>
  /^(?:IN_TRANSIT_(?!01$)|WAITING_DELIVERY_)/.test(subStatus ?? '');

export const isDelivery = (subStatus: string | null): boolean => subStatus?.startsWith('DELIVERED_') ?? false;

/** Describes an unknown sub-status of a known core status. */
function textWithCode(subStatus: string): string | null {
  const core = coreMeanings.get(coreOf(subStatus));
  return core === undefined ? null : `${core.text} (${subStatus})`;
}

export const coreOf = (subStatus: string): string => subStatus.replace(/_\d+$/, '');

/** Returns the sub-status in words, or as received if its core status is unknown. */
export function subStatusText(subStatus: string | null): string | null {
  return subStatus === null ? null : (wordings.get(subStatus) ?? textWithCode(subStatus) ?? subStatus);
}

/** Corrects the case of known statuses. In sub-statuses, `OUT_FOR_DELIVERY` means the same as `WAITING_DELIVERY`. */
export function knownSpelling(status: string | null): string | null {
  if (status === null || wordings.has(status) || coreMeanings.has(status)) return status;
  const corrected = status.toUpperCase().replace(/^OUT_FOR_DELIVERY(?=_\d+$)/, 'WAITING_DELIVERY');
  return coreMeanings.has(coreOf(corrected)) ? corrected : status;
}

/** Lookups that failed or returned old data, with the reason (`service/README.md`, "Statuses"). */
const lookupWarnings: ReadonlyMap<string, string> = new Map([
  ['003', "the courier's site could not be reached"],
  ['004', "the courier's response could not be read"],
  ['005', "the courier's site failed, so the data is old"],
  ['006', "the courier's response could not be processed, so the data is old"],
]);

const goodLookups: ReadonlySet<string> = new Set(['001', '002']);

export function isKnownLookup(trackingStatus: string): boolean {
  return goodLookups.has(trackingStatus) || lookupWarnings.has(trackingStatus);
}

/** Returns why a record may be out of date, as a sentence fragment, or null after a good lookup. */
export function lookupWarning(trackingStatus: string | null): string | null {
  return lookupWarnings.get(trackingStatus ?? '') ?? null;
}

/** The beginnings of words for places where parcels are left and people who accept them. */
const wordStarts = [
  'porch|patio|doorstep|doorman|front ?door|back ?door|side ?door|at (?:the |your )?door|garage|mail ?box|mail ?room|letter ?box',
  'reception|front desk|lobby|concierge|caretaker|neighbou?r|safe ?place|shed|locker|parcel ?box|household|family member',
  'nachbar|haustür|briefkasten|ablageort|wunschort|terrasse|hausmeister|mitbewohner|familienmitglied',
  'voisin|gardien|bo[iî]te aux lettres|vecin[oa]|portero|conserje|buz[oó]n|vizinh[oa]|porteiro|portinai[oa]',
  'buren|buurman|buurvrouw|brievenbus|sąsiad|granne|nabo',
].join('|');
const spacedPattern = new RegExp(`(?<!\\p{L})(?:${wordStarts})`, 'iu');
const unspacedPattern =
  /邻居|鄰居|门口|門口|前台|保安|物业|家人|ご近所|玄関|宅配ボックス|이웃|문 ?앞|경비실|เพื่อนบ้าน|หน้าบ้าน/u;

export const mentionsDropOff = (text: string): boolean => spacedPattern.test(text) || unspacedPattern.test(text);

/** Reads `expectedDeliveryTime`, which is a time window only if it has a valid offset, or else `expectedDelivery`. */
export function readExpectedDelivery(received: JsonObject): ExpectedDelivery | null {
  const expected = objectField(received, 'expectedDeliveryTime');
  const [start, end] = [textField(expected, 'start'), textField(expected, 'end')];
  const [from, to] = [parseWallTime(start), parseWallTime(end)];
  const offset = parseOffset(textField(expected, 'timezone'));
  if ((from !== null || to !== null) && offset !== null) {
    const toUtc = (wall: EpochMs): string => `${formatWallTime(wall - offset * minuteMs).replace(' ', 'T')}Z`;
    return {
      kind: 'window',
      from: from === null ? null : toUtc(from),
      to: to === null || (from !== null && to < from) ? null : toUtc(to),
      offset: formatOffset(offset),
    };
  }
  const [first, last] = [dayOrNull(start), dayOrNull(end)];
  if (first !== null && last !== null && first < last) return { kind: 'day', date: first, until: last };
  const date = dayOrNull(textField(received, 'expectedDelivery')) ?? first ?? last;
  return date === null ? null : { kind: 'day', date };
}

function dayOrNull(text: string | null): string | null {
  const date = /^\d{4}-\d{2}-\d{2}(?![\d-])/.exec(text ?? '')?.[0];
  return date !== undefined && parseWallTime(`${date} 00:00:00`) !== null ? date : null;
}
