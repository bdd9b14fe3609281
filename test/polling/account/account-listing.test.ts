import { expect, it } from 'vitest';
import { listAccount } from '../../../src/polling/account/account-listing.ts';
import { BudgetKeeper, BudgetSpentError } from '../../../src/polling/gate/budget.ts';
import { RateLimitedError, UnreachableError } from '../../../src/service/failures/errors.ts';
import type { AccountPage, QueryWindow } from '../../../src/service/record/record.ts';
import { createMemoryUsageMeter } from '../../../src/watchlist/state/usage-meter.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { recordOf } from '../../support/records.ts';

const record = (trackNo: string, createTime: string | null = null) =>
  recordOf({ id: `id-${trackNo}`, trackNo, createTime });
const page = (next: string | null, ...numbers: readonly string[]): AccountPage => ({
  records: numbers.map((trackNo) => record(trackNo)),
  next,
  traceId: null,
});

/** Lists an account whose pages come one after another; answers what was listed, what was asked and what was counted. */
async function list(
  pages: readonly (AccountPage | Error)[],
  { window = {}, queriesPerDay = null, pauseAt = null }: ListOptions = {},
) {
  const clock = createFakeClock();
  const meter = createMemoryUsageMeter(clock);
  const budget = { queriesPerDay, registrationsPerMonth: null };
  const keeper = new BudgetKeeper({ meter, budget, clock, onTotals: () => {}, onTrouble: () => {} });
  const cursors: string[] = [];
  const listed: string[] = [];
  let failure: unknown = null;
  try {
    const options = {
      service: {
        search: async (_window: QueryWindow, cursor: string) => {
          cursors.push(cursor);
          const answer = pages[cursors.length - 1];
          if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often');
          return answer;
        },
      },
      budget: keeper,
      window,
      signal: new AbortController().signal,
      refuseInPause: async () => {
        if (cursors.length === pauseAt) throw new RateLimitedError('pause', 1_000);
      },
    };
    for await (const records of listAccount(options)) listed.push(...records.map(({ trackNo }) => trackNo));
  } catch (error) {
    failure = error;
  }
  return { cursors, listed, failure, today: (await meter.read()).today };
}

interface ListOptions {
  readonly window?: QueryWindow;
  readonly queriesPerDay?: number | null;
  /** Pages after which the service has asked for a pause. */
  readonly pauseAt?: number | null;
}

it('follows the cursor to the last page, and counts each page as a query', async () => {
  const { cursors, failure, listed, today } = await list([page('2', 'A1', 'A2'), page('x', 'A3'), page(null, 'A4')]);
  expect(failure).toBeNull();
  expect(listed).toEqual(['A1', 'A2', 'A3', 'A4']);
  expect(cursors).toEqual(['', '2', 'x']);
  expect(today).toEqual({ calls: 3, queries: 3, numbers: 4, registrations: 0 });
});

it('ends where a page brings nothing new, whatever it promises, and lists nothing twice', async () => {
  const { cursors, listed } = await list([page('2', 'A1', 'A2'), page('3', 'A2', 'A3'), page('4', 'A3', 'A1')]);
  expect(listed).toEqual(['A1', 'A2', 'A3']);
  expect(cursors).toHaveLength(3);
});

it('leaves out what a service that does not know the window answers besides', async () => {
  const times = ['2026-11-01 00:00:00', '2026-11-02 00:00:00', '2026-11-03 00:00:00', null];
  const records = times.map((createTime, index) => record(`A${index}`, createTime));
  const window = { createTimeStart: '2026-11-02 00:00:00', createTimeEnd: '2026-11-02 23:00:00' };
  const { listed } = await list([{ records, next: null, traceId: null }], { window });
  expect(listed).toEqual(['A1', 'A3']);
});

it('sends nothing beyond the budget, nor in a pause, and gives back what did not arrive', async () => {
  const spent = await list([page('2', 'A1'), page(null, 'A2')], { queriesPerDay: 1 });
  expect(spent).toMatchObject({ listed: ['A1'], cursors: [''] });
  expect(spent.failure).toBeInstanceOf(BudgetSpentError);
  const paused = await list([page('2', 'A1'), page(null, 'A2')], { pauseAt: 1 });
  expect(paused).toMatchObject({ listed: ['A1'], cursors: [''], today: { queries: 1 } });
  const offline = await list([page('2', 'A1'), new UnreachableError('offline')]);
  expect(offline).toMatchObject({ listed: ['A1'], today: { calls: 1, queries: 1, numbers: 1 } });
  expect(offline.failure).toBeInstanceOf(UnreachableError);
});
