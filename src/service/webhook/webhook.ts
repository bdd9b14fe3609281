import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { EpochMs } from '../clock/clock.ts';
import { decodeRecord } from '../record/decode-record.ts';
import type { TrackingRecord } from '../record/record.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../text/json.ts';
import { objectField } from '../text/json-fields.ts';
import { parseJson } from '../text/parse-json.ts';
import { webhookSkewMs } from './webhook-age.ts';

/** What a callback is checked against. */
export interface WebhookCheck {
  readonly apiKey: string;
  readonly now: EpochMs;
  /** How old the timestamp of a callback may be, in milliseconds. */
  readonly maxAgeMs: number;
  /** Whether a callback with this fingerprint was taken before; see {@link WebhookReading}. */
  readonly isReplay: (fingerprint: string) => boolean;
}

/** What came of reading a callback. */
export type WebhookReading =
  | {
      readonly ok: true;
      readonly record: TrackingRecord;
      /** When the service says that it sent the callback. */
      readonly timestamp: EpochMs;
      /**
       * Names this callback. The signature covers the timestamp only, and two parcels may be pushed in one second, so
       * both may come again for another parcel: only together with the record they name a replay.
       */
      readonly fingerprint: string;
    }
  | {
      readonly ok: false;
      /** HTTP status to refuse with: no JSON or no record (400), signature or time not right (401), a replay (409). */
      readonly status: 400 | 401 | 409;
      /** A sentence for whoever looks at the refused callback; holds nothing secret. */
      readonly reason: string;
      /** What the owner of the receiver is to check, as a sentence; null when nothing is wrong here. */
      readonly advice: string | null;
    };

/**
 * Reads the body of a webhook callback (`service/README.md`, "Webhook"):
 * `{data, verify: {timestamp, signature}}`, or the record's fields beside `verify`. The signature is the HMAC-SHA256 of
 * the timestamp's text under the API key, in hexadecimal. Nothing else of a body is looked at before it is verified.
 */
export function readWebhook(body: string, check: WebhookCheck): WebhookReading {
  const callback = parseObject(body);
  if (callback === null) return refuse(400, 'The body is not a JSON object.', checkSender);
  const { verify: _verify, ...rest } = callback;
  const verify = objectField(callback, 'verify');
  const timestampText = plainText(verify['timestamp']);
  const signature = plainText(verify['signature']);
  if (timestampText === null || signature === null)
    return refuse(401, 'The callback carries no timestamp or signature.', checkSender);
  if (!isSignedWith(check.apiKey, timestampText, signature)) return refuse(401, 'The signature is wrong.', checkKey);

  const timestamp = parseTimestamp(timestampText);
  if (timestamp === null) return refuse(401, 'The timestamp is not a time in seconds or milliseconds.', checkSender);
  const ageMs = check.now - timestamp;
  if (ageMs > check.maxAgeMs) {
    return refuse(
      401,
      `The callback is over ${minutesText(ageMs)} old, and at most ${minutesText(check.maxAgeMs)} are allowed.`,
      checkClockOrAge,
    );
  }
  if (-ageMs > webhookSkewMs) {
    return refuse(
      401,
      `The callback is dated over ${minutesText(-ageMs)} ahead of this machine's clock, and at most ${minutesText(webhookSkewMs)} are allowed.`,
      checkClock,
    );
  }
  const record = decodeRecord(isJsonObject(callback['data']) ? callback['data'] : rest);
  if (record === null) return refuse(400, 'The callback holds no tracking record.', checkSender);
  const fingerprint = fingerprintOf(timestampText, record);
  if (check.isReplay(fingerprint)) return refuse(409, 'This callback was received before.', null);
  return { ok: true, record, timestamp, fingerprint };
}

/** The signature of a callback: lowercase hexadecimal HMAC-SHA256 of the timestamp's text under the API key. */
export function webhookSignature(apiKey: string, timestampText: string): string {
  return createHmac('sha256', apiKey).update(timestampText).digest('hex');
}

/** Takes as long for a signature that is nearly right as for any other. */
function isSignedWith(apiKey: string, timestampText: string, signature: string): boolean {
  const expected = Buffer.from(webhookSignature(apiKey, timestampText));
  const given = Buffer.from(signature.toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Nobody says whether the service counts seconds or milliseconds; of today's times, only the latter have 13 digits. */
function parseTimestamp(text: string): EpochMs | null {
  if (!/^\d{9,14}$/.test(text)) return null;
  return Number(text) * (text.length >= 12 ? 1 : 1000);
}

/** Of the record and not of the body, so that blanks and capitals make no other callback of it. */
function fingerprintOf(timestampText: string, { received }: TrackingRecord): string {
  const digest = createHash('sha256')
    .update(`${timestampText}\n${JSON.stringify(received)}`)
    .digest();
  // Half of it is as good, and many are kept.
  return digest.toString('base64', 0, 16);
}

/** The text that was signed, to the letter. */
function plainText(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

function parseObject(body: string): JsonObject | null {
  try {
    const parsed = parseJson(body);
    return isJsonObject(parsed) ? parsed : null;
  } catch {
    // Besides a SyntaxError, a body that is nested deep enough makes the parser run out of stack. Both are no JSON of ours.
    return null;
  }
}

const checkSender = "Check that nothing but the service's webhook of the type Parcel sends to this address.";
const checkKey = 'Check that the API key here is that of the account whose webhook this is.';
const checkClock = 'Check the clock of this machine.';
const checkClockOrAge =
  'Check the clock of this machine; if the service sends late ones again with their first time, raise webhook.maxAgeMinutes in config.json.';

/** The whole minutes of a time in words: "42 minutes". */
const minutesText = (ms: number): string =>
  Math.floor(ms / 60_000).toLocaleString('en', { style: 'unit', unit: 'minute', unitDisplay: 'long' });

const refuse = (status: 400 | 401 | 409, reason: string, advice: string | null): WebhookReading => ({
  ok: false,
  status,
  reason,
  advice,
});
