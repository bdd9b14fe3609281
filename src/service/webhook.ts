import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { EpochMs } from '../lib/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectField, parseJson } from '../lib/json.ts';
import { decodeRecord } from './decode-record.ts';
import type { TrackingRecord } from './record.ts';
import { parseWebhookTimestamp, type ServiceClock } from './service-clock.ts';

/** Signatures that clients of the public service have encountered (`service/README.md`, "Webhook"). */
const signatureMethods = ['hmac', 'sha256', 'hmac-base64', 'sha256-base64'] as const;

/**
 * `hmac`: HMAC-SHA256 of the timestamp with the key. `sha256`: hash of the key followed by the timestamp. In hexadecimal
 * unless the name ends in `-base64`.
 */
export type SignatureMethod = (typeof signatureMethods)[number];

export const webhookSignatures = [...signatureMethods, 'none'] as const;

export type WebhookSignature = (typeof webhookSignatures)[number];

export const minWebhookPathLength = 16;

export const defaultWebhookMaxAgeMs = 5 * 60_000;

/** How far in the future a timestamp may be, in milliseconds. */
const webhookSkewMs = 5 * 60_000;

export function signatureOf(method: SignatureMethod, apiKey: string, timestamp: string): string {
  return digestOf(method, apiKey, timestamp).toString(encodingOf(method));
}

/** Compares in constant time. */
function isSigned(method: SignatureMethod, apiKey: string, timestamp: string, signature: string): boolean {
  const encoding = encodingOf(method);
  if (!signaturePatterns[encoding].test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, encoding), digestOf(method, apiKey, timestamp));
}

/** Signatures have 32 bytes. Base64 may be unpadded or URL-safe. */
const signaturePatterns = { hex: /^[\da-f]{64}$/i, base64: /^[\w+/-]{43}=?$/ } as const;

const encodingOf = (method: SignatureMethod): 'hex' | 'base64' => (method.endsWith('-base64') ? 'base64' : 'hex');

function digestOf(method: SignatureMethod, apiKey: string, timestamp: string): Buffer {
  const digest = method.startsWith('hmac') ? createHmac('sha256', apiKey) : createHash('sha256').update(apiKey);
  return digest.update(timestamp).digest();
}

export interface WebhookCheck {
  readonly apiKey: string;
  readonly signature: WebhookSignature;
  /** The clock that timestamps without a zone refer to. */
  readonly serviceClock: ServiceClock;
  readonly now: EpochMs;
  readonly maxAgeMs: number;
}

interface Refusal {
  readonly ok: false;
  readonly status: 400 | 401;
  /** The reply to the sender. Contains nothing that helps to guess the signature. */
  readonly reason: string;
  /** For the user only. */
  readonly advice: string;
}

export type WebhookResult =
  | Refusal
  | {
      readonly ok: true;
      readonly record: TrackingRecord;
      readonly timestamp: EpochMs | null;
      /** Identifies a replay by timestamp and record, because only the timestamp is signed. Null without a timestamp. */
      readonly fingerprint: string | null;
    };

/**
 * Verifies and decodes `{data, verify: {timestamp, signature}}`, or the record's fields next to `verify`
 * (`service/README.md`, "Webhook").
 */
export function readWebhook(body: string, check: WebhookCheck): WebhookResult {
  const callback = parseObject(body);
  if (callback === null) return refuse(400, 'The body is not a JSON object.', senderAdvice);
  const { verify: _verify, ...fields } = callback;
  const verify = objectField(callback, 'verify');
  const timestampText = writtenTimestamp(body, verify);
  const refusal =
    check.signature === 'none' ? null : checkSignature(timestampText, textOrNull(verify['signature']), check);
  if (refusal !== null) return refusal;

  const timestamp =
    timestampText === null
      ? null
      : parseWebhookTimestamp(textOrNull(verify['timestamp']) ?? timestampText, check.serviceClock);
  if (timestamp === null && check.signature !== 'none')
    return refuse(401, 'The timestamp is neither a date nor a Unix time in seconds or milliseconds.', senderAdvice);
  const ageProblem = timestamp === null ? null : checkAge(check.now - timestamp, check.maxAgeMs);
  if (ageProblem !== null) return ageProblem;
  const record = decodeRecord(isJsonObject(callback['data']) ? callback['data'] : fields, check.now);
  if (record === null) return refuse(400, 'The callback has no tracking record.', senderAdvice);
  return { ok: true, record, timestamp, fingerprint: timestamp === null ? null : fingerprintOf(timestamp, record) };
}

