import { StoreError } from '../../lib/store-errors.ts';
import { assertValidId } from '../../parcels/identity.ts';
import type { ParcelHistory } from '../../parcels/parcel.ts';
import { historyFormat } from '../watchlist-format.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

/** Maximum number of attempts while others change the same history. */
const maxTries = 50;
/** Maximum number of histories per statement. */
const batchSize = 200;

interface HistoryRow {
  readonly id: string;
  readonly revision: number;
  readonly text: string | null;
}

/** A change that is queued. */
interface QueuedChange extends Pick<PromiseWithResolvers<ParcelHistory>, 'reject' | 'resolve'> {
  readonly id: string;
  readonly change: (current: ParcelHistory) => ParcelHistory;
}

/** A changed history, and the row that it replaces. */
interface ChangedHistory {
  readonly waiting: QueuedChange;
  readonly history: ParcelHistory;
  readonly row: HistoryRow | null;
}

interface HistoriesContext {
  readonly database: Database;
  readonly account: Account;
  /** Called for each history that is not valid. */
  readonly onUnusable: (historyId: string) => void;
}

/**
 * The histories of one account. Concurrent reads and changes are batched, so that a hundred responses take only a few
 * statements. A history is written only if its row is still the one that the change was applied to.
 */
export class Histories {
  readonly #context: HistoriesContext;
  #queue: QueuedChange[] = [];
  #isRunning = false;

  constructor(context: HistoriesContext) {
    this.#context = context;
  }

  /** Resolves with an empty history if there isn't one. Rejects with a `StoreError`. */
  async read(id: string): Promise<ParcelHistory> {
    return await this.update(id, (current) => current);
  }

  /**
   * Applies a change to the newest version of a history, and writes and returns the result. Writes nothing if the change
   * returns its argument. Rejects with a `StoreError`.
   */
  async update(id: string, change: (current: ParcelHistory) => ParcelHistory): Promise<ParcelHistory> {
    assertValidId(id, this.#context.database.place);
    const { promise, reject, resolve } = Promise.withResolvers<ParcelHistory>();
    this.#queue.push({ id, change, resolve, reject });
    if (!this.#isRunning) void this.#runQueue();
    return await promise;
  }

  /** Deletes a history permanently. Rejects with a `StoreError`. */
  async remove(id: string): Promise<void> {
    const { account, database } = this.#context;
    assertValidId(id, database.place);
    await database.query(sql.removeHistory, [account.id, id]);
  }

  /** Never rejects: each queued change gets its own result. */
  async #runQueue(): Promise<void> {
    this.#isRunning = true;
    // Let concurrent requests join the batch.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      try {
        await this.#apply(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }

  /** Removes the first changes from the queue, at most one per history. */
  #takeBatch(): readonly QueuedChange[] {
    const taken = new Map<string, QueuedChange>();
    const left: QueuedChange[] = [];
    for (const change of this.#queue) {
      if (taken.size < batchSize && !taken.has(change.id)) taken.set(change.id, change);
      else left.push(change);
    }
    this.#queue = left;
    return [...taken.values()];
  }

  async #apply(batch: readonly QueuedChange[]): Promise<void> {
    let open = batch;
    for (let tries = 1; open.length > 0; tries += 1) {
      if (tries > maxTries)
        throw new StoreError(
          'locked',
          {
            what: `Other programs keep changing the same history in ${this.#context.database.place}.`,
            advice: 'Try again.',
          },
          this.#context.database.place,
        );
      const rows = await this.#rows(open.map(({ id }) => id));
      const changed: ChangedHistory[] = [];
      for (const waiting of open) {
        const row = rows.get(waiting.id) ?? null;
        try {
          const current = await this.#historyOf(row);
          const history = waiting.change(current);
          if (history === current) waiting.resolve(current);
          else changed.push({ waiting, history, row });
        } catch (error) {
          waiting.reject(error);
        }
      }
      const written = await this.#write(changed);
      for (const { history, waiting } of changed) if (written.has(waiting.id)) waiting.resolve(history);
      open = changed.flatMap(({ waiting }) => (written.has(waiting.id) ? [] : [waiting]));
    }
  }

  /** Returns the ids of the histories that were written. Other hosts changed the rest in the meantime. */
  async #write(changed: readonly ChangedHistory[]): Promise<ReadonlySet<string>> {
    if (changed.length === 0) return new Set();
    const { account, database } = this.#context;
    const rows = await database.query<{ id: string }>(sql.writeHistories, [
      account.id,
      changed.map(({ waiting }) => waiting.id),
      changed.map(({ row }) => row?.revision ?? 0),
      changed.map(({ history }) => JSON.stringify({ ...history, version: 1 })),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** A history in the trash has no text. It counts as missing, and a new one replaces it. */
  async #rows(ids: readonly string[]): Promise<ReadonlyMap<string, HistoryRow>> {
    const { account, database } = this.#context;
    const rows = await database.query<HistoryRow>(sql.histories, [account.id, ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async #historyOf(row: HistoryRow | null): Promise<ParcelHistory> {
    if (row === null || row.text === null) return historyFormat.empty;
    const { database, onUnusable } = this.#context;
    const decoded = await historyFormat.decode(Buffer.from(row.text));
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
    onUnusable(row.id);
    return historyFormat.empty;
  }
}
