import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { EpochMs } from '../lib/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectField, parseJson } from '../lib/json.ts';
import { decodeRecord } from './decode-record.ts';
import type { TrackingRecord } from './record.ts';
import { parseWebhookTimestamp, type ServiceClock } from './service-clock.ts';

/** The ways in which programs that use the public service have seen callbacks signed (`service/README.md`, "Webhook"). */
export const signatureMethods = ['hmac', 'sha256', 'hmac-base64', 'sha256-base64'] as const;

/** `hmac` is HMAC-SHA256 of the timestamp under the key, `sha256` a hash of key and timestamp; hexadecimal unless in base64. */
export type SignatureMethod = (typeof signatureMethods)[number];

export const webhookSignatures = [...signatureMethods, 'none'] as const;

export type WebhookSignature = (typeof webhookSignatures)[number];

export const shortestWebhookPath = 16;

export const defaultWebhookMaxAgeMs = 5 * 60_000;

/** How far the timestamp of a callback may be ahead of our clock, in milliseconds: clocks differ, but not by more. */
export const webhookSkewMs = 5 * 60_000;

export function signatureOf(method: SignatureMethod, apiKey: string, timestamp: string): string {
  return digestOf(method, apiKey, timestamp).toString(encodingOf(method));
}

/** Whether the signature is right. Takes as long for one that is nearly right as for any other. */
function isSigned(method: SignatureMethod, apiKey: string, timestamp: string, signature: string): boolean {
  const encoding = encodingOf(method);
  if (!forms[encoding].test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, encoding), digestOf(method, apiKey, timestamp));
}

/** 32 bytes as text. Capitals mean the same in hexadecimal; base64 may lack its end, and be written for addresses. */
const forms = { hex: /^[\da-f]{64}$/i, base64: /^[\w+/-]{43}=?$/ } as const;

const encodingOf = (method: SignatureMethod): 'hex' | 'base64' => (method.endsWith('-base64') ? 'base64' : 'hex');

function digestOf(method: SignatureMethod, apiKey: string, timestamp: string): Buffer {
  const digest = method.startsWith('hmac') ? createHmac('sha256', apiKey) : createHash('sha256').update(apiKey);
  return digest.update(timestamp).digest();
}

export interface WebhookCheck {
  readonly apiKey: string;
  readonly signature: WebhookSignature;
  /** The clock of a timestamp that names no zone. */
  readonly serviceClock: ServiceClock;
  readonly now: EpochMs;
  readonly maxAgeMs: number;
}

interface Refusal {
  readonly ok: false;
  readonly status: 400 | 401;
  /** A sentence for its sender, without anything that helps to guess. */
  readonly reason: string;
  readonly advice: string;
}

export type WebhookReading =
  | Refusal
  | {
      readonly ok: true;
      readonly record: TrackingRecord;
      readonly timestamp: EpochMs | null;
      /**
       * The signature covers the timestamp only, so only timestamp and record together name a replay. Null without a
       * timestamp.
       */
      readonly fingerprint: string | null;
    };

/**
 * `{data, verify: {timestamp, signature}}`, or the record's fields next to `verify` (`service/README.md`, "Webhook").
 * Nothing else of a body is read before it is verified.
 */
export function readWebhook(body: string, check: WebhookCheck): WebhookReading {
  const callback = parseObject(body);
  if (callback === null) return refuse(400, 'The body is not a JSON object.', checkSender);
  const { verify: _verify, ...rest } = callback;
  const verify = objectField(callback, 'verify');
  const timestampText = writtenTimestamp(body, verify);
  const unproven = check.signature === 'none' ? null : refusalOf(timestampText, plainText(verify['signature']), check);
  if (unproven !== null) return unproven;

  const timestamp =
    timestampText === null
      ? null
      : parseWebhookTimestamp(plainText(verify['timestamp']) ?? timestampText, check.serviceClock);
  if (timestamp === null && check.signature !== 'none')
    return refuse(401, 'The timestamp is not a time in seconds or milliseconds, nor a date.', checkSender);
  const untimely = timestamp === null ? null : refusalByAge(check.now - timestamp, check.maxAgeMs);
  if (untimely !== null) return untimely;
  const record = decodeRecord(isJsonObject(callback['data']) ? callback['data'] : rest, check.now);
  if (record === null) return refuse(400, 'The callback holds no tracking record.', checkSender);
  return { ok: true, record, timestamp, fingerprint: timestamp === null ? null : fingerprintOf(timestamp, record) };
}

