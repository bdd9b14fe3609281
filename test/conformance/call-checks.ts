import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../src/lib/json.ts';
import { paths, query } from './bench.ts';
import { type Check, differs, held, skipped, unless } from './check.ts';
import type { RawAnswer, RawService } from './raw-service.ts';
import { complaintsOf, courier, envelope, notFoundPage } from './shapes.ts';

const refused = (answer: RawAnswer): ReturnType<typeof held> =>
  answer.isSuccess ? differs(`taken: ${answer.words}`) : held(answer.words);

const strangerQuery = (trackNo: string): JsonValue => ({ trackNoInfos: [{ trackNo }] });

const formatError = { code: 'A0400', msg: 'params format error', traceId: 'N/A' };

/** A call that the public service rejected, with the captured response. */
function formatCheck(title: string, call: (service: RawService) => Promise<RawAnswer>): Check {
  return {
    title,
    basis: 'observed',
    section: 'Codes and failures',
    run: async ({ service }) => {
      const { body, status } = await call(service);
      const seen = `HTTP ${status}, ${JSON.stringify(body)}`;
      return status === 400 && isDeepStrictEqual(body, formatError) ? held(seen) : differs(seen);
    },
  };
}

/** Transport, envelope, key and courier list. No account is needed. */
export const callChecks: readonly Check[] = [
  {
    title: 'the base URL is HTTPS',
    basis: 'stated',
    section: 'Reaching the service',
    run: async ({ service: { baseUrl } }) =>
      baseUrl.protocol === 'https:' ? held(baseUrl.host) : skipped(`${baseUrl.host} is this machine`),
  },
  {
    title: 'an answer is JSON by its type',
    basis: 'stated',
    section: 'Reaching the service',
    run: async (bench) => {
      const { contentType } = await query(bench, [bench.numbers.stranger]);
      return /^application\/json\b/i.test(contentType) ? held(contentType) : differs(contentType);
    },
  },
  {
    title: 'a success has code "00000", msg "Success", data and a traceId of 32 hexadecimal characters',
    basis: 'stated',
    section: 'Envelope',
    run: async (bench) => {
      const answer = await query(bench, [bench.numbers.stranger]);
      return unless(complaintsOf(envelope, answer.body, 'answer'), answer.words);
    },
  },
  {
    title: 'a wrong key is refused',
    basis: 'stated',
    section: 'Reaching the service',
    run: async ({ service, numbers }) =>
      refused(await service.call(paths.query, strangerQuery(numbers.stranger), { key: 'not-the-key' })),
  },
  {
    title: 'a missing key is refused',
    basis: 'stated',
    section: 'Reaching the service',
    run: async ({ service, numbers }) =>
      refused(await service.call(paths.query, strangerQuery(numbers.stranger), { key: null })),
  },
  {
    title: 'a refused call carries a traceId too',
    basis: 'stated',
    section: 'Codes and failures',
    run: async ({ service, numbers }) => {
      const { body } = await service.call(paths.query, strangerQuery(numbers.stranger), { key: 'not-the-key' });
      const { traceId } = body;
      return typeof traceId === 'string' && traceId !== '' ? held(traceId) : differs(JSON.stringify(traceId ?? null));
    },
  },
  {
    title: 'a refused call carries a code and a message',
    basis: 'observed',
    section: 'Codes and failures',
    run: async ({ service, numbers }) => {
      const answer = await service.call(paths.query, strangerQuery(numbers.stranger), { key: 'not-the-key' });
      const { code, msg } = answer.body;
      return typeof code === 'string' && typeof msg === 'string' ? held(answer.words) : differs(answer.words);
    },
  },
  {
    title: 'an unknown path is refused',
    basis: 'observed',
    section: 'Operations',
    run: async ({ service }) => refused(await service.call('/tk/v2.1/track/no-such-operation', {})),
  },
  {
    title: 'a body that is not JSON is refused with A0400',
    basis: 'observed',
    section: 'Codes and failures',
    run: async ({ service }) => {
      const answer = await service.call(paths.query, undefined, { method: 'POST', text: '{"trackNoInfos":[' });
      return answer.body['code'] === 'A0400' ? held(answer.words) : differs(answer.words);
    },
  },
  {
    title: 'an unknown path is answered with HTTP 404 and the page of a web framework',
    basis: 'observed',
    section: 'Codes and failures',
    run: async ({ service }) => {
      const { body, status, words } = await service.call('/tk/v2.1/track/no-such-operation', {});
      return status === 404
        ? unless(complaintsOf(notFoundPage, body, 'page'), JSON.stringify(body))
        : differs(`HTTP ${status}: ${words}`);
    },
  },
  formatCheck('a body that is not JSON is refused in the captured words', (service) =>
    service.call(paths.query, undefined, { method: 'POST', text: '{"trackNoInfos":[' }),
  ),
  formatCheck('a POST to the courier list is refused in the captured words', (service) =>
    service.call(paths.couriers, {}),
  ),
  ...(['couriers', 'couriersV2'] as const).map(
    (name): Check => ({
      title: `Get Carriers lists couriers at ${paths[name]}`,
      basis: 'observed',
      section: 'Get Carriers',
      run: async ({ service }) => {
        const { body, words } = await service.call(paths[name]);
        const { data } = body;
        if (!Array.isArray(data)) return differs(`no list: ${words}`);
        const rows: readonly JsonValue[] = data;
        const complaints = [
          ...complaintsOf(envelope, body, 'answer'),
          ...rows.flatMap((row, index) => complaintsOf(courier, row, `row ${index}`)),
        ];
        return rows.length === 0 ? differs('an empty list') : unless(complaints, `${rows.length} couriers`);
      },
    }),
  ),
  {
    title: 'Get Carriers names codes and websites',
    basis: 'stated',
    section: 'Get Carriers',
    run: async ({ service }) => {
      const { data } = (await service.call(paths.couriers)).body;
      if (!Array.isArray(data)) return skipped('the list is not where it is known to stand');
      const has = (name: string): number =>
        data.filter((row) => typeof row === 'object' && row !== null && Boolean(Reflect.get(row, name))).length;
      const [codes, sites] = [has('courierCode'), has('courierHomePage')];
      const seen = `${codes} codes and ${sites} websites in ${data.length} rows`;
      return codes > 0 && sites > 0 ? held(seen) : differs(seen);
    },
  },
];
