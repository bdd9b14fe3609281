import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { type Bench, courierOf, type InventedNumbers, numbersOf, paths, query, wordsAbout } from './bench.ts';
import { type Check, differs, held, skipped, unless } from './check.ts';
import type { RawAnswer } from './raw-service.ts';
import { checkpointsOf } from './record-checks.ts';
import { complaintsOf, envelope, record, retracked } from './shapes.ts';

const short = (value: JsonValue | undefined): string => JSON.stringify(value ?? null);

const namedKey = async (bench: Bench): Promise<{ trackNo: string; courierCode: string } | null> => {
  const [courierCode] = await bench.courierCodes();
  return courierCode === undefined ? null : { trackNo: bench.numbers.named, courierCode };
};

const dataOf = ({ body }: RawAnswer): JsonObject => (isJsonObject(body['data']) ? body['data'] : {});

const success = (answer: RawAnswer): readonly string[] => [
  ...complaintsOf(envelope, answer.body, 'answer'),
  ...(answer.rejected.length === 0 ? [] : [`rejected ${short(answer.rejected)}`]),
];

/** A check of one operation on the number that is registered with its courier. */
function onNamed(
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
      return key === null ? skipped('Get Carriers names no courier') : run(bench, key);
    },
  };
}

/** Whether a registered number has left the account. */
async function whetherGone(bench: Bench, trackNo: string): ReturnType<Check['run']> {
  const answer = await query(bench, [trackNo]);
  const words = wordsAbout(answer, trackNo);
  return words !== null && answer.content.length === 0 ? held(words) : differs(short(answer.content[0]));
}

const idOf = async (bench: Bench): Promise<string> =>
  String((await query(bench, [bench.numbers.named])).content[0]?.['id']);

/** All numbers that a check may have registered, including those that a service should have rejected. */
const everRegistered = ({
  named,
  detected,
  twin,
  paged,
  badCourier,
  undetectable,
}: InventedNumbers): readonly string[] => [...[named, detected, twin, badCourier, undetectable], ...paged];