function refusalOf(
  timestampText: string | null,
  signature: string | null,
  { apiKey, signature: method }: WebhookCheck,
): Refusal | null {
  if (timestampText === null || signature === null)
    return refuse(
      401,
      'The callback carries no timestamp or signature.',
      `${checkSender} If the service does not sign, set webhook.signature to none and webhook.path to a secret path in config.json.`,
    );
  const fits = (other: WebhookSignature): boolean =>
    other !== 'none' && isSigned(other, apiKey, timestampText, signature);
  if (fits(method)) return null;
  const right = signatureMethods.find(fits);
  return refuse(
    401,
    'The signature does not match.',
    right === undefined
      ? checkSignature
      : `The service signs in another way: set webhook.signature to ${right} in config.json.`,
  );
}

function refusalByAge(ageMs: number, maxAgeMs: number): Refusal | null {
  if (ageMs > maxAgeMs) {
    return refuse(
      401,
      `The callback is over ${minutesText(ageMs)} old, and at most ${minutesText(maxAgeMs)} are allowed.`,
      checkClockOrAge,
    );
  }
  if (-ageMs <= webhookSkewMs) return null;
  return refuse(
    401,
    `The callback is dated over ${minutesText(-ageMs)} ahead of this machine's clock, and at most ${minutesText(webhookSkewMs)} are allowed.`,
    checkClock,
  );
}

/** Of the record and not of the body, so that blanks and capitals make no other callback of it. */
function fingerprintOf(timestamp: EpochMs, { received }: TrackingRecord): string {
  const digest = createHash('sha256')
    .update(`${timestamp}\n${JSON.stringify(received)}`)
    .digest();
  // Half of it is as good, and many are kept.
  return digest.toString('base64', 0, 16);
}

/** As it was signed, to the letter: a number can be written in several ways, such as `1763542800.0`. */
function writtenTimestamp(body: string, verify: JsonObject): string | null {
  const { timestamp } = verify;
  if (typeof timestamp !== 'number') return plainText(timestamp);
  // No text can hold a quote without a backslash, so that these are keys.
  const quoted = parseObject(body.replace(/("timestamp"\s*:\s*)(-?\d[\d.eE+-]*)/g, '$1"$2"'));
  return plainText(objectField(quoted ?? {}, 'verify')['timestamp']) ?? String(timestamp);
}

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
const checkSignature =
  'Check webhook.signature in config.json, and that the API key here is that of the account whose webhook this is.';
const checkClock = 'Check the clock of this machine and service.clock.';
const checkClockOrAge =
  'Check the clock of this machine and service.clock; if the service sends late ones again with their first time, raise webhook.maxAgeMinutes in config.json.';

const minutesText = (ms: number): string =>
  Math.floor(ms / 60_000).toLocaleString('en', { style: 'unit', unit: 'minute', unitDisplay: 'long' });

const refuse = (status: 400 | 401, reason: string, advice: string): Refusal => ({
  ok: false,
  status,
  reason,
  advice,
});

interface ReplayGuard {
  has(fingerprint: string): boolean;
  add(fingerprint: string, now: EpochMs): void;
}

/**
 * Forgets what would be refused by its age, and beyond `most` the oldest (some 15 MB). Only signed callbacks get here,
 * so a stranger cannot fill it.
 */
export function createReplayGuard(maxAgeMs: number, most = 100_000): ReplayGuard {
  const taken = new Map<string, EpochMs>();
  // One may come as early as clocks differ, and again as late as its age allows.
  const windowMs = webhookSkewMs + maxAgeMs;
  const forgetOld = (now: EpochMs): void => {
    for (const [fingerprint, at] of taken) {
      if (now - at <= windowMs && taken.size < most) return;
      taken.delete(fingerprint);
    }
  };
  return {
    has: (fingerprint) => taken.has(fingerprint),
    add(fingerprint, now) {
      forgetOld(now);
      taken.set(fingerprint, now);
    },
  };
}
