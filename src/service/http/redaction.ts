import { isJsonObject, type JsonValue } from '../text/json.ts';
import { type Hide, hideSecrets, type Secret } from './spellings.ts';

/**
 * Keeps the API key and what a call says of people out of what is shown and kept of its answer: some services repeat what they
 * refuse. All of it looks at an answer that has been parsed, however that was written.
 */
export interface Redaction {
  /** Any answer, without the key. What a carrier says of a parcel stays: a postal code there is a place. */
  answer(json: JsonValue): JsonValue;
  /** What an answer says about a call that failed or was rejected in part: without e-mail addresses, postal codes and phone digits, too. */
  complaint(json: JsonValue): JsonValue;
}

/** A shorter key, such as a test's, may be part of an ordinary word or number. */
const shortestSecret = 12;
/** What is shorter says nothing about anybody, and is in every sentence. */
const shortestPersonal = 3;

/** Deeper than this nothing of an answer is read. */
const deepest = 64;

/** In these stands what the call was about, and not what somebody wrote of it. */
const neverPersonal: ReadonlySet<string> = new Set(['trackNo', 'courierCode', 'code', 'index', 'traceId']);

/** What stands in the place of the personal fields of calls. */
const personalMarks: Readonly<Record<string, string>> = {
  customerEmail: '[e-mail]',
  postalCode: '[postal code]',
  phoneSuffix: '[phone]',
};

/** What is to be hidden in the answer to a call with this key and content. */
export function createRedaction(apiKey: string, content: JsonValue | undefined): Redaction {
  const key: Secret = { text: apiKey, mark: '[key]', isShort: apiKey.length < shortestSecret };
  const hideKey = hideSecrets([key]);
  let hideAll: Hide | null = null;
  return {
    answer: (json) => (apiKey.length < shortestSecret ? json : inTexts(json, hideKey, hideKey)),
    complaint: (json) => {
      // Answers of success are many, and hardly any of them complains.
      hideAll ??= hideSecrets([{ ...key, anyCase: true }, ...personalIn(content ?? null)]);
      return inTexts(json, hideAll, hideKey);
    },
  };
}

/** The personal fields of a call's content. */
function personalIn(content: JsonValue): readonly Secret[] {
  if (Array.isArray(content)) return content.flatMap((item: JsonValue) => personalIn(item));
  if (!isJsonObject(content)) return [];
  return Object.entries(content).flatMap(([name, value]): readonly Secret[] => {
    const mark = personalMarks[name];
    if (mark === undefined || typeof value !== 'string') return personalIn(value);
    const text = value.trim();
    return text.length < shortestPersonal ? [] : [{ text, mark, anyCase: true, isShort: !text.includes('@') }];
  });
}

/** The same value where nothing is to be hidden, as nearly always. */
function inTexts(value: JsonValue, hide: Hide, hideInNames: Hide, depth = 0): JsonValue {
  if (typeof value === 'string') return hide(value);
  if (typeof value === 'number') {
    const text = String(value);
    return hide(text) === text ? value : hide(text);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return null;
  if (!isJsonObject(value)) {
    const items = value.map((item: JsonValue) => inTexts(item, hide, hideInNames, depth + 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  let isSame = true;
  const entries = Object.entries(value).map(([name, item]) => {
    const shownName = hideInNames(name);
    const shown = inTexts(item, neverPersonal.has(name) ? hideInNames : hide, hideInNames, depth + 1);
    if (shown !== item || shownName !== name) isSame = false;
    return [shownName, shown] as const;
  });
  return isSame ? value : Object.fromEntries(entries);
}
