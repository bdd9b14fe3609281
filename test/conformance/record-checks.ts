import { parseOffset, parseWallTime } from '../../src/lib/date-time.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { coreStatuses } from '../../src/service/status.ts';
import { type Check, type Finding, type Heading, skipped, unless } from './check.ts';
import { complaintsOf, record } from './shapes.ts';

/** A record's checkpoints, in its order. */
export const checkpointsOf = (entry: JsonObject): readonly JsonObject[] => {
  const info = entry['localLogisticsInfo'];
  const details: JsonValue = isJsonObject(info) ? (info['trackingDetails'] ?? []) : [];
  return Array.isArray(details) ? details.filter(isJsonObject) : [];
};

const textOf = (entry: JsonObject, name: string): string | null => {
  const value = entry[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** A statement about every record of the account. */
function recordCheck(
  title: string,
  section: Heading,
  complaintsAbout: (entry: JsonObject) => readonly string[],
  basis: Check['basis'] = 'stated',
): Check {
  return {
    title,
    basis,
    section,
    run: async (bench): Promise<Finding> => {
      const records = await bench.listed();
      if (records.length === 0) return skipped('the account holds nothing');
      const checkpoints = records.flatMap(checkpointsOf).length;
      const complaints = records.flatMap((entry) =>
        complaintsAbout(entry).map((complaint) => `${String(entry['trackNo'])}: ${complaint}`),
      );
      return unless(complaints, `${records.length} records, ${checkpoints} checkpoints`);
    },
  };
}

function wrongOrder(entry: JsonObject): readonly string[] {
  const times = checkpointsOf(entry).map((checkpoint) => Date.parse(textOf(checkpoint, 'eventTimeZeroUTC') ?? ''));
  return times.flatMap((at, index) => {
    const before = times[index - 1];
    return before !== undefined && before < at ? [`checkpoint ${index} is newer than the one before it`] : [];
  });
}

function disagreeingTimes(entry: JsonObject): readonly string[] {
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

function oddSubStatuses(entry: JsonObject): readonly string[] {
  return [entry, ...checkpointsOf(entry)].flatMap((holder) => {
    const subStatus = textOf(holder, 'transitSubStatus');
    return subStatus === null || /^[A-Z_]+_\d\d$/.test(subStatus) ? [] : [`sub-status ${subStatus}`];
  });
}

function unknownStatus(entry: JsonObject): readonly string[] {
  const status = textOf(entry, 'transitStatus');
  return status === null || Object.hasOwn(coreStatuses, status) ? [] : [`status ${status}`];
}

/** The shape of records, checked with those of the account. */
export const recordChecks: readonly Check[] = [
  recordCheck('records have the stated fields, in their types and formats', 'The record', (entry) =>
    complaintsOf(record, entry, 'record'),
  ),
  recordCheck('checkpoints stand newest first', 'The record', wrongOrder),
  recordCheck('local time, offset and UTC time of a checkpoint agree', 'The record', disagreeingTimes),
  recordCheck('sub-statuses have the form <CORE_STATUS>_<two digits>', 'Statuses', oddSubStatuses),
  recordCheck('core statuses are known ones', 'Statuses', unknownStatus, 'observed'),
];
