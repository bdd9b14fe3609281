import type { JsonValue } from '../../src/lib/json.ts';
import { type Bench, numbersOf, paths, query, rejectionMessage } from './bench.ts';
import { type Check, differs, type Heading, held, heldUnless, skipped } from './check.ts';
import type { RawResponse } from './raw-service.ts';
import { envelope, page, rejection, shapeErrors } from './shapes.ts';

interface Version {
  readonly name: 'v2' | 'v2.1';
  readonly section: Heading;
  readonly send: (bench: Bench, trackNos: readonly string[]) => Promise<RawResponse>;
}

const v21: Version = { name: 'v2.1', section: 'Query', send: (bench, trackNos) => query(bench, trackNos) };
const v2: Version = {
  name: 'v2',
  section: 'Query',
  send: ({ service }, trackNos) => service.call(paths.queryV2, { trackNos: [...trackNos] }),
};

const manyStrangers = ({ numbers }: Bench, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${numbers.stranger.slice(0, -3)}${String(index).padStart(3, '0')}`);

/** Creates checks of how one version responds to numbers that are not in the account. */
const strangerChecks = ({ name, section, send }: Version): readonly Check[] => [
  {
    title: `query ${name} returns a page with its totals and cursor as numeric strings`,
    // The shape of v2 responses is not documented.
    basis: name === 'v2.1' ? 'stated' : 'observed',
    section: 'Query',
    run: async (bench) => {
      const { accepted, body } = await send(bench, [bench.numbers.stranger]);
      return heldUnless(
        [...shapeErrors(envelope, body, 'response'), ...shapeErrors(page, accepted, 'accepted')],
        JSON.stringify(accepted),
      );
    },
  },
  {
    title: `query ${name} puts a number that is not registered in rejected, not in content`,
    basis: 'stated',
    section: 'Rejections',
    run: async (bench) => {
      const { content, rejected } = await send(bench, [bench.numbers.stranger]);
      const isInContent = numbersOf(content).includes(bench.numbers.stranger);
      const isRejected = numbersOf(rejected).includes(bench.numbers.stranger);
      return isRejected && !isInContent
        ? held(JSON.stringify(rejected))
        : differs(JSON.stringify({ content, rejected }));
    },
  },
  {
    title: `query ${name} rejects with index, trackNo and error, and says "not registered"`,
    basis: 'observed',
    section: 'Query',
    run: async (bench) => {
      const response = await send(bench, [bench.numbers.stranger]);
      const message = rejectionMessage(response, bench.numbers.stranger) ?? '';
      const errors = response.rejected.flatMap((entry) => shapeErrors(rejection, entry, 'rejected'));
      const wording = /not registered/i.test(message) ? [] : [`says ${JSON.stringify(message)}`];
      return heldUnless([...errors, ...wording], message);
    },
  },
  {
    title: `query ${name} returns each of 100 numbers`,
    basis: 'observed',
    section,
    run: async (bench) => {
      const response = await send(bench, manyStrangers(bench, 100));
      const reported = new Set(numbersOf([...response.content, ...response.rejected]));
      return response.isSuccess && reported.size === 100
        ? held('100 reported')
        : differs(`${reported.size} reported; ${response.summary}`);
    },
  },
  {
    title: `query ${name} rejects 101 numbers`,
    basis: 'observed',
    section: 'Limits and cost',
    run: async (bench) => {
      const response = await send(bench, manyStrangers(bench, 101));
      return response.isSuccess ? differs(`accepted: ${response.summary}`) : held(response.summary);
    },
  },
];

/** Queries that change nothing. */
export const queryChecks: readonly Check[] = [
  ...strangerChecks(v21),
  ...strangerChecks(v2),
  {
    title: 'query v2.1 rejects a body of the wrong shape',
    basis: 'observed',
    section: 'Rejections',
    run: async ({ service }) => {
      const response = await service.call(paths.query, [] as JsonValue);
      return response.isSuccess ? differs(`accepted: ${response.summary}`) : held(response.summary);
    },
  },
  {
    title: 'a query returns only the requested number',
    basis: 'stated',
    section: 'Query',
    run: async (bench) => {
      const [first] = numbersOf(await bench.listed());
      if (first === undefined) return skipped('the account is empty');
      const { content, rejected } = await query(bench, [first, bench.numbers.stranger]);
      const reported = new Set(numbersOf(content));
      const observed = `${[...reported].join(', ')}; rejected ${numbersOf(rejected).join(', ')}`;
      return reported.size === 1 && reported.has(first) ? held(observed) : differs(observed);
    },
  },
  {
    title: 'query v2.1 by trackNos returns only those numbers',
    basis: 'observed',
    section: 'Query',
    run: async (bench) => {
      const [first] = numbersOf(await bench.listed());
      if (first === undefined) return skipped('the account is empty');
      const trackNos = [first, bench.numbers.stranger];
      const body = { trackNos, cursor: '', queryPageSize: 100 };
      const { content, rejected } = await bench.service.call(paths.query, body);
      const reported = new Set(numbersOf(content));
      const observed = `${[...reported].join(', ')}; rejected ${numbersOf(rejected).join(', ')}`;
      const isRejected = numbersOf(rejected).includes(bench.numbers.stranger);
      return reported.size === 1 && reported.has(first) && isRejected ? held(observed) : differs(observed);
    },
  },
  {
    title: 'query v2 and v2.1 report the same records',
    basis: 'observed',
    section: 'Query',
    run: async (bench) => {
      const listed = [...new Set(numbersOf(await bench.listed()))].slice(0, 20);
      if (listed.length === 0) return skipped('the account is empty');
      const idsOf = ({ content }: RawResponse): string =>
        content
          .map((record) => String(record['id']))
          .sort()
          .join(' ');
      const [older, newer] = [await v2.send(bench, listed), await v21.send(bench, listed)];
      const observed = `${older.content.length} records by v2, ${newer.content.length} by v2.1`;
      return idsOf(older) === idsOf(newer) ? held(observed) : differs(observed);
    },
  },
];
