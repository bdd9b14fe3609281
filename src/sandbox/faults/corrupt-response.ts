import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { appliesTo, type FaultName, type FaultRule } from './fault-rule.ts';

/** Fields with text for people, as opposed to numbers, codes and times. */
const proseFields: ReadonlySet<string> = new Set(
  `address eventDetail eventDetailTranslation courierNameCN courierNameEN courierHomePage courierTrackingLink shipmentType
  orderNo customerEmail remark custom1 custom2 signedBy serviceCode dimensions weight msg`.split(/\s+/),
);

/** Clear the screen, set the title, write to the clipboard, open a link, beep, and move and hide the cursor. */
const escapeSequences =
  '\u001b[2J\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b]8;;https://evil.example\u0007\u001b[?25l\u009b31m\r\b';
const directionOverrides = '\u202eesrever\u202c\u2066\u2067';
const invisibleCharacters = '\u200b\u200d\ufeff\u2060\u00ad';
const stackedAccents = `a${'\u0301'.repeat(40)}`;

/** In characters: the maximum added to one text, and the approximate total added to a response. */
const maxTailLength = 5000;
const responseBudget = 2 * 1024 * 1024;

const isProse = (key: string, value: unknown): value is string => proseFields.has(key) && typeof value === 'string';

/** Surrounds every text for people with characters that must never reach a terminal. */
function makeTextsHostile(envelope: JsonObject): JsonObject {
  let texts = 0;
  const json = JSON.stringify(envelope, (key, value: unknown) => {
    texts += isProse(key, value) ? 1 : 0;
    return value;
  });
  const tail = 'W'.repeat(Math.min(maxTailLength, Math.floor(responseBudget / Math.max(1, texts))));
  return JSON.parse(json, (key, value: unknown) =>
    isProse(key, value)
      ? `${escapeSequences}${directionOverrides}${invisibleCharacters}${value}${stackedAccents}\n${tail}`
      : value,
  ) as JsonObject;
}

/** Changes the envelope of a successful response. Returns null if the fault does not apply to it. */
export type Corruption = (envelope: JsonObject) => JsonObject | null;

const giantBytes = 9 * 1024 * 1024;

const dataOf = (envelope: JsonObject): JsonObject => {
  const data = envelope['data'];
  return isJsonObject(data) ? data : {};
};

const withAccepted = (envelope: JsonObject, accepted: JsonValue): JsonObject => ({
  ...envelope,
  data: { ...dataOf(envelope), accepted },
});

const hasTrackNo = (value: JsonValue | undefined): value is JsonObject =>
  isJsonObject(value) && typeof value['trackNo'] === 'string';

/** Finds the accepted items in any operation's response: a page, an array or a single record. */
function acceptedItems(envelope: JsonObject): readonly JsonValue[] {
  const { accepted } = dataOf(envelope);
  if (Array.isArray(accepted)) return accepted;
  if (!isJsonObject(accepted)) return [];
  const { content } = accepted;
  return Array.isArray(content) ? content : hasTrackNo(accepted) ? [accepted] : [];
}

function withItems(envelope: JsonObject, items: readonly JsonValue[]): JsonObject {
  const { accepted } = dataOf(envelope);
  if (Array.isArray(accepted)) return withAccepted(envelope, [...items]);
  return isJsonObject(accepted) && 'content' in accepted
    ? withAccepted(envelope, { ...accepted, content: [...items] })
    : withAccepted(envelope, items[0] ?? null);
}

const changeItems =
  (change: (all: readonly JsonValue[]) => readonly JsonValue[] | null): Corruption =>
  (envelope) => {
    const changed = change(acceptedItems(envelope));
    return changed === null ? null : withItems(envelope, changed);
  };

const isAffected = (rule: FaultRule, item: JsonValue): item is JsonObject =>
  hasTrackNo(item) && appliesTo(rule, String(item['trackNo']));

/** Changes each record that the rule applies to. Leaves echoed numbers alone, because they are not records. */
const changeRecords =
  (rule: FaultRule, change: (record: JsonObject) => JsonObject): Corruption =>
  (envelope) => {
    let corrupted = false;
    const all = acceptedItems(envelope).map((item) => {
      if (!isAffected(rule, item) || !('transitStatus' in item)) return item;
      const changed = change(item);
      corrupted ||= changed !== item;
      return changed;
    });
    return corrupted ? withItems(envelope, all) : null;
  };

const hasCheckpoints = (info: JsonValue | undefined): boolean => {
  const details = isJsonObject(info) ? info['trackingDetails'] : null;
  return Array.isArray(details) && details.length > 0;
};

