import { StoreError } from '../../lib/store-errors.ts';
import { assertValidId } from '../../parcels/identity.ts';
import type { ParcelHistory } from '../../parcels/parcel.ts';
import { historyFormat } from '../watchlist-format.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

/** Maximum number of tries if others change the same history. */
const maxTries = 50;
/** Maximum number of histories in a statement. */
const batchSize = 200;

/** The row of a history. */
interface HistoryRow {
  readonly id: string;
  readonly revision: number;
  readonly text: string | null;
}

/** A change that waits for its turn. */
interface Waiting extends Pick<PromiseWithResolvers<ParcelHistory>, 'reject' | 'resolve'> {
  readonly id: string;
  readonly change: (current: ParcelHistory) => ParcelHistory;
}

/** A history to be written over a row. */
interface Changed {
  readonly waiting: Waiting;
  readonly history: ParcelHistory;
  readonly row: HistoryRow | null;
}

interface HistoriesContext {
  readonly database: Database;
  readonly account: Account;
  /** Records that a history is not valid. */
  readonly onUnusable: (historyId: string) => void;
}

/**
 * The histories of one account. Concurrent reads and changes are batched, so that a hundred responses take a few
 * statements. A history is written only over the version that the change was made to.
 */
export class Histories {
  readonly #context: HistoriesContext;
  #waiting: Waiting[] = [];
  #isWorking = false;

  constructor(context: HistoriesContext) {
    this.#context = context;
  }

  /** Resolves with an empty history if there is none. Rejects with a `StoreError`. */
  async read(id: string): Promise<ParcelHistory> {
    return await this.update(id, (current) => current);
  }

  /**
   * Applies a change to the newest history, writes and returns the result. Writes nothing if the change returns
   * its argument. Rejects with a `StoreError`.
   */
  async update(id: string, change: (current: ParcelHistory) => ParcelHistory): Promise<ParcelHistory> {
    assertValidId(id, this.#context.database.place);
    const { promise, reject, resolve } = Promise.withResolvers<ParcelHistory>();
    this.#waiting.push({ id, change, resolve, reject });
    if (!this.#isWorking) void this.#work();
    return await promise;
  }

  /** Deletes a history permanently. Rejects with a `StoreError`. */
  async remove(id: string): Promise<void> {
    const { account, database } = this.#context;
    assertValidId(id, database.place);
    await database.query(sql.removeHistory, [account.id, id]);
  }

  /** Never rejects: each waiting change gets its own result. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    // Lets concurrent requests join the batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const taken = this.#takeSome();
      try {
        await this.#change(taken);
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    this.#isWorking = false;
  }

  /** Takes the first waiting changes, at most one per history. */
  #takeSome(): readonly Waiting[] {
    const taken = new Map<string, Waiting>();
    const left: Waiting[] = [];
    for (const one of this.#waiting) {
      if (taken.size < batchSize && !taken.has(one.id)) taken.set(one.id, one);
      else left.push(one);
    }
    this.#waiting = left;
    return [...taken.values()];
  }

  async #change(given: readonly Waiting[]): Promise<void> {
    let open = given;
    for (let tries = 1; open.length > 0; tries += 1) {
      if (tries > maxTries)
        throw new StoreError(
          'locked',
          {
            what: `${this.#context.database.place}: other programs keep changing the same history.`,
            advice: 'Try again.',
          },
          this.#context.database.place,
        );
      const rows = await this.#rows(open.map(({ id }) => id));
      const changed: Changed[] = [];
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

  /** Returns the ids that were written. Other hosts have changed the rest. */
  async #write(changed: readonly Changed[]): Promise<ReadonlySet<string>> {
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

  /** A history in the trash counts as missing, but a new one replaces it. */
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
