import type { JsonObject } from '../../service/text/json.ts';

/** Fields that hold a text for people, not a number, a code or a time. */
const proseFields: ReadonlySet<string> = new Set([
  'address',
  'eventDetail',
  'eventDetailTranslation',
  'courierNameCN',
  'courierNameEN',
  'courierHomePage',
  'courierTrackingLink',
  'shipmentType',
  'orderNo',
  'customerEmail',
  'remark',
  'custom1',
  'custom2',
  'signedBy',
  'serviceCode',
  'dimensions',
  'weight',
  'msg',
]);

/** Clears the screen, sets the title, writes the clipboard, opens a link, rings, moves and turns the cursor off. */
const escapes =
  '\u001b[2J\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b]8;;https://evil.example\u0007\u001b[?25l\u009b31m\r\b';
const bidirectional = '\u202eesrever\u202c\u2066\u2067';
const invisible = '\u200b\u200d\ufeff\u2060\u00ad';
const stacked = `a${'\u0301'.repeat(40)}`;

/** Longest text, and about how much all of them may add to an answer, in characters. */
const longestTail = 5000;
const wholeBudget = 2 * 1024 * 1024;

const isProse = (key: string, value: unknown): value is string => proseFields.has(key) && typeof value === 'string';

/**
 * The answer with everything in its texts that must never reach a terminal: escape sequences, bidirectional overrides,
 * zero-width characters, stacked marks and great length. What the text said stays in it.
 */
export function makeTextsHostile(envelope: JsonObject): JsonObject {
  let texts = 0;
  const json = JSON.stringify(envelope, (key, value: unknown) => {
    texts += isProse(key, value) ? 1 : 0;
    return value;
  });
  const tail = 'W'.repeat(Math.min(longestTail, Math.floor(wholeBudget / Math.max(1, texts))));
  return JSON.parse(json, (key, value: unknown) =>
    isProse(key, value) ? `${escapes}${bidirectional}${invisible}${value}${stacked}\n${tail}` : value,
  ) as JsonObject;
}
