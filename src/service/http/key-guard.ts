import type { Envelope } from './envelope.ts';

/** Keeps the API key out of all that comes back: some services repeat the key that they refuse. */
export interface KeyGuard {
  /** The text of an answer without the key. */
  hideInBody(text: string): string;
  /** What an error may quote of an answer without the key. */
  hideInEnvelope(envelope: Envelope): Envelope;
}

const inPlaceOfTheKey = '[key]';
/** A shorter key, such as a test's, may be part of an ordinary word or number. */
const shortestSecret = 12;

/** A guard of one API key. */
export function createKeyGuard(apiKey: string): KeyGuard {
  const without = (text: string): string => (apiKey === '' ? text : text.replaceAll(apiKey, inPlaceOfTheKey));
  const withoutOrNull = (text: string | null): string | null => (text === null ? null : without(text));
  return {
    hideInBody: (text) => (apiKey.length < shortestSecret ? text : without(text)),
    // Once more, since JSON can write the key in another way.
    hideInEnvelope: (envelope) => ({
      code: withoutOrNull(envelope.code),
      message: withoutOrNull(envelope.message),
      traceId: withoutOrNull(envelope.traceId),
      data: typeof envelope.data === 'string' ? without(envelope.data) : envelope.data,
    }),
  };
}
