import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { type Bench, courierOf, type FictionalNumbers, numbersOf, paths, query, rejectionMessage } from './bench.ts';
import { type Check, differs, held, heldUnless, skipped } from './check.ts';
import type { RawResponse } from './raw-service.ts';
import { checkpointsOf } from './record-checks.ts';
import { envelope, record, retracked, shapeErrors } from './shapes.ts';

const toJson = (value: JsonValue | undefined): string => JSON.stringify(value ?? null);

const namedKey = async (bench: Bench): Promise<{ trackNo: string; courierCode: string } | null> => {
  const [courierCode] = await bench.courierCodes();
  return courierCode === undefined ? null : { trackNo: bench.numbers.named, courierCode };
};

const dataOf = ({ body }: RawResponse): JsonObject => (isJsonObject(body['data']) ? body['data'] : {});

const success = (response: RawResponse): readonly string[] => [
  ...shapeErrors(envelope, response.body, 'response'),
  ...(response.rejected.length === 0 ? [] : [`rejected ${toJson(response.rejected)}`]),
];

/** Creates a check of an operation on the number that is registered with its courier. */
function namedCheck(
  title: string,
  run: (bench: Bench, key: { readonly trackNo: string; readonly courierCode: string }) => ReturnType<Check['run']>,
): Check {
  return {
    title,
    basis: 'observed',
    section: 'Delete, edit, change carrier',
    writes: true,
    run: async (bench) => {
      const key = await namedKey(bench);
      return key === null ? skipped('Get Carriers returns no courier') : run(bench, key);
    },
  };
}

/** Checks that a number is not in the account. */
async function checkGone(bench: Bench, trackNo: string): ReturnType<Check['run']> {
  const response = await query(bench, [trackNo]);
  const message = rejectionMessage(response, trackNo);
  return message !== null && response.content.length === 0 ? held(message) : differs(toJson(response.content[0]));
}

const idOf = async (bench: Bench): Promise<string> =>
  String((await query(bench, [bench.numbers.named])).content[0]?.['id']);

/** All numbers that a check may have registered, including those that a service should have rejected. */
const possiblyRegistered = ({
  named,
  detected,
  twin,
  paged,
  badCourier,
  undetectable,
}: FictionalNumbers): readonly string[] => [...[named, detected, twin, badCourier, undetectable], ...paged];