function checkSignature(
  timestampText: string | null,
  signature: string | null,
  { apiKey, signature: method }: WebhookCheck,
): Refusal | null {
  if (timestampText === null || signature === null)
    return refuse(
      401,
      'The callback has no timestamp or signature.',
      `${senderAdvice} If the service does not sign callbacks, set webhook.signature to none and webhook.path to a secret path in config.json.`,
    );
  const matches = (candidate: WebhookSignature): boolean =>
    candidate !== 'none' && isSigned(candidate, apiKey, timestampText, signature);
  if (matches(method)) return null;
  const matchingMethod = signatureMethods.find(matches);
  return refuse(
    401,
    'The signature does not match.',
    matchingMethod === undefined
      ? signatureAdvice
      : `The service signs its callbacks differently: set webhook.signature to ${matchingMethod} in config.json.`,
  );
}

function checkAge(ageMs: number, maxAgeMs: number): Refusal | null {
  const tooOld = `The callback is over ${minutesText(ageMs)} old; the limit is ${minutesText(maxAgeMs)}.`;
  if (ageMs > maxAgeMs) return refuse(401, tooOld, clockOrAgeAdvice);
  const tooNew = `The callback is dated over ${minutesText(-ageMs)} ahead of this machine's clock; the limit is ${minutesText(webhookSkewMs)}.`;
  return -ageMs <= webhookSkewMs ? null : refuse(401, tooNew, clockAdvice);
}

/** Hashes the record instead of the body, so that formatting does not matter. */
function fingerprintOf(timestamp: EpochMs, { received }: TrackingRecord): string {
  const digest = createHash('sha256')
    .update(`${timestamp}\n${JSON.stringify(received)}`)
    .digest();
  // Half of the digest is enough, and saves memory.
  return digest.toString('base64', 0, 16);
}

/** Returns the timestamp as written, because that text is signed: a number may be written as `1763542800.0`. */
function writtenTimestamp(body: string, verify: JsonObject): string | null {
  const { timestamp } = verify;
  if (typeof timestamp !== 'number') return textOrNull(timestamp);
  // Quotes inside strings are escaped, so a match is always a key.
  const withQuotedTimestamp = parseObject(body.replace(/("timestamp"\s*:\s*)(-?\d[\d.eE+-]*)/g, '$1"$2"'));
  return textOrNull(objectField(withQuotedTimestamp ?? {}, 'verify')['timestamp']) ?? String(timestamp);
}

function textOrNull(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

function parseObject(body: string): JsonObject | null {
  try {
    const parsed = parseJson(body);
    return isJsonObject(parsed) ? parsed : null;
  } catch {
    // A SyntaxError, or a stack overflow caused by deeply nested JSON.
    return null;
  }
}

const senderAdvice = "Check that only the service's webhook of type Parcel sends to this address.";
const signatureAdvice =
  'Check webhook.signature in config.json, and that the API key belongs to the same account as this webhook.';
const clockAdvice = "Check this machine's clock and service.clock.";
const clockOrAgeAdvice =
  "Check this machine's clock and service.clock. If the service resends callbacks with their original timestamp, raise webhook.maxAgeMinutes in config.json.";

const minutesText = (ms: number): string =>
  Math.floor(ms / 60_000).toLocaleString('en', { style: 'unit', unit: 'minute', unitDisplay: 'long' });

const refuse = (status: 400 | 401, reason: string, advice: string): Refusal => ({ ok: false, status, reason, advice });

/** Forgets callbacks that are too old to be accepted again, and the oldest ones above `maxEntries` (about 15 MB). */
export function createReplayGuard(maxAgeMs: number, maxEntries = 100_000) {
  const received = new Map<string, EpochMs>();
  const windowMs = webhookSkewMs + maxAgeMs;
  const forgetOld = (now: EpochMs): void => {
    for (const [fingerprint, at] of received) {
      if (now - at <= windowMs && received.size < maxEntries) return;
      received.delete(fingerprint);
    }
  };
  return {
    has: (fingerprint: string): boolean => received.has(fingerprint),
    add(fingerprint: string, now: EpochMs): void {
      forgetOld(now);
      received.set(fingerprint, now);
    },
  };
}