/** Refresh, instant, edit, change courier, delete; in that order, since each needs the result of the previous one. */
export const accountChecks: readonly Check[] = [
  onNamed('refresh counts, and says when the courier was queried', async ({ service }, key) => {
    const answer = await service.call(paths.refresh, key);
    const data = dataOf(answer);
    const counted = data['success'] === true ? [] : [`success is ${short(data['success'])}`];
    return unless([...success(answer), ...complaintsOf(retracked, data, 'data'), ...counted], short(data));
  }),
  onNamed('refresh within six hours does not count', async ({ service }, key) => {
    const answer = await service.call(paths.refresh, key);
    const data = dataOf(answer);
    return data['success'] === false
      ? unless(complaintsOf(retracked, data, 'data'), short(data))
      : differs(answer.words);
  }),
  onNamed('refresh of several numbers reports on each', async ({ service, numbers }) => {
    const answer = await service.call(
      paths.refreshBatch,
      [...numbers.paged, numbers.stranger].map((trackNo) => ({ trackNo })),
    );
    const entries = Array.isArray(answer.accepted) ? answer.accepted.filter(isJsonObject) : [];
    const complaints = entries.flatMap((entry) => complaintsOf(retracked, entry, 'entry'));
    const reported = short([...numbersOf(entries)].sort());
    const wrong = reported === short([...numbers.paged].sort()) ? [] : [`reports on ${reported}`];
    const stranger =
      wordsAbout(answer, numbers.stranger) === null ? ['the number that is not registered is not rejected'] : [];
    return unless([...complaintsOf(envelope, answer.body, 'answer'), ...complaints, ...wrong, ...stranger], reported);
  }),
  onNamed('instant tracking returns one record, not a list', async ({ service, numbers }, { courierCode }) => {
    const answer = await service.call(paths.instant, { trackNo: numbers.instant, courierCode });
    const { accepted } = answer;
    if (!isJsonObject(accepted) || 'content' in accepted) return differs(`${answer.words}, ${short(accepted)}`);
    const { id: _id, createTime: _createTime, ...reported } = record.entries;
    const shape = { ...record, entries: reported } as typeof record;
    const wrong = accepted['trackNo'] === numbers.instant ? [] : [`trackNo ${short(accepted['trackNo'])}`];
    return unless([...success(answer), ...complaintsOf(shape, accepted, 'accepted'), ...wrong], short(accepted));
  }),
  onNamed('instant tracking translates events into the language that is requested', async (bench, { courierCode }) => {
    const { service, numbers } = bench;
    const [listed] = numbersOf(await bench.listed());
    const wanted = listed === undefined ? { trackNo: numbers.instant, courierCode } : { trackNo: listed };
    const answer = await service.call(paths.instant, { ...wanted, lang: 'th' });
    const events = isJsonObject(answer.accepted) ? checkpointsOf(answer.accepted) : [];
    if (answer.isSuccess && events.length === 0) return skipped('the courier reports no event');
    const lacking = events.filter(({ eventDetailTranslation }) => typeof eventDetailTranslation !== 'string').length;
    const complaints = lacking === 0 ? [] : [`${lacking} of ${events.length} events without a translation`];
    return unless([...success(answer), ...complaints], `${events.length} events translated`);
  }),
  onNamed('instant tracking stores nothing', (bench) => whetherGone(bench, bench.numbers.instant)),
  onNamed('edit takes a remark', async (bench, key) => {
    const before = await idOf(bench);
    const answer = await bench.service.call(paths.edit, { ...key, remark: 'conformance' });
    const after = await idOf(bench);
    return unless([...success(answer), ...(before === after ? [] : [`id ${before} became ${after}`])], answer.words);
  }),
  onNamed('an edited remark is in the record', async (bench) => {
    const remark = (await query(bench, [bench.numbers.named])).content[0]?.['remark'];
    return remark === 'conformance' ? held(short(remark)) : differs(short(remark));
  }),
  onNamed('edit takes every field of a merchant, and the record has them', async (bench, key) => {
    const texts = { orderNo: `E-${key.trackNo}`, customerEmail: 'a@b.example', custom1: 'one', custom2: 'two' };
    const answer = await bench.service.call(paths.edit, { ...key, ...texts, shipTime: '2026-11-20 14:30:00' });
    const [found = {}] = (await query(bench, [key.trackNo])).content;
    const missing = Object.entries(texts).filter(([name, text]) => found[name] !== text);
    return unless(
      [...success(answer), ...missing.map(([name]) => `${name} is ${short(found[name])}`)],
      short(found['orderNo']),
    );
  }),
  onNamed('edit with an empty string removes a field', async (bench, key) => {
    const answer = await bench.service.call(paths.edit, { ...key, remark: '', custom1: '' });
    const [found = {}] = (await query(bench, [key.trackNo])).content;
    const left = ['remark', 'custom1'].filter((name) => (found[name] ?? '') !== '');
    return unless([...success(answer), ...left.map((name) => `${name} is still ${short(found[name])}`)], answer.words);
  }),
  onNamed('edit of a number that is not registered is rejected', async ({ service, numbers }, { courierCode }) => {
    const answer = await service.call(paths.edit, { trackNo: numbers.stranger, courierCode, remark: 'x' });
    const isRefused = wordsAbout(answer, numbers.stranger) !== null || !answer.isSuccess;
    return isRefused ? held(short(answer.rejected)) : differs(answer.words);
  }),
  onNamed('change courier moves the number', async (bench, key) => {
    const [, newCourierCode] = await bench.courierCodes();
    if (newCourierCode === undefined) return skipped('Get Carriers names one courier only');
    const answer = await bench.service.call(paths.changeCourier, { ...key, newCourierCode });
    const { content } = await query(bench, [key.trackNo]);
    const reported = content.map(courierOf).join(', ');
    return unless([...success(answer), ...(reported === newCourierCode ? [] : [`now ${reported}`])], reported);
  }),
  onNamed('change courier to an unknown one is rejected', async (bench, { trackNo }) => {
    const [, courierCode = ''] = await bench.courierCodes();
    const body = { trackNo, courierCode, newCourierCode: 'no-such-courier' };
    const answer = await bench.service.call(paths.changeCourier, body);
    const isRefused = wordsAbout(answer, trackNo) !== null || !answer.isSuccess;
    return isRefused ? held(short(answer.rejected)) : differs(answer.words);
  }),
  {
    title: 'delete takes several numbers',
    basis: 'observed',
    section: 'Delete, edit, change carrier',
    writes: true,
    run: async (bench) => {
      const { service, numbers } = bench;
      const wanted = everRegistered(numbers);
      // With each number's courier, because some services do not accept a number alone.
      const keys = (await query(bench, wanted)).content.map((entry) => ({
        trackNo: String(entry['trackNo']),
        courierCode: courierOf(entry),
      }));
      if (keys.length === 0) return skipped('none of them is registered');
      const answer = await service.call(paths.delete, keys);
      return unless(success(answer), `${keys.length} deleted`);
    },
  },
  {
    title: 'what was deleted is not registered any more',
    basis: 'stated',
    section: 'Rejections',
    writes: true,
    run: async (bench) => {
      const { numbers } = bench;
      const wanted = everRegistered(numbers);
      const answer = await query(bench, wanted);
      const left = numbersOf(answer.content);
      return left.length === 0 && answer.rejected.length === wanted.length
        ? held(`${wanted.length} rejected`)
        : differs(`still there: ${left.join(', ')}`);
    },
  },
  onNamed('delete of a number that is not registered is rejected', async ({ service, numbers }, { courierCode }) => {
    const answer = await service.call(paths.delete, [{ trackNo: numbers.stranger, courierCode }]);
    const isRefused = wordsAbout(answer, numbers.stranger) !== null || !answer.isSuccess;
    return isRefused ? held(short(answer.rejected)) : differs(answer.words);
  }),
];