const courierCodeOf = (record: JsonObject): JsonValue => {
  const info = record['localLogisticsInfo'];
  return isJsonObject(info) ? (info['courierCode'] ?? null) : null;
};

function blankRecord(record: JsonObject, fields: readonly string[]): JsonObject {
  const retained = Object.fromEntries(fields.flatMap((name) => (name in record ? [[name, record[name] ?? null]] : [])));
  const courierCode = courierCodeOf(record);
  return { ...retained, trackingStatus: '001', transitStatus: 'NO_RECORD', localLogisticsInfo: { courierCode } };
}

/** Returns a record unchanged the first time, and blank from then on. */
function blankAfterFirst(record: JsonObject, sentInFull: Set<string>): JsonObject {
  const key = JSON.stringify([record['trackNo'] ?? null, courierCodeOf(record)]);
  if (!hasCheckpoints(record['localLogisticsInfo'])) return record;
  if (!sentInFull.has(key)) {
    sentInFull.add(key);
    return record;
  }
  return blankRecord(record, ['id', 'createTime', 'nextUpdateTime', 'trackNo']);
}

function withUnknownStatus(record: JsonObject): JsonObject {
  const json = JSON.stringify(record, (key, value: unknown) => (key === 'transitSubStatus' ? 'TELEPORTED_09' : value));
  return { ...(JSON.parse(json) as JsonObject), trackingStatus: '942', transitStatus: 'TELEPORTED' };
}

function repeatFirstPage(): Corruption {
  let firstPage: readonly JsonValue[] | null = null;
  return (envelope) => {
    const { accepted } = dataOf(envelope);
    if (!isJsonObject(accepted) || !Array.isArray(accepted['content'])) return null;
    const page = Number(accepted['currentPage']);
    if (page === 1) firstPage = accepted['content'];
    const content = firstPage ?? accepted['content'];
    return withAccepted(envelope, { ...accepted, content: [...content], totalPages: String(page + 1) });
  };
}

const courierRowsWithoutNames: Corruption = (envelope) => {
  const rows = envelope['data'];
  if (!Array.isArray(rows)) return null;
  return {
    ...envelope,
    data: rows.map((row) => (isJsonObject(row) ? { courierCode: row['courierCode'] ?? null } : row)),
  };
};

/** Drops the rule's numbers, or the last item if the rule names none. */
const dropItems =
  (rule: FaultRule) =>
  (all: readonly JsonValue[]): readonly JsonValue[] | null => {
    const remaining = rule.numbers === undefined ? all.slice(0, -1) : all.filter((item) => !isAffected(rule, item));
    return remaining.length === all.length ? null : remaining;
  };

/** Each active rule gets its own instance, with its own state. */
export const recordCorruptions: Partial<Readonly<Record<FaultName, (rule: FaultRule) => Corruption>>> = {
  'blank-record': (rule) => {
    const sentInFull = new Set<string>();
    return changeRecords(rule, (record) => blankAfterFirst(record, sentInFull));
  },
  'missing-record': (rule) => changeItems(dropItems(rule)),
  'no-record': (rule) => changeRecords(rule, (record) => blankRecord(record, ['id', 'createTime', 'trackNo'])),
  'unknown-status': (rule) => changeRecords(rule, withUnknownStatus),
  'every-optional-missing': (rule) => {
    const bareRecord = changeRecords(rule, ({ trackNo }) => (trackNo === undefined ? {} : { trackNo }));
    return (envelope) => bareRecord(envelope) ?? courierRowsWithoutNames(envelope);
  },
};

/** Like {@link recordCorruptions}, but for the whole response. */
export const responseCorruptions: Partial<Readonly<Record<FaultName, () => Corruption>>> = {
  'giant-answer': () => (envelope) => ({ ...envelope, padding: 'x'.repeat(giantBytes) }),
  'missing-data':
    () =>
    ({ data: _data, ...rest }) =>
      rest,
  'null-content': () => (envelope) => {
    const { accepted } = dataOf(envelope);
    if (accepted === undefined) return null;
    const isPage = isJsonObject(accepted) && 'content' in accepted;
    return withAccepted(envelope, isPage ? { ...accepted, content: null } : null);
  },
  'wrong-order': () => changeItems((all) => (all.length < 2 ? null : all.toReversed())),
  'duplicate-records': () => changeItems((all) => (all.length === 0 ? null : all.flatMap((item) => [item, item]))),
  'repeating-page': repeatFirstPage,
  'hostile-text': () => makeTextsHostile,
};
