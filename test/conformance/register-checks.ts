import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { measureServiceClock } from '../../src/service/service-clock.ts';
import { type Bench, courierOf, isUnindexed, numbersOf, paths, query, queryIndexed, wordsAbout } from './bench.ts';
import { type Check, differs, type Heading, held, skipped, unless } from './check.ts';
import type { RawAnswer } from './raw-service.ts';
import { complaintsOf, envelope, page, record, rejection } from './shapes.ts';

type RegisterPath = (typeof paths)['register' | 'registerV21'];

const register = ({ service }: Bench, items: readonly JsonObject[], path: RegisterPath = paths.register) =>
  service.call(path, items);

const short = (value: JsonValue | undefined): string => JSON.stringify(value ?? null);

const echoOf = ({ accepted }: RawAnswer, trackNo: string): JsonObject | undefined =>
  (Array.isArray(accepted) ? accepted : []).filter(isJsonObject).find((entry) => entry['trackNo'] === trackNo);

/** Registers one item and compares the response with it. */
function echoCheck(
  title: string,
  path: RegisterPath,
  section: Heading,
  itemOf: (bench: Bench) => Promise<JsonObject | null>,
): Check {
  return {
    title,
    basis: 'observed',
    section,
    writes: true,
    run: async (bench) => {
      const item = await itemOf(bench);
      if (item === null) return skipped('Get Carriers names too few couriers');
      const answer = await register(bench, [item], path);
      const echo = echoOf(answer, String(item['trackNo']));
      if (echo !== undefined) bench.accepted.add(String(item['trackNo']));
      const missing = Object.entries(item).filter(([name, value]) => short(echo?.[name]) !== short(value));
      return unless(
        [
          ...complaintsOf(envelope, answer.body, 'answer'),
          ...missing.map(([name]) => `${name} is echoed as ${short(echo?.[name])}`),
        ],
        short(echo),
      );
    },
  };
}

/** Registers one item that the service should reject in a successful call. */
function rejectedCheck(title: string, words: RegExp, itemOf: (bench: Bench) => JsonObject): Check {
  return {
    title,
    basis: 'observed',
    section: 'Register',
    writes: true,
    run: async (bench) => {
      const item = itemOf(bench);
      const answer = await register(bench, [item]);
      const reported = wordsAbout(answer, String(item['trackNo']));
      if (reported === null || !answer.isSuccess)
        return differs(`not rejected: ${answer.words}, ${short(answer.accepted)}`);
      const complaints = answer.rejected.flatMap((entry) => complaintsOf(rejection, entry, 'rejected'));
      return unless([...complaints, ...(words.test(reported) ? [] : [`says ${short(reported)}`])], reported);
    },
  };
}

/** A new number's courier code after the service has detected it, or null if that takes too long. */
async function settledCourier(bench: Bench, trackNo: string): Promise<string | null> {
  for (let tries = 0; tries < 10; tries += 1) {
    const { content } = await query(bench, [trackNo]);
    const code = content.map(courierOf).find((found) => found !== null);
    if (code !== undefined) return code;
    await new Promise<void>((resolve) => void bench.clock.setTimer(1000, resolve));
  }
  return null;
}

