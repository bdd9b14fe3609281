import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { measureServiceClock } from '../../src/service/service-clock.ts';
import {
  type Bench,
  courierOf,
  isUnindexed,
  numbersOf,
  paths,
  query,
  queryIndexed,
  rejectionMessage,
} from './bench.ts';
import { type Check, differs, type Heading, held, heldUnless, skipped } from './check.ts';
import type { RawResponse } from './raw-service.ts';
import { envelope, page, record, rejection, shapeErrors } from './shapes.ts';

type RegisterPath = (typeof paths)['register' | 'registerV21'];

const register = ({ service }: Bench, items: readonly JsonObject[], path: RegisterPath = paths.register) =>
  service.call(path, items);

const toJson = (value: JsonValue | undefined): string => JSON.stringify(value ?? null);

const echoOf = ({ accepted }: RawResponse, trackNo: string): JsonObject | undefined =>
  (Array.isArray(accepted) ? accepted : []).filter(isJsonObject).find((entry) => entry['trackNo'] === trackNo);

/** Creates a check that registers one item and compares it with its echo in the response. */
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
      if (item === null) return skipped('Get Carriers returns too few couriers');
      const response = await register(bench, [item], path);
      const echo = echoOf(response, String(item['trackNo']));
      if (echo !== undefined) bench.accepted.add(String(item['trackNo']));
      const missing = Object.entries(item).filter(([name, value]) => toJson(echo?.[name]) !== toJson(value));
      return heldUnless(
        [
          ...shapeErrors(envelope, response.body, 'response'),
          ...missing.map(([name]) => `${name} is echoed as ${toJson(echo?.[name])}`),
        ],
        toJson(echo),
      );
    },
  };
}

/** Creates a check that registers one item, which the service should reject in a successful call. */
function rejectedCheck(title: string, message: RegExp, itemOf: (bench: Bench) => JsonObject): Check {
  return {
    title,
    basis: 'observed',
    section: 'Register',
    writes: true,
    run: async (bench) => {
      const item = itemOf(bench);
      const response = await register(bench, [item]);
      const reported = rejectionMessage(response, String(item['trackNo']));
      if (reported === null || !response.isSuccess)
        return differs(`not rejected: ${response.summary}, ${toJson(response.accepted)}`);
      const errors = response.rejected.flatMap((entry) => shapeErrors(rejection, entry, 'rejected'));
      return heldUnless([...errors, ...(message.test(reported) ? [] : [`says ${toJson(reported)}`])], reported);
    },
  };
}

