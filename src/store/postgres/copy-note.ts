import { type Clock, sleep } from '../../lib/clock.ts';
import { isJsonObject } from '../../lib/json.ts';
import { anotherCopy, type BeginOptions, occupied, takenOver } from '../copy.ts';
import { parseJson } from '../file/document-format.ts';
import { type Account, lockAccount } from './accounts.ts';
import type { Database, Transaction } from './database.ts';

/** The document that says that a copy is not complete. */
const noteName = 'copying';
/** Between two looks whether another copy goes on, in milliseconds. */
const betweenLooksMs = 500;
/** A copy that was written on goes on; of one that has not moved for so many looks nobody is left. */
const mostLooks = 20;

/** What a {@link CopyNote} is made with. */
interface CopyNoteOptions {
  readonly database: Database;
  readonly account: Account;
  /** Where the copy goes, as it is shown. */
  readonly place: string;
  readonly clock: Clock;
  /** Differs for each copy that is made. */
  readonly holder: string;
}

/** What stands in the note: where the copy comes from, and who makes it; null where it was interrupted. */
interface Noted {
  readonly from: string;
  readonly by: string | null;
  /** The same text as long as whoever makes it has not moved. */
  readonly mark: string;
}

/** Whether a copy that had begun goes on; or by whom another one is being made. */
type Taken = boolean | { readonly busy: string };

/**
 * The note, beside a watchlist that is being copied to an account, that it is not complete. Who makes the copy renews it with
 * all that they write; so it tells whether they still do, and none writes beside another.
 */
export class CopyNote {
  readonly #options: CopyNoteOptions;
  #body: string | null = null;

  constructor(options: CopyNoteOptions) {
    this.#options = options;
  }

  /** Where an incomplete copy comes from; null where there is none. */
  async from(): Promise<string | null> {
    return (await this.#look(this.#options.database))?.from ?? null;
  }

  /**
   * Takes note that a copy from there has begun, or goes on (true). Waits to see whether another one does; rejects with a
   * `StoreError` where it does, and where another watchlist is.
   */
  async begin(from: string, { onWaiting, signal }: BeginOptions = {}): Promise<boolean> {
    const { clock, database, place } = this.#options;
    let busy: string | null = null;
    for (let looks = 1; ; looks += 1) {
      const abandoned: string | null = looks > mostLooks ? busy : null;
      const found: Taken = await database.transaction((transaction) => this.#take(transaction, from, abandoned));
      if (typeof found === 'boolean') return found;
      if (busy !== null && busy !== found.busy) throw anotherCopy(place);
      if (busy === null) onWaiting?.();
      busy = found.busy;
      await sleep(clock, betweenLooksMs, signal);
      signal?.throwIfAborted();
    }
  }

  /** Says that the copy goes on, where it has begun. Rejects with a `StoreError` where somebody else has taken it over. */
  async keep(asking: Pick<Transaction, 'query'> = this.#options.database): Promise<void> {
    const { account, place } = this.#options;
    if (this.#body === null) return;
    const [kept] = await asking.query(
      `update parcel_monitor.document set revision = revision + 1
       where account_id = $1 and name = $2 and body::text = $3 returning 1 as kept`,
      [account.id, noteName, this.#body],
    );
    if (kept === undefined) throw takenOver(place);
  }

  /** Whoever makes the copy again need not wait. */
  async leave(): Promise<void> {
    const { account, database } = this.#options;
    const body = this.#body;
    if (body === null) return;
    this.#body = null;
    await database.query(
      'update parcel_monitor.document set body = $4::json where account_id = $1 and name = $2 and body::text = $3',
      [account.id, noteName, body, JSON.stringify({ from: readNoted(body, 0)?.from, by: null })],
    );
  }

  /** The copy is complete. */
  async remove(transaction: Transaction): Promise<void> {
    await transaction.query('delete from parcel_monitor.document where account_id = $1 and name = $2', [
      this.#options.account.id,
      noteName,
    ]);
  }

  /** To be called when that was committed. */
  forget(): void {
    this.#body = null;
  }

  async #take(transaction: Transaction, from: string, abandoned: string | null): Promise<Taken> {
    const { account, holder, place } = this.#options;
    // Whoever wants to copy here waits for the end of this.
    const { revision } = await lockAccount(transaction, account, place);
    const noted = await this.#look(transaction);
    if (noted === null ? revision > 0 : noted.from !== from) throw occupied(place, noted?.from ?? null);
    if (noted !== null && noted.by !== null && noted.by !== holder && noted.mark !== abandoned)
      return { busy: noted.mark };
    const body = JSON.stringify({ from, by: holder });
    await transaction.query(
      `insert into parcel_monitor.document as kept (account_id, name, revision, body) values ($1, $2, 1, $3::json)
       on conflict (account_id, name) do update set revision = kept.revision + 1, body = excluded.body`,
      [account.id, noteName, body],
    );
    this.#body = body;
    return noted !== null;
  }

  async #look(asking: Pick<Transaction, 'query'>): Promise<Noted | null> {
    const [row] = await asking.query<{ revision: number; body: string }>(
      'select revision, body from parcel_monitor.document where account_id = $1 and name = $2',
      [this.#options.account.id, noteName],
    );
    return row === undefined ? null : readNoted(row.body, row.revision);
  }
}

/** A note of an older version names nobody. */
function readNoted(body: string, revision: number): Noted | null {
  const value = parseJson(body);
  if (!isJsonObject(value) || typeof value['from'] !== 'string') return null;
  const by = typeof value['by'] === 'string' ? value['by'] : null;
  return { from: value['from'], by, mark: `${by} ${revision}` };
}
