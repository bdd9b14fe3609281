import { formatWallTime, parseWallTime } from '../../src/lib/date-time.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { type Bench, numbersOf, paths } from './bench.ts';
import { type Check, differs, type Finding, held, skipped, unless } from './check.ts';

/** Enough pages to see how they follow one another. */
const mostPages = 4;
const secondMs = 1_000;

const list = ({ service }: Bench, more: JsonObject) =>
  service.call(paths.query, { cursor: '', queryPageSize: 100, ...more });

/** Distinguishes records, because two couriers may have the same number. */
const idOf = (record: JsonObject): string => String(record['id']);

const createdAt = (record: JsonObject): number | null => {
  const text = record['createTime'];
  return typeof text === 'string' ? parseWallTime(text) : null;
};

/** A statement about the list of the account, which a query without numbers returns. */
function listingCheck(title: string, run: (bench: Bench, all: readonly JsonObject[]) => Promise<Finding>): Check {
  return {
    title,
    basis: 'observed',
    section: 'Query',
    run: async (bench) => {
      const all = await bench.listed();
      return all.length === 0 ? skipped('the account holds nothing') : run(bench, all);
    },
  };
}

/** The list of an account, by pages and by the time of registration. */
export const listingChecks: readonly Check[] = [
  listingCheck('the account is listed in pages that follow one another by their cursor', async (bench, all) => {
    const pageSize = Math.max(1, Math.ceil(all.length / mostPages));
    const seen: string[] = [];
    let cursor = '';
    for (let page = 1; page <= mostPages; page += 1) {
      const { accepted, content } = await list(bench, { cursor, queryPageSize: pageSize });
      seen.push(...content.map(idOf));
      if (content.length < pageSize) break;
      cursor = String((accepted as JsonObject | undefined)?.['cursor'] ?? '');
    }
    const wanted = all.map(idOf).slice(0, pageSize * mostPages);
    const reported = `${seen.length} records in pages of ${pageSize}`;
    return seen.join() === wanted.join()
      ? held(reported)
      : differs(`${reported}, not those of one page in their order`);
  }),
  listingCheck('a page behind the last one is empty', async (bench, all) => {
    if (all.length === 100) return skipped('the account holds more than a page');
    const { content, isSuccess, words } = await list(bench, { cursor: '2' });
    return isSuccess && content.length === 0 ? held('empty') : differs(`${words}, ${content.length} records`);
  }),
  listingCheck(
    'a window of the time of registration holds what was registered in it, both ends included',
    async (bench, all) => {
      const at = all.map(createdAt).find((time) => time !== null) ?? null;
      if (at === null) return skipped('no record reports when it was registered');
      const text = formatWallTime(at);
      const within = (await list(bench, { createTimeStart: text, createTimeEnd: text })).content;
      const wanted = all.filter((record) => createdAt(record) === at).map(idOf);
      const missing = wanted.filter((id) => !within.map(idOf).includes(id));
      const others = numbersOf(within.filter((record) => createdAt(record) !== at));
      return unless(
        [...missing.map((id) => `${id} is missing`), ...others.map((trackNo) => `${trackNo} is of another time`)],
        `${within.length} registered at ${text}`,
      );
    },
  ),
  listingCheck('a window before all registrations is empty', async (bench, all) => {
    if (all.length === 100) return skipped('the account holds more than a page');
    const times = all.flatMap((record) => createdAt(record) ?? []);
    if (times.length === 0) return skipped('no record reports when it was registered');
    const end = formatWallTime(Math.min(...times) - secondMs);
    const { content, isSuccess, words } = await list(bench, {
      createTimeStart: '2000-01-01 00:00:00',
      createTimeEnd: end,
    });
    return isSuccess && content.length === 0
      ? held(`nothing until ${end}`)
      : differs(`${words}, ${content.length} records`);
  }),
];
