import { isJsonObject, type JsonObject, type JsonValue } from '../../service/text/json.ts';
import type { FaultName } from './fault-rule.ts';
import { makeTextsHostile } from './hostile-text.ts';

/** Spoils the envelope of a success. Null when there is nothing in it that the fault could spoil. */
export type Spoil = (envelope: JsonObject) => JsonObject | null;

/** More than a client should take. */
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

/** The accepted numbers of an answer, wherever its operation keeps them: a page, an array, or a single record. */
function acceptedItems(envelope: JsonObject): readonly JsonValue[] {
  const { accepted } = dataOf(envelope);
  if (Array.isArray(accepted)) return accepted;
  if (!isJsonObject(accepted)) return [];
  const { content } = accepted;
  return Array.isArray(content) ? content : hasTrackNo(accepted) ? [accepted] : [];
}

/** The envelope with other accepted numbers, in their place. */
function withItems(envelope: JsonObject, items: readonly JsonValue[]): JsonObject {
  const { accepted } = dataOf(envelope);
  if (Array.isArray(accepted)) return withAccepted(envelope, [...items]);
  return isJsonObject(accepted) && 'content' in accepted
    ? withAccepted(envelope, { ...accepted, content: [...items] })
    : withAccepted(envelope, items[0] ?? null);
}

/** Spoils the accepted numbers together; there must be at least `least`. */
const items =
  (least: number, change: (all: readonly JsonValue[]) => readonly JsonValue[]): Spoil =>
  (envelope) => {
    const all = acceptedItems(envelope);
    return all.length < least ? null : withItems(envelope, change(all));
  };

/** Spoils every tracking record by itself; numbers that are merely echoed are none. */
const eachRecord =
  (change: (record: JsonObject) => JsonObject): Spoil =>
  (envelope) => {
    let spoilt = false;
    const all = acceptedItems(envelope).map((item) => {
      if (!hasTrackNo(item) || !('transitStatus' in item)) return item;
      const changed = change(item);
      spoilt ||= changed !== item;
      return changed;
    });
    return spoilt ? withItems(envelope, all) : null;
  };

const hasCheckpoints = (info: JsonValue | undefined): boolean => {
  const details = isJsonObject(info) ? info['trackingDetails'] : null;
  return Array.isArray(details) && details.length > 0;
};

/** Blanks a record from its second time on; `shownWhole` are those that went out whole. */
function blankAfterWhole(record: JsonObject, shownWhole: Set<string>): JsonObject {
  const { id, trackNo, createTime, nextUpdateTime, localLogisticsInfo } = record;
  const courierCode = isJsonObject(localLogisticsInfo) ? localLogisticsInfo['courierCode'] : null;
  const key = JSON.stringify([trackNo, courierCode]);
  if (!hasCheckpoints(localLogisticsInfo)) return record;
  if (!shownWhole.has(key)) {
    shownWhole.add(key);
    return record;
  }
  const blank = { trackNo, trackingStatus: '001', transitStatus: 'NO_RECORD', localLogisticsInfo: { courierCode } };
  return JSON.parse(JSON.stringify({ id, createTime, nextUpdateTime, ...blank })) as JsonObject;
}

function withUnknownStatus(record: JsonObject): JsonObject {
  const json = JSON.stringify(record, (key, value: unknown) => (key === 'transitSubStatus' ? 'TELEPORTED_09' : value));
  return { ...(JSON.parse(json) as JsonObject), trackingStatus: '942', transitStatus: 'TELEPORTED' };
}

function repeatFirstPage(): Spoil {
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

const courierRowsWithoutNames: Spoil = (envelope) => {
  const rows = envelope['data'];
  if (!Array.isArray(rows)) return null;
  return {
    ...envelope,
    data: rows.map((row) => (isJsonObject(row) ? { courierCode: row['courierCode'] ?? null } : row)),
  };
};

const bareRecord = eachRecord(({ trackNo }) => (trackNo === undefined ? {} : { trackNo }));

/** Faults that spoil what a success says. Each rule that is switched on has a spoiler with a memory of its own. */
export const spoiledAnswers: Partial<Readonly<Record<FaultName, () => Spoil>>> = {
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
  'blank-record': () => {
    const shownWhole = new Set<string>();
    return eachRecord((record) => blankAfterWhole(record, shownWhole));
  },
  'missing-record': () => items(1, (all) => all.slice(0, -1)),
  'wrong-order': () => items(2, (all) => all.toReversed()),
  'duplicate-records': () => items(1, (all) => all.flatMap((item) => [item, item])),
  'repeating-page': repeatFirstPage,
  'hostile-text': () => makeTextsHostile,
  'unknown-status': () => eachRecord(withUnknownStatus),
  'every-optional-missing': () => (envelope) => bareRecord(envelope) ?? courierRowsWithoutNames(envelope),
};
