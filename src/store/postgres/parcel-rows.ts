import { createHash } from 'node:crypto';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { foldNumber } from '../../lib/text.ts';
import { type Parcel, readParcel } from '../../parcels/parcel.ts';
import { parseJson } from '../file/document-format.ts';
import { inBatches, type ParcelWrite, type ReadProgress, type Revision, type StoredParcels } from '../store.ts';
import { type Account, accountIsGone } from './accounts.ts';
import type { Database } from './database.ts';
import { pageRows, sql } from './sql.ts';

/** Maximum length of a key. Longer numbers do not exist, and do not fit into an index. */
const maxKeyLength = 200;

/** Maximum number of parcels that one write can append to the list. */
export const maxWriteBytes = 2 ** 20;

/** Returns a number's key in the index. Very long numbers may share one. */
export function numberKey(trackNo: string): string {
  const folded = foldNumber(trackNo).toWellFormed().replaceAll('\0', '');
  if (folded.length <= maxKeyLength) return folded;
  return `sha256:${createHash('sha256').update(folded).digest('hex')}`;
}

/** Returns the position in the list of a parcel that is new in a revision: after all older ones. */
export const positionOf = (revision: number, index: number): number => revision * maxWriteBytes + index;

/** A parcel's row. */
interface WrittenParcel {
  readonly id: string;
  readonly numberKey: string;
  readonly body: string;
}

/** Returns a parcel's row, without its position. */
export function rowOf(parcel: Parcel): WrittenParcel {
  return {
    id: parcel.id,
    numberKey: numberKey(parcel.trackNo),
    body: JSON.stringify(parcel),
  };
}

/** Parses a row's body. Returns null if it is not valid, because another program wrote it. */
export function parcelOf(id: string, body: string): Parcel | null {
  const { parcel } = readParcel(parseJson(body));
  return parcel?.id === id ? parcel : null;
}

/** Number of rows that we parse before we yield to other work. */
const parsedInTurn = 100;

/** Runs queries, inside a transaction or not. */
type Asking = Pick<Database, 'query'>;

interface BodyRow {
  readonly id: string;
  readonly body: string;
}

interface PlacedRow extends BodyRow {
  readonly position: number;
}

/** A row of the first page. The id is null if there is no parcel. */
interface FirstRow {
  readonly revision: number;
  readonly changeSeq: number;
  readonly total: number;
  readonly id: string | null;
  readonly position: number;
  readonly body: string;
}

/** The changes of an account's parcels since a revision, new ones in list order. */
interface ChangedRows {
  readonly revision: Revision;
  readonly changeSeq: number;
  readonly changes: readonly ParcelWrite[];
  /** True if removals since the revision are no longer known. */
  readonly isForgotten: boolean;
}

/** A row of the changes. `id` is null if nothing changed, `body` is null if the parcel is gone. */
interface ChangedRow {
  readonly revision: number;
  readonly changeSeq: number;
  readonly pruned: number;
  readonly id: string | null;
  readonly at: number;
  readonly position: number | null;
  readonly body: string | null;
}

/** Reads single parcels and lists of one account. Invalid rows are reported and left out. */
export class ParcelRows {
  readonly #account: Account;
  readonly #onUnusable: (parcelId: string) => void;

  constructor(account: Account, onUnusable: (parcelId: string) => void) {
    this.#account = account;
    this.#onUnusable = onUnusable;
  }

  /**
   * Returns all parcels in order, read in pages. Changes made during the read may be missing, but come again with the
   * next changes. Rejects with a `StoreError`.
   * @param onProgress called after each page if there are several
   */
  async all(
    database: Pick<Database, 'query' | 'place'>,
    onProgress: (progress: ReadProgress) => void,
  ): Promise<StoredParcels> {
    const first = await database.query<FirstRow>(sql.firstParcels, [this.#account.id]);
    const { changeSeq, revision, total } = first[0] ?? accountIsGone(database.place, this.#account);
    const parcels: Parcel[] = [];
    let page: readonly PlacedRow[] = first.filter((row): row is FirstRow & PlacedRow => row.id !== null);
    for (;;) {
      const last = page.length < pageRows ? undefined : page.at(-1);
      // The server reads the next page while we parse this one.
      const next = last === undefined ? null : this.#pageAfter(database, last);
      // Its failure is reported where we wait for it.
      next?.catch(() => undefined);
      for (const some of inBatches(page, parsedInTurn)) {
        if (parcels.length > 0) await turnOfTheLoop();
        parcels.push(...this.#parse(some));
      }
      if (total >= pageRows) onProgress({ read: parcels.length, total: Math.max(total, parcels.length) });
      if (next === null) return { revision, changeSeq, parcels };
      page = await next;
    }
  }

  async #pageAfter(asking: Asking, { id, position }: PlacedRow): Promise<readonly PlacedRow[]> {
    return await asking.query<PlacedRow>(sql.parcelPage, [this.#account.id, position, id]);
  }

  /** Returns the parcels with these ids, in list order. */
  async ofIds(asking: Asking, ids: readonly string[]): Promise<readonly Parcel[]> {
    return await this.#ofKeys(asking, 'id', ids);
  }

  /** Returns the parcels with these numbers, in list order. */
  async ofNumbers(asking: Asking, numbers: readonly string[]): Promise<readonly Parcel[]> {
    return await this.#ofKeys(asking, 'number_key', numbers.map(numberKey));
  }

  /**
   * Reads the changes since a revision. A few are read in one consistent statement. Many are read in pages in the order
   * in which they were written; changes made during the read come again at the end.
   */
  async changedSince(asking: Asking, since: number): Promise<ChangedRows> {
    const found = new Map<string, ChangedRow>();
    let [at, id] = [since + 1, ''];
    let account: ChangedRow | undefined;
    for (;;) {
      const page = await asking.query<ChangedRow>(sql.changedParcels, [this.#account.id, at, id], { isLook: true });
      for (const row of page) if (row.id !== null) found.set(row.id, row);
      account = page[0];
      const last = page.at(-1);
      if (last === undefined || last.id === null || page.length < pageRows) break;
      [at, id] = [last.at, last.id];
    }
    const { changeSeq = 0, pruned = 0, revision = since } = account ?? {};
    const all = [...found.values()];
    const present = all
      .flatMap(({ body, id, position }) =>
        id === null || body === null ? [] : [{ id, body, position: position ?? 0 }],
      )
      .sort((left, right) => left.position - right.position);
    return {
      revision,
      changeSeq,
      changes: [
        ...all.flatMap(({ body, id }) => (id !== null && body === null ? [{ id, parcel: null }] : [])),
        ...this.#parse(present).map((parcel) => ({ id: parcel.id, parcel })),
      ],
      // A database restored from a copy is older than what we have seen.
      isForgotten: since < pruned || since > revision,
    };
  }

  #parse(rows: readonly BodyRow[]): readonly Parcel[] {
    return rows.flatMap(({ body, id }) => {
      const parcel = parcelOf(id, body);
      if (parcel === null) this.#onUnusable(id);
      return parcel ?? [];
    });
  }

  async #ofKeys(asking: Asking, column: 'id' | 'number_key', keys: readonly string[]): Promise<readonly Parcel[]> {
    const rows: PlacedRow[] = [];
    for (const some of inBatches(keys, pageRows)) {
      const found = await asking.query<PlacedRow>(sql.parcelsOf(column), [this.#account.id, some]);
      rows.push(...found);
    }
    return this.#parse(rows.sort((left, right) => left.position - right.position));
  }
}
