import { parseJson } from '../file/document-format.ts';
import { LeaseLostError } from '../poll-lease.ts';
import type { Database, StatePlace, Transaction } from './database.ts';
import { stateOf } from './server-errors.ts';

/** What a document held when it was last looked at. */
interface Known<Data> {
  readonly revision: number;
  readonly data: Data;
}

/**
 * A piece of JSON that the hosts of an account share. A change is made to the newest data: in one statement where that is
 * known, else under a lock. All methods reject with a `StoreError`; where the connection broke meanwhile, the change may
 * have been made or not.
 */
export class DatabaseDocument<Data extends object> {
  readonly #place: StatePlace;
  readonly #name: string;
  readonly #read: (value: unknown) => Data;
  #known: Known<Data> | null = null;

  /** @param read what a value of any shape holds; undefined stands for no document */
  constructor(place: StatePlace, name: string, read: (value: unknown) => Data) {
    this.#place = place;
    this.#name = name;
    this.#read = read;
  }

  /** What it holds. */
  async read(): Promise<Data> {
    return (await this.#look(this.#place.database))?.data ?? this.#read(undefined);
  }

  /**
   * Applies a change to the newest data and writes what comes of it; answers that. A change that answers its argument
   * writes nothing; it may be applied several times.
   * @param fence rejects with a `LeaseLostError` where this is not the number of the lease; null where it does not matter
   */
  async update(change: (current: Data) => Data, fence: number | null = null): Promise<Data> {
    const known = this.#known ?? (await this.#look(this.#place.database));
    if (known !== null) {
      const data = change(known.data);
      if (data === known.data && (await this.#isNewest(known))) return data;
      if (data !== known.data && (await this.#replace(known, data, fence))) return data;
    }
    return await this.#place.database.transaction((transaction) => this.#change(transaction, change, fence));
  }

  async #look(on: Pick<Database, 'query'>, lock: '' | 'for update' = ''): Promise<Known<Data> | null> {
    const { accountId } = this.#place;
    const [row] = await on.query<{ revision: number; body: string }>(
      `select revision, body from parcel_monitor.document where account_id = $1 and name = $2 ${lock}`,
      [accountId, this.#name],
      { isLook: true },
    );
    if (row === undefined) return null;
    if (row.revision !== this.#known?.revision)
      this.#known = { revision: row.revision, data: this.#read(parseJson(row.body)) };
    return this.#known;
  }

  async #isNewest(known: Known<Data>): Promise<boolean> {
    return (await this.#look(this.#place.database)) === known;
  }

  /** Writes if the document is as it was; the lease is looked at in the same statement, and stays as it is until that is done. */
  async #replace(known: Known<Data>, data: Data, fence: number | null): Promise<boolean> {
    const { accountId, database } = this.#place;
    // Whatever comes of it: what is known is not the newest any more.
    this.#known = null;
    const guard =
      fence === null
        ? { before: '', where: '', values: [] }
        : { before: `with held as (${heldLease('$5')})`, where: 'and exists (select 1 from held)', values: [fence] };
    try {
      const [written] = await database.query<{ revision: number }>(
        `${guard.before} update parcel_monitor.document set revision = revision + 1, body = $4::json
         where account_id = $1 and name = $2 and revision = $3 ${guard.where} returning revision`,
        [accountId, this.#name, known.revision, JSON.stringify({ version: 1, ...data }), ...guard.values],
      );
      if (written !== undefined) this.#known = { revision: written.revision, data };
      return written !== undefined;
    } catch (error) {
      if (stateOf(error) === '40001') return false;
      throw error;
    }
  }

  /** Makes the document; somebody else may be doing so. */
  async #begin(transaction: Transaction): Promise<Known<Data> | null> {
    await transaction.query(
      `insert into parcel_monitor.document (account_id, name, revision, body) values ($1, $2, 0, '{}')
       on conflict (account_id, name) do nothing`,
      [this.#place.accountId, this.#name],
    );
    return await this.#look(transaction, 'for update');
  }

  async #change(transaction: Transaction, change: (current: Data) => Data, fence: number | null): Promise<Data> {
    const { accountId, database } = this.#place;
    this.#known = null;
    if (fence !== null) {
      const [held] = await transaction.query(heldLease('$2'), [accountId, fence]);
      if (held === undefined) throw new LeaseLostError(database.place);
    }
    const locked = (await this.#look(transaction, 'for update')) ?? (await this.#begin(transaction));
    const current = locked?.data ?? this.#read(undefined);
    // Known for good once it is committed only.
    this.#known = null;
    const data = change(current);
    if (data === current) return data;
    await transaction.query(
      `update parcel_monitor.document set revision = revision + 1, body = $3::json where account_id = $1 and name = $2`,
      [accountId, this.#name, JSON.stringify({ version: 1, ...data })],
    );
    return data;
  }
}

/** Finds the lease of account $1 while it has this number, and keeps others from taking it until the transaction ends. */
const heldLease = (fence: string): string =>
  `select 1 as found from parcel_monitor.lease
   where account_id = $1 and fence = ${fence} and expires_at > clock_timestamp() for share`;
