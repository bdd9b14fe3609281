import { parseOffset, parseWallTime } from '../../src/lib/date-time.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { coreStatuses } from '../../src/service/status.ts';
import { type Check, type Finding, type Heading, heldUnless, skipped } from './check.ts';
import { record, shapeErrors } from './shapes.ts';

/** Returns a record's checkpoints, in the order of the record. */
export const checkpointsOf = (entry: JsonObject): readonly JsonObject[] => {
  const info = entry['localLogisticsInfo'];
  const details: JsonValue = isJsonObject(info) ? (info['trackingDetails'] ?? []) : [];
  return Array.isArray(details) ? details.filter(isJsonObject) : [];
};

const textOf = (entry: JsonObject, name: string): string | null => {
  const value = entry[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Creates a check of every record of the account. */
function recordCheck(
  title: string,
  section: Heading,
  errorsIn: (entry: JsonObject) => readonly string[],
  basis: Check['basis'] = 'stated',
): Check {
  return {
    title,
    basis,
    section,
    run: async (bench): Promise<Finding> => {
      const records = await bench.listed();
      if (records.length === 0) return skipped('the account is empty');
      const checkpoints = records.flatMap(checkpointsOf).length;
      const errors = records.flatMap((entry) =>
        errorsIn(entry).map((error) => `${String(entry['trackNo'])}: ${error}`),
      );
      return heldUnless(errors, `${records.length} records, ${checkpoints} checkpoints`);
    },
  };
}

function orderErrors(entry: JsonObject): readonly string[] {
  const times = checkpointsOf(entry).map((checkpoint) => Date.parse(textOf(checkpoint, 'eventTimeZeroUTC') ?? ''));
  return times.flatMap((at, index) => {
    const before = times[index - 1];
    return before !== undefined && before < at ? [`checkpoint ${index} is newer than the one before it`] : [];
  });
}

function timeErrors(entry: JsonObject): readonly string[] {
  return checkpointsOf(entry).flatMap((checkpoint) => {
    const local = parseWallTime(textOf(checkpoint, 'eventTime'));
    const offset = parseOffset(textOf(checkpoint, 'timezone'));
    const utc = Date.parse(textOf(checkpoint, 'eventTimeZeroUTC') ?? '');
    if (local === null || offset === null || Number.isNaN(utc)) return [];
    return Math.abs(local - offset * 60_000 - utc) > 60_000
      ? [
          `${textOf(checkpoint, 'eventTime')} ${textOf(checkpoint, 'timezone')} is not ${textOf(checkpoint, 'eventTimeZeroUTC')}`,
        ]
      : [];
  });
}

function subStatusErrors(entry: JsonObject): readonly string[] {
  return [entry, ...checkpointsOf(entry)].flatMap((source) => {
    const subStatus = textOf(source, 'transitSubStatus');
    return subStatus === null || /^[A-Z_]+_\d\d$/.test(subStatus) ? [] : [`sub-status ${subStatus}`];
  });
}

function statusErrors(entry: JsonObject): readonly string[] {
  const status = textOf(entry, 'transitStatus');
  return status === null || Object.hasOwn(coreStatuses, status) ? [] : [`status ${status}`];
}

/** Checks the shape of the account's records. */
export const recordChecks: readonly Check[] = [
  recordCheck('records have the stated fields, types and formats', 'The record', (entry) =>
    shapeErrors(record, entry, 'record'),
  ),
  recordCheck('checkpoints are listed newest first', 'The record', orderErrors),
  recordCheck('local time, offset and UTC time of a checkpoint agree', 'The record', timeErrors),
  recordCheck('sub-statuses have the form <CORE_STATUS>_<two digits>', 'Statuses', subStatusErrors),
  recordCheck('core statuses are known', 'Statuses', statusErrors, 'observed'),
];
