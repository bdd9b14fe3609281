import { isJsonObject, type JsonValue } from '../../service/text/json.ts';
import { parseJson } from '../../service/text/parse-json.ts';
import { UsageError } from '../session/errors.ts';

/** Keys under which trackers have their lists: AfterShip, Parcel and 17TRACK do so, and whoever makes something alike. */
const listKeys = [
  'parcels',
  'trackings',
  'deliveries',
  'shipments',
  'packages',
  'accepted',
  'items',
  'results',
  'data',
];
/** How deep a list lies in an answer. */
const deepestList = 3;

/**
 * The list that JSON holds, by itself or in the answer of a tracker, or that JSON Lines are: an object a line. An object
 * without a list is the only one of its list.
 * Throws a {@link UsageError} for what is damaged.
 */
export function jsonList(text: string): readonly JsonValue[] {
  const value = jsonOf(text);
  return listIn(value, 0) ?? [value];
}

function listIn(value: JsonValue, depth: number): readonly JsonValue[] | null {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  if (!isJsonObject(value) || depth >= deepestList) return null;
  for (const key of listKeys) {
    const inner = Object.hasOwn(value, key) ? value[key] : undefined;
    const list = inner === undefined ? null : listIn(inner, depth + 1);
    if (list !== null) return list;
  }
  return null;
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    const lines = jsonLines(text);
    if (lines !== null) return lines;
    throw new UsageError('The file begins like JSON but is damaged or cut off.', { cause: error });
  }
}

/** The objects of JSON Lines; null when the first line is none. */
function jsonLines(text: string): JsonValue[] | null {
  const found: JsonValue[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    try {
      const value = parseJson(line);
      if (found.length === 0 && !isJsonObject(value)) return null;
      found.push(value);
    } catch (error) {
      if (found.length === 0) return null;
      throw new UsageError(`Line ${index + 1} is no JSON, though the lines before it are: mend it and try again.`, {
        cause: error,
      });
    }
  }
  return found;
}
