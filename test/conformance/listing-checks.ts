import { formatWallTime, parseWallTime } from '../../src/lib/date-time.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { type Bench, numbersOf, paths } from './bench.ts';
import { type Check, differs, type Finding, held, heldUnless, skipped } from './check.ts';

/** Enough pages to see how one leads to the next. */
const maxPages = 4;
const secondMs = 1_000;

const list = ({ service }: Bench, more: JsonObject) =>
  service.call(paths.query, { cursor: '', queryPageSize: 100, ...more });

/** Identifies a record. Its number does not, because two couriers may have the same one. */
const idOf = (record: JsonObject): string => String(record['id']);

const createdAt = (record: JsonObject): number | null => {
  const text = record['createTime'];
  return typeof text === 'string' ? parseWallTime(text) : null;
};

/** Creates a check of the account's list, which a query without numbers returns. */
function listingCheck(title: string, run: (bench: Bench, all: readonly JsonObject[]) => Promise<Finding>): Check {
  return {
    title,
    basis: 'observed',
    section: 'Query',
    run: async (bench) => {
      const all = await bench.listed();
      return all.length === 0 ? skipped('the account is empty') : run(bench, all);
    },
  };
}

/** The account's list, in pages and by registration time. */
export const listingChecks: readonly Check[] = [
  listingCheck('the account is listed in pages that each continue at the previous cursor', async (bench, all) => {
    const pageSize = Math.max(1, Math.ceil(all.length / maxPages));
    const ids: string[] = [];
    let cursor = '';
    for (let page = 1; page <= maxPages; page += 1) {
      const { accepted, content } = await list(bench, { cursor, queryPageSize: pageSize });
      ids.push(...content.map(idOf));
      if (content.length < pageSize) break;
      cursor = String((accepted as JsonObject | undefined)?.['cursor'] ?? '');
    }
    const expected = all.map(idOf).slice(0, pageSize * maxPages);
    const reported = `${ids.length} records in pages of ${pageSize}`;
    return ids.join() === expected.join() ? held(reported) : differs(`${reported}, which differ from a single page`);
  }),
  listingCheck('a page after the last one is empty', async (bench, all) => {
    if (all.length === 100) return skipped('the account may have more than one page');
    const { content, isSuccess, summary } = await list(bench, { cursor: '2' });
    return isSuccess && content.length === 0 ? held('empty') : differs(`${summary}, ${content.length} records`);
  }),
  listingCheck(
    'a registration time window returns what was registered within it, including both ends',
    async (bench, all) => {
      const at = all.map(createdAt).find((time) => time !== null) ?? null;
      if (at === null) return skipped('no record says when it was registered');
      const text = formatWallTime(at);
      const within = (await list(bench, { createTimeStart: text, createTimeEnd: text })).content;
      const expected = all.filter((record) => createdAt(record) === at).map(idOf);
      const missing = expected.filter((id) => !within.map(idOf).includes(id));
      const others = numbersOf(within.filter((record) => createdAt(record) !== at));
      return heldUnless(
        [
          ...missing.map((id) => `${id} is missing`),
          ...others.map((trackNo) => `${trackNo} was registered at a different time`),
        ],
        `${within.length} registered at ${text}`,
      );
    },
  ),
  listingCheck('a window before all registrations returns nothing', async (bench, all) => {
    if (all.length === 100) return skipped('the account may have more than one page');
    const times = all.flatMap((record) => createdAt(record) ?? []);
    if (times.length === 0) return skipped('no record says when it was registered');
    const end = formatWallTime(Math.min(...times) - secondMs);
    const { content, isSuccess, summary } = await list(bench, {
      createTimeStart: '2000-01-01 00:00:00',
      createTimeEnd: end,
    });
    return isSuccess && content.length === 0
      ? held(`nothing until ${end}`)
      : differs(`${summary}, ${content.length} records`);
  }),
];
