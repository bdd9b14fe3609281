import { expect, it } from 'vitest';
import { EndlessAccountError, gatedService, listAccount } from '../../src/polling/account.ts';
import { BudgetSpentError } from '../../src/polling/gate/budget.ts';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import { ServiceCoolDownError } from '../../src/polling/gate/call-rules.ts';
import { type AccountPage, type QueryWindow, UnreachableError } from '../../src/service/port.ts';
import { emptyPollingMemory } from '../../src/store/shared-state.ts';
import { createMemoryDocument } from '../../src/store/store.ts';
import { createUsageMeter } from '../../src/store/usage-meter.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { recordOf } from '../support/records.ts';
import { createFakeService } from './fake-service.ts';

const record = (trackNo: string, createTime: string | null = null) =>
  recordOf({ id: `id-${trackNo}`, trackNo, createTime });
const page = (next: string | null, ...numbers: readonly string[]): AccountPage => ({
  records: numbers.map((trackNo) => record(trackNo)),
  next,
  totalPages: null,
  traceId: null,
});

/** Lists a paged account. Returns the records, the requested pages and the counted usage. */
async function list(
  pages: readonly (AccountPage | Error)[],
  { window = {}, queriesPerDay = null, pauseAt = null, goOn }: ListOptions = {},
) {
  const clock = createFakeClock();
  const meter = createUsageMeter(clock);
  const memory = createMemoryDocument(emptyPollingMemory);
  const gate = new CallGate({
    clock,
    random: () => 0.5,
    memory,
    meter,
    budget: { queriesPerDay, registrationsPerMonth: null },
  });
  const cursors: string[] = [];
  const listed: string[] = [];
  let failure: unknown = null;
  const unexpected = async (): Promise<never> => Promise.reject(new Error('unexpected call'));
  const search = async (_window: QueryWindow, cursor: string): Promise<AccountPage> => {
    cursors.push(cursor);
    const coolDown = { until: clock.now() + 60_000, byService: true, failures: 1 };
    if (cursors.length === pauseAt) await memory.update((known) => ({ ...known, coolDown }));
    const response = pages[cursors.length - 1];
    if (response === undefined || response instanceof Error) throw response ?? new Error('called too often');
    return response;
  };
  const service = gatedService(
    {
      ...createFakeService(clock),
      search,
      delete: unexpected,
      edit: unexpected,
      changeCourier: unexpected,
      retrack: unexpected,
      instant: unexpected,
      clockSkew: () => null,
      close: async () => undefined,
    },
    gate,
    'command',
  );
  try {
    for await (const records of listAccount(service, window, new AbortController().signal, goOn)) {
      listed.push(...records.map(({ trackNo }) => trackNo));
    }
  } catch (error) {
    failure = error;
  }
  return { cursors, listed, failure, today: (await meter.read()).today };
}

interface ListOptions {
  readonly window?: QueryWindow;
  readonly queriesPerDay?: number | null;
  /** The page at which the service asks for a pause. */
  readonly pauseAt?: number | null;
  readonly goOn?: (sentence: string) => Promise<boolean>;
}

it('follows the cursor to the last page, and counts each page as a query', async () => {
  const { cursors, failure, listed, today } = await list([page('2', 'A1', 'A2'), page('x', 'A3'), page(null, 'A4')]);
  expect(failure).toBeNull();
  expect(listed).toEqual(['A1', 'A2', 'A3', 'A4']);
  expect(cursors).toEqual(['', '2', 'x']);
  expect(today).toEqual({ calls: 3, queries: 3, numbers: 4, registrations: 0 });
});

it('ends at a page without new records, and lists nothing twice', async () => {
  const { cursors, listed } = await list([page('2', 'A1', 'A2'), page('3', 'A2', 'A3'), page('4', 'A3', 'A1')]);
  expect(listed).toEqual(['A1', 'A2', 'A3']);
  expect(cursors).toHaveLength(3);
});

it.each([
  ['no total announced', null, 100, 'more than is plausible'],
  ['two pages announced', 2, 3, 'more than it announced'],
  ['zero pages announced', 0, 2, 'more than it announced'],
])(
  'stops after more pages than expected when the service always has a next one: %s',
  async (_name, totalPages, maxPages, why) => {
    const pages = Array.from({ length: 1_000 }, (_, at) => ({ ...page(`${at + 2}`, `A${at}`), totalPages }));
    const { failure, listed } = await list(pages);
    expect(listed).toHaveLength(maxPages);
    expect(failure).toBeInstanceOf(EndlessAccountError);
    expect((failure as Error).message).toBe(
      `The service sent ${maxPages} account pages, ${why}, and there are still more.`,
    );
    const prompts: string[] = [];
    const goOn = async (sentence: string): Promise<boolean> => prompts.push(sentence) < 3;
    expect((await list(pages, { goOn })).listed).toHaveLength(4 * maxPages);
    expect(prompts).toHaveLength(3);
  },
);

it('drops records outside the window', async () => {
  const times = ['2026-11-01 00:00:00', '2026-11-02 00:00:00', '2026-11-03 00:00:00', null];
  const records = times.map((createTime, index) => record(`A${index}`, createTime));
  const window = { createTimeStart: '2026-11-02 00:00:00', createTimeEnd: '2026-11-02 23:00:00' };
  const { listed } = await list([{ records, next: null, totalPages: null, traceId: null }], { window });
  expect(listed).toEqual(['A1', 'A3']);
});

it('sends nothing beyond the budget or during a pause, and does not count failed calls', async () => {
  const spent = await list([page('2', 'A1'), page(null, 'A2')], { queriesPerDay: 1 });
  expect(spent).toMatchObject({ listed: ['A1'], cursors: [''] });
  expect(spent.failure).toBeInstanceOf(BudgetSpentError);
  const paused = await list([page('2', 'A1'), page(null, 'A2')], { pauseAt: 1 });
  expect(paused).toMatchObject({ listed: ['A1'], cursors: [''], today: { queries: 1 } });
  expect(paused.failure).toBeInstanceOf(ServiceCoolDownError);
  const offline = await list([page('2', 'A1'), new UnreachableError('offline')]);
  expect(offline).toMatchObject({ listed: ['A1'], today: { calls: 1, queries: 1, numbers: 1 } });
  expect(offline.failure).toBeInstanceOf(UnreachableError);
});