/** Waits until the service has detected a new number's courier. Returns its code, or null if that takes too long. */
async function waitForCourier(bench: Bench, trackNo: string): Promise<string | null> {
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
  echoCheck(
    'register v2 accepts a number with its courier, and echoes it',
    paths.register,
    'Register',
    async (bench) => {
      const [courierCode] = await bench.courierCodes();
      return courierCode === undefined ? null : { trackNo: bench.numbers.named, courierCode };
    },
  ),
  echoCheck('register v2 accepts a number without a courier', paths.register, 'Register', async ({ numbers }) => ({
    trackNo: numbers.detected,
  })),
  echoCheck(
    'register v2 echoes the postal code, phone suffix and order number',
    paths.register,
    'Register',
    async (bench) => {
      const [courierCode] = await bench.courierCodes();
      const [trackNo = ''] = bench.numbers.paged;
      const extras = { postalCode: '1234 AB', extendFieldMap: { phoneSuffix: '6789' }, orderNo: `O-${trackNo}` };
      return courierCode === undefined ? null : { trackNo, courierCode, ...extras };
    },
  ),
  echoCheck(
    'register v2.1 accepts a number with its courier, and echoes it',
    paths.registerV21,
    'Register',
    async (bench) => {
      const [courierCode] = await bench.courierCodes();
      return courierCode === undefined ? null : { trackNo: bench.numbers.twin, courierCode };
    },
  ),
  echoCheck('one number can be registered under a second courier', paths.registerV21, 'Register', async (bench) => {
    const [, courierCode] = await bench.courierCodes();
    return courierCode === undefined ? null : { trackNo: bench.numbers.twin, courierCode };
  }),
  {
    title: 'register accepts several numbers in one call',
    basis: 'stated',
    section: 'Register',
    writes: true,
    run: async (bench) => {
      const [courierCode] = await bench.courierCodes();
      const [, ...others] = bench.numbers.paged;
      const response = await register(
        bench,
        others.map((trackNo) => (courierCode === undefined ? { trackNo } : { trackNo, courierCode })),
      );
      return heldUnless(shapeErrors(envelope, response.body, 'response'), response.summary);
    },
  },
  rejectedCheck('a number that is already registered is rejected as imported', /has been imported/i, ({ numbers }) => ({
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
      const message = rejectionMessage(await register(bench, [{ trackNo }]), trackNo);
      const { content } = await query(bench, [trackNo]);
      return content.length === 0 ? held(message ?? 'accepted, then not registered') : differs(toJson(content[0]));
    },
  },
  {
    title: 'a registered number is in content, with its ID, number and creation time',
    basis: 'stated',
    section: 'The record',
    writes: true,
    run: async (bench) => {
      const response = await queryIndexed(bench, bench.numbers.named);
      if (isUnindexed(bench, response, bench.numbers.named))
        return skipped('accepted, but not indexed within a minute');
      const { accepted, content, rejected } = response;
      const [found] = content;
      if (content.length !== 1 || rejected.length > 0) return differs(toJson({ content, rejected }));
      return heldUnless(
        [...shapeErrors(page, accepted, 'accepted'), ...shapeErrors(record, found, 'record')],
        toJson(found),
      );
    },
  },
  {
    title: 'the courier of a number that was registered without one is detected',
    basis: 'stated',
    section: 'Register',
    writes: true,
    run: async (bench) => {
      const code = await waitForCourier(bench, bench.numbers.detected);
      return code === null ? skipped('not within ten seconds') : held(code);
    },
  },
  {
    title: 'the creation time is now, on a clock whose offset is a multiple of 15 minutes',
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
    title: 'a query puts registered numbers in content and others in rejected',
    basis: 'stated',
    section: 'Rejections',
    writes: true,
    run: async (bench) => {
      const { named, detected, stranger } = bench.numbers;
      const { content, rejected } = await query(bench, [named, stranger, detected]);
      const reported = { content: [...numbersOf(content)].sort(), rejected: numbersOf(rejected) };
      const expected = { content: [named, detected].sort(), rejected: [stranger] };
      return toJson(reported) === toJson(expected) ? held(toJson(reported)) : differs(toJson(reported));
    },
  },
  {
    title: 'a query of a number and its courier returns that courier’s record',
    basis: 'observed',
    section: 'Query',
    writes: true,
    run: async (bench) => {
      const codes = (await bench.courierCodes()).slice(0, 2);
      if (codes.length < 2) return skipped('Get Carriers returns too few couriers');
      const reported: string[] = [];
      for (const code of codes) {
        const { content } = await query(bench, [bench.numbers.twin], {}, code);
        reported.push(content.map(courierOf).join('+'));
      }
      return reported.join(', ') === codes.join(', ') ? held(reported.join(', ')) : differs(reported.join(', '));
    },
  },
  {
    title: 'pages of two continue at the cursor',
    basis: 'observed',
    section: 'Query',
    writes: true,
    run: async (bench) => {
      const { paged } = bench.numbers;
      const first = await query(bench, paged, { queryPageSize: 2 });
      const cursor = isJsonObject(first.accepted) ? first.accepted['cursor'] : undefined;
      const second = await query(bench, paged, { queryPageSize: 2, cursor: cursor ?? '' });
      const reported = [...numbersOf(first.content), ...numbersOf(second.content)];
      const errors = [first, second].flatMap(({ accepted }) => shapeErrors(page, accepted, 'accepted'));
      const isWhole = first.content.length === 2 && toJson([...reported].sort()) === toJson([...paged].sort());
      return heldUnless(
        [...errors, ...(isWhole ? [] : [`pages of ${reported.join(', ')}`])],
        `cursor ${toJson(cursor)}`,
      );
    },
  },
];
