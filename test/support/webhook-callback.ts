import { createHmac } from 'node:crypto';

/** A test's changes to a callback. Everything else is as the service would send it. */
export interface CallbackParts {
  readonly apiKey: string;
  /** In any unit, as signed. */
  readonly timestamp: string | number;
  readonly data: unknown;
}

/** HMAC-SHA256 in hexadecimal, computed here and not by the tested code. */
export function signatureOf(apiKey: string, timestamp: string | number): string {
  return createHmac('sha256', apiKey).update(String(timestamp)).digest('hex');
}

/** A callback's body, signed. */
export function callbackBody({ apiKey, timestamp, data }: CallbackParts): string {
  return JSON.stringify({ data, verify: { timestamp, signature: signatureOf(apiKey, timestamp) } });
}

/** A record in the service's callback format. */
export function wireRecordOf(fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    id: '1',
    trackNo: 'LX123456789CN',
    trackingStatus: '001',
    transitStatus: 'IN_TRANSIT',
    transitSubStatus: 'IN_TRANSIT_01',
    localLogisticsInfo: { courierCode: 'yanwen', trackingDetails: [] },
    ...fields,
  };
}
