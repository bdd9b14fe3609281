import { isJsonObject, type JsonObject, type JsonValue } from '../text/json.ts';
import { textField } from '../text/json-fields.ts';
import { wordOrNull } from '../text/word.ts';

/** Envelope of an answer, whatever its HTTP status. */
export interface Envelope {
  /** Compared as text; null when the answer has none. */
  readonly code: string | null;
  readonly message: string | null;
  readonly traceId: string | null;
  readonly data: JsonValue | undefined;
}

/** Decodes the envelope; null when the answer is no JSON object. */
export function decodeEnvelope(body: JsonValue): Envelope | null {
  if (!isJsonObject(body)) return null;
  return {
    code: textField(body, 'code'),
    message: textField(body, 'msg') ?? textField(body, 'message'),
    traceId: wordOrNull(textField(body, 'traceId')),
    data: body['data'],
  };
}

/** `data.accepted` and `data.rejected` of an answer; absent parts are undefined. */
export function partsOf(data: JsonValue | undefined) {
  const { accepted, rejected }: JsonObject = isJsonObject(data) ? data : {};
  return { accepted, rejected };
}
