import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { foldNumber } from '../../lib/text.ts';
import { type Parcel, readParcel } from '../../parcels/parcel.ts';
import { parseJson } from '../file/formats.ts';
import { type ParcelWrite, type ReadProgress, type Revision, type StoredParcels, splitIntoBatches } from '../store.ts';
import { type Account, type Database, throwAccountDeleted } from './database.ts';
import { pageRows, sql } from './sql.ts';

/** Maximum length of an index key. No real tracking number is longer, and an index cannot contain very long keys. */
const maxKeyLength = 200;

/** Maximum number of parcels that one write can append to the list. */
export const maxParcelsPerWrite = 2 ** 20;

export function numberKey(trackNo: string): string {
  const folded = foldNumber(trackNo).toWellFormed().replaceAll('\0', '');
  if (folded.length <= maxKeyLength) return folded;
  return `sha256:${createHash('sha256').update(folded).digest('hex')}`;
}

/** Returns the list position of a parcel that was added in a revision: after all earlier ones. */
export const listPosition = (revision: number, index: number): number => revision * maxParcelsPerWrite + index;

/** Parses a row's body. Returns null if it is not valid, which means that another program wrote it. */
export function parseParcel(id: string, body: string): Parcel | null {
  const { parcel } = readParcel(parseJson(body));
  return parcel?.id === id ? parcel : null;
}

/** Number of rows to parse before yielding to other work. */
const parseBatchSize = 100;

type Queryable = Pick<Database, 'query'>;

interface BodyRow {
  readonly id: string;
  readonly body: string;
}

interface PositionedRow extends BodyRow {
  readonly position: number;
}

/** A row of the first page. The id is null if the list is empty. */
interface FirstRow {
  readonly revision: number;
  readonly changeSeq: number;
  readonly total: number;
  readonly id: string | null;
  readonly position: number;
  readonly body: string;
}

/** The changes to an account's parcels since a revision. New parcels are in list order. */
interface ChangedRows {
  readonly revision: Revision;
  readonly changeSeq: number;
  readonly changes: readonly ParcelWrite[];
  /** Whether removals since the revision are no longer known, so that the whole list must be read again. */
  readonly isForgotten: boolean;
}

/** `id` is null if nothing changed, `body` is null if the parcel was removed. */
interface ChangedRow {
  readonly revision: number;
  readonly changeSeq: number;
  readonly pruned: number;
  readonly id: string | null;
  readonly at: number;
  readonly position: number | null;
  readonly body: string | null;
}

/** Reads the parcels of one account. Invalid rows are reported and left out. */
export class ParcelRows {
  readonly #account: Account;
  readonly #onUnusable: (parcelId: string) => void;

  constructor(account: Account, onUnusable: (parcelId: string) => void) {
    this.#account = account;
    this.#onUnusable = onUnusable;
  }

  /**
   * Returns all parcels in list order. They are read in pages, so changes made during the read may be missing; the next
   * {@link readChanges} returns them. Rejects with a `StoreError`.
   * @param onProgress called after each page if there are several
   */
  async readAll(
    database: Pick<Database, 'query' | 'place'>,
    onProgress: (progress: ReadProgress) => void,
  ): Promise<StoredParcels> {
    const first = await database.query<FirstRow>(sql.firstParcels, [this.#account.id]);
    const { changeSeq, revision, total } = first[0] ?? throwAccountDeleted(database.place, this.#account);
    const parcels: Parcel[] = [];
    let page: readonly PositionedRow[] = first.filter((row): row is FirstRow & PositionedRow => row.id !== null);
    for (;;) {
      const last = page.length < pageRows ? undefined : page.at(-1);
      // Let the server read the next page while we parse this one.
      const next =
        last === undefined
          ? null
          : database.query<PositionedRow>(sql.parcelPage, [this.#account.id, last.position, last.id]);
      // A failure is reported when we await the page.
      next?.catch(() => undefined);
      for (const batch of splitIntoBatches(page, parseBatchSize)) {
        if (parcels.length > 0) await yieldToEventLoop();
        parcels.push(...this.#parse(batch));
      }
      if (total >= pageRows) onProgress({ read: parcels.length, total: Math.max(total, parcels.length) });
      if (next === null) return { revision, changeSeq, parcels };
      page = await next;
    }
  }

  /** Returns the parcels with these ids, or with these {@link numberKey}s, in list order. */
  async readByKeys(
    database: Queryable,
    column: 'id' | 'number_key',
    keys: readonly string[],
  ): Promise<readonly Parcel[]> {
    const rows: PositionedRow[] = [];
    for (const batch of splitIntoBatches(keys, pageRows))
      rows.push(...(await database.query<PositionedRow>(sql.parcelsBy(column), [this.#account.id, batch])));
    return this.#parse(rows.sort((left, right) => left.position - right.position));
  }

  /**
   * Returns the changes since a revision. A few are read in one consistent statement. Many are read in pages in the order
   * in which they were written, so parcels that change during the read appear again at the end.
   */
  async readChanges(database: Queryable, since: number): Promise<ChangedRows> {
    const changedRows = new Map<string, ChangedRow>();
    let [at, id] = [since + 1, ''];
    let account: ChangedRow | undefined;
    for (;;) {
      const page = await database.query<ChangedRow>(sql.changedParcels, [this.#account.id, at, id], {
        failsFast: true,
      });
      for (const row of page) if (row.id !== null) changedRows.set(row.id, row);
      account = page[0];
      const last = page.at(-1);
      if (last === undefined || last.id === null || page.length < pageRows) break;
      [at, id] = [last.at, last.id];
    }
    const { changeSeq = 0, pruned = 0, revision = since } = account ?? {};
    const rows = [...changedRows.values()];
    const presentRows = rows
      .flatMap(({ body, id, position }) =>
        id === null || body === null ? [] : [{ id, body, position: position ?? 0 }],
      )
      .sort((left, right) => left.position - right.position);
    return {
      revision,
      changeSeq,
      changes: [
        ...rows.flatMap(({ body, id }) => (id !== null && body === null ? [{ id, parcel: null }] : [])),
        ...this.#parse(presentRows).map((parcel) => ({ id: parcel.id, parcel })),
      ],
      // After the database is restored from a backup, it is older than what we have seen.
      isForgotten: since < pruned || since > revision,
    };
  }

  #parse(rows: readonly BodyRow[]): readonly Parcel[] {
    return rows.flatMap(({ body, id }) => {
      const parcel = parseParcel(id, body);
      if (parcel === null) this.#onUnusable(id);
      return parcel ?? [];
    });
  }
}
