import { isJsonObject, type JsonValue } from '../text/json.ts';
import type { Envelope } from './envelope.ts';

/** Keeps the e-mail addresses of a call out of what is shown of its answer: some services repeat what they refuse. */
export interface AddressGuard {
  /** What an error may quote of an answer without the addresses. */
  hideInMessage(envelope: Envelope): Envelope;
  /** The answer without the addresses in its reasons for rejecting something. */
  hideInRejected(envelope: Envelope): Envelope;
}

const inPlaceOfAnAddress = '[e-mail]';

/** A guard of the addresses that a call's body holds as `customerEmail`. */
export function createAddressGuard(body: JsonValue | undefined): AddressGuard {
  const addresses = addressesIn(body);
  if (addresses.length === 0) return { hideInMessage: (envelope) => envelope, hideInRejected: (envelope) => envelope };
  const pattern = new RegExp(addresses.map(literally).join('|'), 'gi');
  const without = (text: string): string => text.replace(pattern, inPlaceOfAnAddress);
  return {
    hideInMessage: (envelope) => ({
      ...envelope,
      message: envelope.message === null ? null : without(envelope.message),
      data: typeof envelope.data === 'string' ? without(envelope.data) : envelope.data,
    }),
    hideInRejected: (envelope) => {
      const { data } = envelope;
      const rejected = isJsonObject(data) ? data['rejected'] : undefined;
      if (!isJsonObject(data) || rejected === undefined) return envelope;
      return { ...envelope, data: { ...data, rejected: inTexts(rejected, without) } };
    },
  };
}

/** A text as the part of a regular expression that finds it. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Longest first, since one address may be part of another. */
function addressesIn(body: JsonValue | undefined): readonly string[] {
  const items: readonly JsonValue[] = Array.isArray(body) ? body : body === undefined ? [] : [body];
  const addresses = items.flatMap((item) => {
    const address = isJsonObject(item) ? item['customerEmail'] : undefined;
    return typeof address === 'string' && address.trim() !== '' ? [address.trim()] : [];
  });
  return [...new Set(addresses)].sort((a, b) => b.length - a.length);
}

function inTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => inTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inTexts(item, change)]));
}