/** Refresh, instant, edit, change courier, delete; in that order, because each needs the result of the previous one. */
export const accountChecks: readonly Check[] = [
  namedCheck('refresh counts, and says when the courier was queried', async ({ service }, key) => {
    const response = await service.call(paths.refresh, key);
    const data = dataOf(response);
    const counted = data['success'] === true ? [] : [`success is ${toJson(data['success'])}`];
    return heldUnless([...success(response), ...shapeErrors(retracked, data, 'data'), ...counted], toJson(data));
  }),
  namedCheck('a second refresh within six hours does not count', async ({ service }, key) => {
    const response = await service.call(paths.refresh, key);
    const data = dataOf(response);
    return data['success'] === false
      ? heldUnless(shapeErrors(retracked, data, 'data'), toJson(data))
      : differs(response.summary);
  }),
  namedCheck('refresh of several numbers reports on each', async ({ service, numbers }) => {
    const response = await service.call(
      paths.refreshBatch,
      [...numbers.paged, numbers.stranger].map((trackNo) => ({ trackNo })),
    );
    const entries = Array.isArray(response.accepted) ? response.accepted.filter(isJsonObject) : [];
    const errors = entries.flatMap((entry) => shapeErrors(retracked, entry, 'entry'));
    const reported = toJson([...numbersOf(entries)].sort());
    const mismatch = reported === toJson([...numbers.paged].sort()) ? [] : [`reports on ${reported}`];
    const stranger =
      rejectionMessage(response, numbers.stranger) === null
        ? ['the number that is not registered is not rejected']
        : [];
    return heldUnless(
      [...shapeErrors(envelope, response.body, 'response'), ...errors, ...mismatch, ...stranger],
      reported,
    );
  }),
  namedCheck('instant tracking returns one record, not a list', async ({ service, numbers }, { courierCode }) => {
    const response = await service.call(paths.instant, { trackNo: numbers.instant, courierCode });
    const { accepted } = response;
    if (!isJsonObject(accepted) || 'content' in accepted) return differs(`${response.summary}, ${toJson(accepted)}`);
    const { id: _id, createTime: _createTime, ...reported } = record.entries;
    const shape = { ...record, entries: reported } as typeof record;
    const mismatch = accepted['trackNo'] === numbers.instant ? [] : [`trackNo ${toJson(accepted['trackNo'])}`];
    return heldUnless(
      [...success(response), ...shapeErrors(shape, accepted, 'accepted'), ...mismatch],
      toJson(accepted),
    );
  }),
  namedCheck('instant tracking translates events into the requested language', async (bench, { courierCode }) => {
    const { service, numbers } = bench;
    const [listed] = numbersOf(await bench.listed());
    const number = listed === undefined ? { trackNo: numbers.instant, courierCode } : { trackNo: listed };
    const response = await service.call(paths.instant, { ...number, lang: 'th' });
    const events = isJsonObject(response.accepted) ? checkpointsOf(response.accepted) : [];
    if (response.isSuccess && events.length === 0) return skipped('the courier reports no events');
    const untranslated = events.filter(
      ({ eventDetailTranslation }) => typeof eventDetailTranslation !== 'string',
    ).length;
    const errors = untranslated === 0 ? [] : [`${untranslated} of ${events.length} events without a translation`];
    return heldUnless([...success(response), ...errors], `${events.length} events translated`);
  }),
  namedCheck('instant tracking stores nothing', (bench) => checkGone(bench, bench.numbers.instant)),
  namedCheck('edit accepts a remark', async (bench, key) => {
    const before = await idOf(bench);
    const response = await bench.service.call(paths.edit, { ...key, remark: 'conformance' });
    const after = await idOf(bench);
    return heldUnless(
      [...success(response), ...(before === after ? [] : [`id ${before} became ${after}`])],
      response.summary,
    );
  }),
  namedCheck('an edited remark is in the record', async (bench) => {
    const remark = (await query(bench, [bench.numbers.named])).content[0]?.['remark'];
    return remark === 'conformance' ? held(toJson(remark)) : differs(toJson(remark));
  }),
  namedCheck('edit accepts every merchant field, and the record contains them', async (bench, key) => {
    const fields = { orderNo: `E-${key.trackNo}`, customerEmail: 'a@b.example', custom1: 'one', custom2: 'two' };
    const response = await bench.service.call(paths.edit, { ...key, ...fields, shipTime: '2026-11-20 14:30:00' });
    const [found = {}] = (await query(bench, [key.trackNo])).content;
    const missing = Object.entries(fields).filter(([name, text]) => found[name] !== text);
    return heldUnless(
      [...success(response), ...missing.map(([name]) => `${name} is ${toJson(found[name])}`)],
      toJson(found['orderNo']),
    );
  }),
  namedCheck('edit with an empty string removes a field', async (bench, key) => {
    const response = await bench.service.call(paths.edit, { ...key, remark: '', custom1: '' });
    const [found = {}] = (await query(bench, [key.trackNo])).content;
    const remaining = ['remark', 'custom1'].filter((name) => (found[name] ?? '') !== '');
    return heldUnless(
      [...success(response), ...remaining.map((name) => `${name} is still ${toJson(found[name])}`)],
      response.summary,
    );
  }),
  namedCheck('editing an unregistered number is rejected', async ({ service, numbers }, { courierCode }) => {
    const response = await service.call(paths.edit, { trackNo: numbers.stranger, courierCode, remark: 'x' });
    const isRejected = rejectionMessage(response, numbers.stranger) !== null || !response.isSuccess;
    return isRejected ? held(toJson(response.rejected)) : differs(response.summary);
  }),
  namedCheck('change courier moves the number', async (bench, key) => {
    const [, newCourierCode] = await bench.courierCodes();
    if (newCourierCode === undefined) return skipped('Get Carriers returns only one courier');
    const response = await bench.service.call(paths.changeCourier, { ...key, newCourierCode });
    const { content } = await query(bench, [key.trackNo]);
    const reported = content.map(courierOf).join(', ');
    return heldUnless([...success(response), ...(reported === newCourierCode ? [] : [`now ${reported}`])], reported);
  }),
  namedCheck('changing to an unknown courier is rejected', async (bench, { trackNo }) => {
    const [, courierCode = ''] = await bench.courierCodes();
    const body = { trackNo, courierCode, newCourierCode: 'no-such-courier' };
    const response = await bench.service.call(paths.changeCourier, body);
    const isRejected = rejectionMessage(response, trackNo) !== null || !response.isSuccess;
    return isRejected ? held(toJson(response.rejected)) : differs(response.summary);
  }),
  {
    title: 'delete accepts several numbers',
    basis: 'observed',
    section: 'Delete, edit, change carrier',
    writes: true,
    run: async (bench) => {
      const { service, numbers } = bench;
      const numbersToDelete = possiblyRegistered(numbers);
      // With each number's courier, because some services do not accept a number alone.
      const keys = (await query(bench, numbersToDelete)).content.map((entry) => ({
        trackNo: String(entry['trackNo']),
        courierCode: courierOf(entry),
      }));
      if (keys.length === 0) return skipped('none of them is registered');
      const response = await service.call(paths.delete, keys);
      return heldUnless(success(response), `${keys.length} deleted`);
    },
  },
  {
    title: 'deleted numbers are no longer registered',
    basis: 'stated',
    section: 'Rejections',
    writes: true,
    run: async (bench) => {
      const { numbers } = bench;
      const deleted = possiblyRegistered(numbers);
      const response = await query(bench, deleted);
      const remaining = numbersOf(response.content);
      return remaining.length === 0 && response.rejected.length === deleted.length
        ? held(`${deleted.length} rejected`)
        : differs(`still there: ${remaining.join(', ')}`);
    },
  },
  namedCheck('deleting an unregistered number is rejected', async ({ service, numbers }, { courierCode }) => {
    const response = await service.call(paths.delete, [{ trackNo: numbers.stranger, courierCode }]);
    const isRejected = rejectionMessage(response, numbers.stranger) !== null || !response.isSuccess;
    return isRejected ? held(toJson(response.rejected)) : differs(response.summary);
  }),
];
