import { isJsonObject, type JsonValue } from '../text/json.ts';
import type { Envelope } from './envelope.ts';

/**
 * Keeps the API key and a call's e-mail addresses out of what is shown of its answer: some services repeat what they
 * refuse.
 */
export interface Redaction {
  /** The text of an answer without the key. */
  body(text: string): string;
  /** An answer of success, without addresses in its reasons for rejecting something. */
  success(envelope: Envelope): Envelope;
  /** An answer of failure, without key and addresses in what an error quotes of it. */
  failure(envelope: Envelope): Envelope;
}

type Change = (text: string) => string;

const keyMark = '[key]';
const addressMark = '[e-mail]';
/** A shorter key, such as a test's, may be part of an ordinary word or number. */
const shortestSecret = 12;

/** What is to be hidden in the answer to a call with this key and content. */
export function createRedaction(apiKey: string, content: JsonValue | undefined): Redaction {
  const withoutKey: Change = (text) => (apiKey === '' ? text : text.replaceAll(apiKey, keyMark));
  const withoutAddresses = hideAddresses(addressesIn(content));
  return {
    body: (text) => (apiKey.length < shortestSecret ? text : withoutKey(text)),
    success: (envelope) => {
      const { data } = envelope;
      const rejected = isJsonObject(data) ? data['rejected'] : undefined;
      if (withoutAddresses === null || !isJsonObject(data) || rejected === undefined) return envelope;
      return { ...envelope, data: { ...data, rejected: inTexts(rejected, withoutAddresses) } };
    },
    failure: ({ code, message, traceId, data }) => {
      // The key once more, since JSON can write it in another way.
      const safe: Change = (text) => withoutAddresses?.(withoutKey(text)) ?? withoutKey(text);
      return {
        code: code === null ? null : withoutKey(code),
        message: message === null ? null : safe(message),
        traceId: traceId === null ? null : withoutKey(traceId),
        data: typeof data === 'string' ? safe(data) : data,
      };
    },
  };
}

/** Null when there is nothing to hide, as in nearly all calls. */
function hideAddresses(addresses: readonly string[]): Change | null {
  if (addresses.length === 0) return null;
  const pattern = new RegExp(addresses.map(literally).join('|'), 'gi');
  return (text) => text.replace(pattern, addressMark);
}

/** A text as the part of a regular expression that finds it. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The values of `customerEmail`, longest first, since one address may be part of another. */
function addressesIn(content: JsonValue | undefined): readonly string[] {
  const items: readonly JsonValue[] = Array.isArray(content) ? content : content === undefined ? [] : [content];
  const addresses = items.flatMap((item) => {
    const address = isJsonObject(item) ? item['customerEmail'] : undefined;
    return typeof address === 'string' && address.trim() !== '' ? [address.trim()] : [];
  });
  return [...new Set(addresses)].sort((a, b) => b.length - a.length);
}

function inTexts(value: JsonValue, change: Change): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => inTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inTexts(item, change)]));
}
