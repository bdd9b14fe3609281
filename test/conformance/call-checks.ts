import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../src/lib/json.ts';
import { paths, query } from './bench.ts';
import { type Check, differs, held, heldUnless, skipped } from './check.ts';
import type { RawResponse, RawService } from './raw-service.ts';
import { courier, envelope, notFoundPage, shapeErrors } from './shapes.ts';

const expectRejection = (response: RawResponse): ReturnType<typeof held> =>
  response.isSuccess ? differs(`accepted: ${response.summary}`) : held(response.summary);

const strangerQuery = (trackNo: string): JsonValue => ({ trackNoInfos: [{ trackNo }] });

const formatError = { code: 'A0400', msg: 'params format error', traceId: 'N/A' };

/** A call that the public service rejected, with the captured response. */
function formatCheck(title: string, call: (service: RawService) => Promise<RawResponse>): Check {
  return {
    title,
    basis: 'observed',
    section: 'Codes and failures',
    run: async ({ service }) => {
      const { body, status } = await call(service);
      const observed = `HTTP ${status}, ${JSON.stringify(body)}`;
      return status === 400 && isDeepStrictEqual(body, formatError) ? held(observed) : differs(observed);
    },
  };
}

/** Transport, envelope, key and courier list. No account is required. */
export const callChecks: readonly Check[] = [
  {
    title: 'the base URL is HTTPS',
    basis: 'stated',
    section: 'Reaching the service',
    run: async ({ service: { baseUrl } }) =>
      baseUrl.protocol === 'https:' ? held(baseUrl.host) : skipped(`${baseUrl.host} is a local address`),
  },
  {
    title: 'responses have a JSON content type',
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
      const response = await query(bench, [bench.numbers.stranger]);
      return heldUnless(shapeErrors(envelope, response.body, 'response'), response.summary);
    },
  },
  {
    title: 'a wrong key is rejected',
    basis: 'stated',
    section: 'Reaching the service',
    run: async ({ service, numbers }) =>
      expectRejection(await service.call(paths.query, strangerQuery(numbers.stranger), { key: 'not-the-key' })),
  },
  {
    title: 'a missing key is rejected',
    basis: 'stated',
    section: 'Reaching the service',
    run: async ({ service, numbers }) =>
      expectRejection(await service.call(paths.query, strangerQuery(numbers.stranger), { key: null })),
  },
  {
    title: 'a rejected call has a traceId too',
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
      const response = await service.call(paths.query, strangerQuery(numbers.stranger), { key: 'not-the-key' });
      const { code, msg } = response.body;
      return typeof code === 'string' && typeof msg === 'string' ? held(response.summary) : differs(response.summary);
    },
  },
  {
    title: 'an unknown path is rejected',
    basis: 'observed',
    section: 'Operations',
    run: async ({ service }) => expectRejection(await service.call('/tk/v2.1/track/no-such-operation', {})),
  },
  {
    title: 'a body that is not JSON is rejected with A0400',
    basis: 'observed',
    section: 'Codes and failures',
    run: async ({ service }) => {
      const response = await service.call(paths.query, undefined, { method: 'POST', text: '{"trackNoInfos":[' });
      return response.body['code'] === 'A0400' ? held(response.summary) : differs(response.summary);
    },
  },
  {
    title: 'an unknown path returns HTTP 404 and the page of a web framework',
    basis: 'observed',
    section: 'Codes and failures',
    run: async ({ service }) => {
      const { body, status, summary } = await service.call('/tk/v2.1/track/no-such-operation', {});
      return status === 404
        ? heldUnless(shapeErrors(notFoundPage, body, 'page'), JSON.stringify(body))
        : differs(`HTTP ${status}: ${summary}`);
    },
  },
  formatCheck('a body that is not JSON is rejected with the captured response', (service) =>
    service.call(paths.query, undefined, { method: 'POST', text: '{"trackNoInfos":[' }),
  ),
  formatCheck('a POST to the courier list is rejected with the captured response', (service) =>
    service.call(paths.couriers, {}),
  ),
  ...(['couriers', 'couriersV2'] as const).map(
    (name): Check => ({
      title: `Get Carriers lists couriers at ${paths[name]}`,
      basis: 'observed',
      section: 'Get Carriers',
      run: async ({ service }) => {
        const { body, summary } = await service.call(paths[name]);
        const { data } = body;
        if (!Array.isArray(data)) return differs(`not a list: ${summary}`);
        const rows: readonly JsonValue[] = data;
        const errors = [
          ...shapeErrors(envelope, body, 'response'),
          ...rows.flatMap((row, index) => shapeErrors(courier, row, `row ${index}`)),
        ];
        return rows.length === 0 ? differs('an empty list') : heldUnless(errors, `${rows.length} couriers`);
      },
    }),
  ),
  {
    title: 'Get Carriers returns codes and websites',
    basis: 'stated',
    section: 'Get Carriers',
    run: async ({ service }) => {
      const { data } = (await service.call(paths.couriers)).body;
      if (!Array.isArray(data)) return skipped('the list is not where it should be');
      const has = (name: string): number =>
        data.filter((row) => typeof row === 'object' && row !== null && Boolean(Reflect.get(row, name))).length;
      const [codes, sites] = [has('courierCode'), has('courierHomePage')];
      const observed = `${codes} codes and ${sites} websites in ${data.length} rows`;
      return codes > 0 && sites > 0 ? held(observed) : differs(observed);
    },
  },
];
