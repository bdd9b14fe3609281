import { createHmac } from 'node:crypto';

/** What a test says about a callback; everything else is as the service would send it. */
export interface CallbackParts {
  readonly apiKey: string;
  /** In any unit, as signed. */
  readonly timestamp: string | number;
  readonly data: unknown;
}

/** HMAC-SHA256 in hexadecimal, computed here and not by the code under test. */
export function signatureOf(apiKey: string, timestamp: string | number): string {
  return createHmac('sha256', apiKey).update(String(timestamp)).digest('hex');
}

/** The body of a callback, signed. */
export function callbackBody({ apiKey, timestamp, data }: CallbackParts): string {
  return JSON.stringify({ data, verify: { timestamp, signature: signatureOf(apiKey, timestamp) } });
}

/** A record as the service writes it into a callback. */
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
