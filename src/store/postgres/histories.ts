import { StoreError } from '../../lib/store-errors.ts';
import { assertValidId, emptyHistory, type ParcelHistory } from '../../parcels/parcel.ts';
import { historyFormat } from '../file/formats.ts';
import { type Account, type Database, lockAccount, type Transaction } from './database.ts';
import { sql } from './sql.ts';

const batchSize = 200;

interface HistoryRow {
  readonly id: string;
  readonly text: string | null;
}

type HistoryChange = (current: ParcelHistory) => ParcelHistory;

interface Request extends Pick<PromiseWithResolvers<ParcelHistory>, 'reject' | 'resolve'> {
  readonly id: string;
  /** Null for a read. */
  readonly change: HistoryChange | null;
}

interface HistoriesContext {
  readonly database: Database;
  readonly account: Account;
  readonly onUnusable: (historyId: string) => void;
}

/**
 * The histories of one account. Concurrent reads and changes are batched, so that a hundred responses take only a few
 * statements.
 */
export function createHistories({ account, database, onUnusable }: HistoriesContext) {
  let queue: Request[] = [];
  let isRunning = false;

  /**
   * Reads a history, which is empty if there isn't one. With a change, applies it to the newest version, and writes and
   * returns the result, but writes nothing if the change returns its argument. The change may be applied several times.
   * Rejects with a `StoreError`.
   */
  const request = async (id: string, change: HistoryChange | null = null): Promise<ParcelHistory> => {
    assertValidId(id, database.place);
    const { promise, reject, resolve } = Promise.withResolvers<ParcelHistory>();
    queue.push({ id, change, resolve, reject });
    if (!isRunning) void runQueue();
    return await promise;
  };

  /** Deletes a history permanently. Rejects with a `StoreError`. */
  const remove = async (id: string): Promise<void> => {
    assertValidId(id, database.place);
    await database.query(sql.removeHistory, [account.id, id]);
  };

  /** Never rejects: each request gets its own result. */
  const runQueue = async (): Promise<void> => {
    isRunning = true;
    // Let concurrent requests join the batch.
    await Promise.resolve();
    while (queue.length > 0) {
      const batch = takeBatch();
      try {
        const outcomes = await runBatch(batch);
        for (const [index, { reject, resolve }] of batch.entries()) {
          const outcome = outcomes[index];
          if (outcome?.status === 'fulfilled') resolve(outcome.value.history);
          else reject(outcome?.reason);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  };

  /** Removes the first reads or the first changes from the queue, at most one per history. */
  const takeBatch = (): readonly Request[] => {
    const isRead = queue[0]?.change === null;
    const batch = new Map<string, Request>();
    const rest: Request[] = [];
    for (const queued of queue) {
      const fits = batch.size < batchSize && (queued.change === null) === isRead && !batch.has(queued.id);
      if (fits) batch.set(queued.id, queued);
      else rest.push(queued);
    }
    queue = rest;
    return [...batch.values()];
  };

  const runBatch = async (batch: readonly Request[]) => {
    if (batch[0]?.change === null) return await apply(database, sql.histories, batch);
    return await database.transaction(async (transaction) => {
      // Other hosts wait here, so that none overwrites our change.
      await lockAccount(transaction, account, database.place);
      // Hosts with the version before this one lock only the histories.
      return await apply(transaction, `${sql.histories} for update`, batch);
    });
  };

  /** Applies all changes. One that throws does not affect the others. */
  const apply = async (connection: Pick<Transaction, 'query'>, select: string, batch: readonly Request[]) => {
    const rows = await connection.query<HistoryRow>(select, [account.id, batch.map(({ id }) => id)]);
    const texts = new Map(rows.map(({ id, text }) => [id, text]));
    const outcomes = await Promise.allSettled(
      batch.map(async ({ change, id }) => {
        const current = await decode(id, texts.get(id) ?? null);
        const history = change?.(current) ?? current;
        return { id, history, isChanged: history !== current };
      }),
    );
    const changedHistories = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' && outcome.value.isChanged ? [outcome.value] : [],
    );
    if (changedHistories.length > 0)
      await connection.query(sql.writeHistories, [
        account.id,
        changedHistories.map(({ id }) => id),
        changedHistories.map(({ history }) => JSON.stringify(history)),
      ]);
    return outcomes;
  };

  /** @param text null if there is no history, or if it is in the trash, where a new one replaces it */
  const decode = async (id: string, text: string | null): Promise<ParcelHistory> => {
    if (text === null) return emptyHistory;
    const decoded = await historyFormat.decode(Buffer.from(text));
    if (decoded.kind === 'whole') return decoded.data;
    if (decoded.kind === 'newer')
      throw new StoreError(
        'newer-version',
        {
          what: `A history in ${database.place} was written by a newer version of parcel-monitor.`,
          advice: 'Update parcel-monitor; nothing was changed.',
        },
        database.place,
      );
    onUnusable(id);
    return emptyHistory;
  };

  return { request, remove };
}