/** Registration, and queries of registered numbers, in that order. */
export const registerChecks: readonly Check[] = [
  echoCheck('register v2 takes a number with its courier and echoes it', paths.register, 'Register', async (bench) => {
    const [courierCode] = await bench.courierCodes();
    return courierCode === undefined ? null : { trackNo: bench.numbers.named, courierCode };
  }),
  echoCheck('register v2 takes a number alone', paths.register, 'Register', async ({ numbers }) => ({
    trackNo: numbers.detected,
  })),
  echoCheck(
    'register v2 echoes postal code, phone suffix and order number',
    paths.register,
    'Register',
    async (bench) => {
      const [courierCode] = await bench.courierCodes();
      const [trackNo = ''] = bench.numbers.paged;
      const extras = { postalCode: '1234 AB', extendFieldMap: { phoneSuffix: '6789' }, orderNo: `O-${trackNo}` };
      return courierCode === undefined ? null : { trackNo, courierCode, ...extras };
    },
  ),
  echoCheck('register v2.1 does the same', paths.registerV21, 'Register', async (bench) => {
    const [courierCode] = await bench.courierCodes();
    return courierCode === undefined ? null : { trackNo: bench.numbers.twin, courierCode };
  }),
  echoCheck('one number can be registered under a second courier', paths.registerV21, 'Register', async (bench) => {
    const [, courierCode] = await bench.courierCodes();
    return courierCode === undefined ? null : { trackNo: bench.numbers.twin, courierCode };
  }),
  {
    title: 'register takes several numbers in one call',
    basis: 'stated',
    section: 'Register',
    writes: true,
    run: async (bench) => {
      const [courierCode] = await bench.courierCodes();
      const [, ...others] = bench.numbers.paged;
      const answer = await register(
        bench,
        others.map((trackNo) => (courierCode === undefined ? { trackNo } : { trackNo, courierCode })),
      );
      return unless(complaintsOf(envelope, answer.body, 'answer'), answer.words);
    },
  },
  rejectedCheck('a number that is registered already is rejected as imported', /has been imported/i, ({ numbers }) => ({
    trackNo: numbers.detected,
  })),
  rejectedCheck('an unknown courier code is rejected', /unsupported/i, ({ numbers }) => ({
    trackNo: numbers.badCourier,
    courierCode: 'no-such-courier',
  })),
  rejectedCheck('an empty number is rejected', /./, () => ({ trackNo: '' })),
  {
    title: 'a number whose courier cannot be detected does not stay registered',
    basis: 'observed',
    section: 'Register',
    writes: true,
    run: async (bench) => {
      const trackNo = bench.numbers.undetectable;
      const words = wordsAbout(await register(bench, [{ trackNo }]), trackNo);
      const { content } = await query(bench, [trackNo]);
      return content.length === 0 ? held(words ?? 'accepted, then not registered') : differs(short(content[0]));
    },
  },
  {
    title: 'a registered number is in content, with id, number and time of creation',
    basis: 'stated',
    section: 'The record',
    writes: true,
    run: async (bench) => {
      const answer = await queryIndexed(bench, bench.numbers.named);
      if (isUnindexed(bench, answer, bench.numbers.named)) return skipped('accepted, and not indexed within a minute');
      const { accepted, content, rejected } = answer;
      const [found] = content;
      if (content.length !== 1 || rejected.length > 0) return differs(short({ content, rejected }));
      return unless(
        [...complaintsOf(page, accepted, 'accepted'), ...complaintsOf(record, found, 'record')],
        short(found),
      );
    },
  },
  {
    title: 'the courier of a number that came without one is detected',
    basis: 'stated',
    section: 'Register',
    writes: true,
    run: async (bench) => {
      const code = await settledCourier(bench, bench.numbers.detected);
      return code === null ? skipped('not within ten seconds') : held(code);
    },
  },
  {
    title: 'the time of creation is now, on a clock of whole quarters of an hour',
    basis: 'observed',
    section: 'Clocks',
    writes: true,
    run: async (bench) => {
      const [found] = (await query(bench, [bench.numbers.named])).content;
      const createTime = String(found?.['createTime']);
      const clock = measureServiceClock(createTime, bench.clock.now());
      return clock === null ? differs(createTime) : held(`${createTime}, ${clock.offsetMinutes} minutes ahead of UTC`);
    },
  },
  {
    title: 'a query of registered and other numbers puts each where it belongs',
    basis: 'stated',
    section: 'Rejections',
    writes: true,
    run: async (bench) => {
      const { named, detected, stranger } = bench.numbers;
      const { content, rejected } = await query(bench, [named, stranger, detected]);
      const reported = { content: [...numbersOf(content)].sort(), rejected: numbersOf(rejected) };
      const wanted = { content: [named, detected].sort(), rejected: [stranger] };
      return short(reported) === short(wanted) ? held(short(reported)) : differs(short(reported));
    },
  },
  {
    title: 'a query of a number and its courier returns that courier’s record',
    basis: 'observed',
    section: 'Query',
    writes: true,
    run: async (bench) => {
      const codes = (await bench.courierCodes()).slice(0, 2);
      if (codes.length < 2) return skipped('Get Carriers names too few couriers');
      const reported: string[] = [];
      for (const code of codes) {
        const { content } = await query(bench, [bench.numbers.twin], {}, code);
        reported.push(content.map(courierOf).join('+'));
      }
      return reported.join(', ') === codes.join(', ') ? held(reported.join(', ')) : differs(reported.join(', '));
    },
  },
  {
    title: 'pages of two follow each other by the cursor',
    basis: 'observed',
    section: 'Query',
    writes: true,
    run: async (bench) => {
      const { paged } = bench.numbers;
      const first = await query(bench, paged, { queryPageSize: 2 });
      const cursor = isJsonObject(first.accepted) ? first.accepted['cursor'] : undefined;
      const second = await query(bench, paged, { queryPageSize: 2, cursor: cursor ?? '' });
      const reported = [...numbersOf(first.content), ...numbersOf(second.content)];
      const complaints = [first, second].flatMap(({ accepted }) => complaintsOf(page, accepted, 'accepted'));
      const isWhole = first.content.length === 2 && short([...reported].sort()) === short([...paged].sort());
      return unless(
        [...complaints, ...(isWhole ? [] : [`pages of ${reported.join(', ')}`])],
        `cursor ${short(cursor)}`,
      );
    },
  },
];
