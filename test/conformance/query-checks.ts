import type { JsonValue } from '../../src/lib/json.ts';
import { type Bench, numbersOf, paths, query, wordsAbout } from './bench.ts';
import { type Check, differs, type Heading, held, skipped, unless } from './check.ts';
import type { RawAnswer } from './raw-service.ts';
import { complaintsOf, envelope, page, rejection } from './shapes.ts';

interface Version {
  readonly name: 'v2' | 'v2.1';
  readonly section: Heading;
  readonly send: (bench: Bench, trackNos: readonly string[]) => Promise<RawAnswer>;
}

const v21: Version = { name: 'v2.1', section: 'Query', send: (bench, trackNos) => query(bench, trackNos) };
const v2: Version = {
  name: 'v2',
  section: 'Query',
  send: ({ service }, trackNos) => service.call(paths.queryV2, { trackNos: [...trackNos] }),
};

const manyStrangers = ({ numbers }: Bench, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${numbers.stranger.slice(0, -3)}${String(index).padStart(3, '0')}`);

/** The response of one version to a query of a number that is not in the account. */
const strangerChecks = ({ name, section, send }: Version): readonly Check[] => [
  {
    title: `query ${name} returns a page with its totals and cursor as numeric text`,
    // The shape of version 2 is not documented.
    basis: name === 'v2.1' ? 'stated' : 'observed',
    section: 'Query',
    run: async (bench) => {
      const { accepted, body } = await send(bench, [bench.numbers.stranger]);
      return unless(
        [...complaintsOf(envelope, body, 'answer'), ...complaintsOf(page, accepted, 'accepted')],
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
      const answer = await send(bench, [bench.numbers.stranger]);
      const words = wordsAbout(answer, bench.numbers.stranger) ?? '';
      const complaints = answer.rejected.flatMap((entry) => complaintsOf(rejection, entry, 'rejected'));
      const strange = /not registered/i.test(words) ? [] : [`says ${JSON.stringify(words)}`];
      return unless([...complaints, ...strange], words);
    },
  },
  {
    title: `query ${name} returns each of 100 numbers`,
    basis: 'observed',
    section,
    run: async (bench) => {
      const answer = await send(bench, manyStrangers(bench, 100));
      const reported = new Set(numbersOf([...answer.content, ...answer.rejected]));
      return answer.isSuccess && reported.size === 100
        ? held('100 answered')
        : differs(`${reported.size} reported; ${answer.words}`);
    },
  },
  {
    title: `query ${name} refuses 101 numbers`,
    basis: 'observed',
    section: 'Limits and cost',
    run: async (bench) => {
      const answer = await send(bench, manyStrangers(bench, 101));
      return answer.isSuccess ? differs(`taken: ${answer.words}`) : held(answer.words);
    },
  },
];

/** Queries that change nothing. */
export const queryChecks: readonly Check[] = [
  ...strangerChecks(v21),
  ...strangerChecks(v2),
  {
    title: 'query v2.1 of a body of the wrong shape is refused',
    basis: 'observed',
    section: 'Rejections',
    run: async ({ service }) => {
      const answer = await service.call(paths.query, [] as JsonValue);
      return answer.isSuccess ? differs(`taken: ${answer.words}`) : held(answer.words);
    },
  },
  {
    title: 'a query returns only the requested number',
    basis: 'stated',
    section: 'Query',
    run: async (bench) => {
      const [first] = numbersOf(await bench.listed());
      if (first === undefined) return skipped('the account holds nothing');
      const { content, rejected } = await query(bench, [first, bench.numbers.stranger]);
      const reported = new Set(numbersOf(content));
      const seen = `${[...reported].join(', ')}; rejected ${numbersOf(rejected).join(', ')}`;
      return reported.size === 1 && reported.has(first) ? held(seen) : differs(seen);
    },
  },
  {
    title: 'query v2.1 by trackNos returns only those numbers',
    basis: 'observed',
    section: 'Query',
    run: async (bench) => {
      const [first] = numbersOf(await bench.listed());
      if (first === undefined) return skipped('the account holds nothing');
      const trackNos = [first, bench.numbers.stranger];
      const body = { trackNos, cursor: '', queryPageSize: 100 };
      const { content, rejected } = await bench.service.call(paths.query, body);
      const reported = new Set(numbersOf(content));
      const seen = `${[...reported].join(', ')}; rejected ${numbersOf(rejected).join(', ')}`;
      const isRejected = numbersOf(rejected).includes(bench.numbers.stranger);
      return reported.size === 1 && reported.has(first) && isRejected ? held(seen) : differs(seen);
    },
  },
  {
    title: 'query v2 and v2.1 report the same records',
    basis: 'observed',
    section: 'Query',
    run: async (bench) => {
      const wanted = [...new Set(numbersOf(await bench.listed()))].slice(0, 20);
      if (wanted.length === 0) return skipped('the account holds nothing');
      const idsOf = ({ content }: RawAnswer): string =>
        content
          .map((record) => String(record['id']))
          .sort()
          .join(' ');
      const [older, newer] = [await v2.send(bench, wanted), await v21.send(bench, wanted)];
      const seen = `${older.content.length} records by v2, ${newer.content.length} by v2.1`;
      return idsOf(older) === idsOf(newer) ? held(seen) : differs(seen);
    },
  },
];
