import { createHash } from 'node:crypto';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { foldNumber } from '../../lib/text.ts';
import { packLight, readLight } from '../../parcels/light-parcel.ts';
import { type Parcel, readParcel } from '../../parcels/parcel.ts';
import { waitsUntil } from '../../parcels/parcel-stage.ts';
import { parseJson } from '../file/document-format.ts';
import { inBatches, type ParcelForm, type ReadProgress, type StoredParcels } from '../store.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';

/** Longer numbers than this are no numbers of couriers, and too long for an index. */
const longestKey = 200;

/** How many parcels one write may put behind the others. */
export const mostInWrite = 2 ** 20;

/** The form of a number by which equal ones are found in an index; others may share it, if they are very long. */
export function numberKey(trackNo: string): string {
  const folded = foldNumber(trackNo).toWellFormed().replaceAll('\0', '');
  if (folded.length <= longestKey) return folded;
  return `sha256:${createHash('sha256').update(folded).digest('hex')}`;
}

/** Where a parcel that is new with a revision stands in the list: behind all older ones. */
export const positionOf = (revision: number, index: number): number => revision * mostInWrite + index;

/**
 * Of rows of the trash: not for a parcel of which nothing could be used, which leaves nothing there but word for followers that it is
 * gone.
 */
export const isNoTombstone = "body::text <> 'null'";

/** A parcel as its row holds it. */
interface WrittenParcel {
  readonly id: string;
  readonly numberKey: string;
  /** When it is due, in milliseconds; null when it has left the queue. */
  readonly dueAt: number | null;
  readonly light: string;
  readonly body: string;
}

/** The row of a parcel, but for its place. */
export function rowOf(parcel: Parcel): WrittenParcel {
  return {
    id: parcel.id,
    numberKey: numberKey(parcel.trackNo),
    dueAt: waitsUntil(parcel),
    light: lightText(parcel),
    body: JSON.stringify(parcel),
  };
}

/** What a row holds of a parcel beside the whole one. */
export const lightText = (parcel: Parcel): string => JSON.stringify(packLight(parcel));

/** The parcel of a row's body; null for one that cannot be used, which somebody else must have written. */
export function parcelOf(id: string, body: string): Parcel | null {
  const { parcel } = readParcel(parseJson(body));
  return parcel?.id === id ? parcel : null;
}

/** The light parcel of a row; null for one that cannot be used. */
export const lightParcelOf = (id: string, light: string): Parcel | null => readLight(id, parseJson(light), light);

/** How many rows are read at a time: then others have their turn, the connection and the thread. */
export const pageRows = 1_024;

/** How many rows become parcels before everybody else has a turn: some milliseconds of light ones. */
const parsedInTurn = 100;

/** No plan goes further, whatever the policy. */
const farthestPlan = "clock_timestamp() + interval '60 days'";

/** What may be asked, inside a transaction or not. */
export type Asking = Pick<Database, 'query'>;

/** Takes note of a row that cannot be used. */
type OnUnusable = (parcelId: string) => void;

interface TextRow {
  readonly id: string;
  readonly text: string;
}

interface PlacedRow extends TextRow {
  readonly position: number;
}

/** A row of the first page; its parcel is null where there is none. */
interface FirstRow {
  readonly revision: number;
  readonly changeSeq: number;
  readonly islight: boolean;
  readonly id: string | null;
  readonly position: number | null;
  readonly text: string | null;
}

/** A list as it was read, with the revision from before. */
interface ReadParcels extends StoredParcels {
  readonly form: ParcelForm;
  /** True when nobody can have written in between. */
  readonly isOfOneMoment: boolean;
}

/** How far the account has got, how long its list is, and the first of it: most lists are no longer, so they take one question. */
const firstPage = `
  select a.revision, a.seq as "changeSeq", n.count >= $2::int as islight, p.id, p.position,
    case when n.count >= $2::int then p.light else p.body end as text
  from parcel_monitor.account a
  cross join lateral (
    select count(*) as count from (
      select 1 from parcel_monitor.parcel f where f.account_id = a.id limit $2::int) as few) as n
  left join lateral (
    select q.id, q.position, q.light, q.body from parcel_monitor.parcel q
    where q.account_id = a.id order by q.position, q.id limit $3::int) as p on true
  where a.id = $1
  order by p.position, p.id`;

/** Reads single parcels and lists of one account. Rows that cannot be used are told and left out. */
export class ParcelRows {
  readonly #account: Account;
  readonly #onUnusable: OnUnusable;

  constructor(account: Account, onUnusable: OnUnusable) {
    this.#account = account;
    this.#onUnusable = onUnusable;
  }

  /**
   * All parcels in their order, page by page, as light ones from so many on; what others write meanwhile may be in it or not.
   * Null where the account is gone.
   * @param onProgress called after each page of several; null where nobody asks, which saves a question
   */
  async all(
    asking: Asking,
    lightFrom: number,
    onProgress: ((progress: ReadProgress) => void) | null = null,
  ): Promise<ReadParcels | null> {
    const first = await asking.query<FirstRow>(firstPage, [this.#account.id, lightFrom, pageRows]);
    const [account] = first;
    if (account === undefined) return null;
    const form = account.islight ? 'light' : 'whole';
    const page = first.filter((row): row is FirstRow & PlacedRow => row.id !== null);
    const parcels: Parcel[] = [];
    let total: number | null = null;
    const isOfOneMoment = page.length < pageRows;
    for await (const rows of this.#pages(asking, form, page)) {
      if (onProgress !== null && parcels.length === 0 && !isOfOneMoment) {
        // Whatever is wrong, the reading says it.
        const counted = this.#count(asking).catch(() => null);
        void counted.then((count) => {
          total = count;
        });
      }
      for (const some of inBatches(rows, parsedInTurn)) {
        if (parcels.length > 0) await turnOfTheLoop();
        for (const parcel of this.parse(some, form)) parcels.push(parcel);
      }
      // Others add some meanwhile.
      if (!isOfOneMoment)
        onProgress?.({ read: parcels.length, total: total === null ? null : Math.max(total, parcels.length) });
    }
    const { changeSeq, revision } = account;
    return { revision, changeSeq, form, parcels, isOfOneMoment };
  }

  /** How many there are. */
  async #count(asking: Asking): Promise<number | null> {
    const [row] = await asking.query<{ readonly count: number }>(
      'select count(*)::int as count from parcel_monitor.parcel where account_id = $1',
      [this.#account.id],
    );
    return row?.count ?? null;
  }

  /** All parcels in their order, a page at a time, none of which is held. */
  async *pages(asking: Asking, form: ParcelForm): AsyncGenerator<readonly Parcel[]> {
    const first = await this.#pageAfter(asking, form, { position: -1, id: '' });
    for await (const rows of this.#pages(asking, form, first)) {
      for (const some of inBatches(rows, parsedInTurn)) {
        yield this.parse(some, form);
        await turnOfTheLoop();
      }
    }
  }

  /** The rows of all, a page at a time; the server looks for the next one while this one is worked on. */
  async *#pages(asking: Asking, form: ParcelForm, first: readonly PlacedRow[]): AsyncGenerator<readonly TextRow[]> {
    let page = first;
    for (;;) {
      const last = page.at(-1);
      const asked = last === undefined || page.length < pageRows ? null : this.#pageAfter(asking, form, last);
      // Its failure is told where it is waited for.
      asked?.catch(() => undefined);
      yield page;
      if (asked === null) return;
      page = await asked;
    }
  }

  async #pageAfter(
    asking: Asking,
    form: ParcelForm,
    { id, position }: Pick<PlacedRow, 'id' | 'position'>,
  ): Promise<readonly PlacedRow[]> {
    return await asking.query<PlacedRow>(
      `select id, position, ${columnOf(form)} as text from parcel_monitor.parcel
       where account_id = $1 and (position, id) > ($2, $3) order by position, id limit ${pageRows}`,
      [this.#account.id, position, id],
    );
  }

  /** Whole parcels of these ids, in the order of the list. */
  async ofIds(asking: Asking, ids: readonly string[]): Promise<readonly Parcel[]> {
    return await this.#ofKeys(asking, 'id', ids);
  }

  /** Whole parcels of these numbers, in the order of the list. */
  async ofNumbers(asking: Asking, numbers: readonly string[]): Promise<readonly Parcel[]> {
    return await this.#ofKeys(asking, 'number_key', numbers.map(numberKey));
  }

  /** The whole parcels that are due first; before them those that are due later than any plan goes, which counts as now. */
  async soonest(asking: Asking, most: number): Promise<readonly Parcel[]> {
    const rows = await asking.query<TextRow>(
      `(select id, body as text, 0 as turn, due_at from parcel_monitor.parcel
         where account_id = $1 and due_at > ${farthestPlan} order by due_at limit $2)
       union all
       (select id, body as text, 1 as turn, due_at from parcel_monitor.parcel
         where account_id = $1 and due_at <= ${farthestPlan} order by due_at limit $2)
       order by turn, due_at limit $2`,
      [this.#account.id, most],
    );
    return this.parse(rows, 'whole');
  }

  /** The parcels of rows. */
  parse(rows: readonly TextRow[], form: ParcelForm): readonly Parcel[] {
    const read = form === 'whole' ? parcelOf : lightParcelOf;
    return rows.flatMap(({ id, text }) => {
      const parcel = read(id, text);
      if (parcel === null) this.#onUnusable(id);
      return parcel ?? [];
    });
  }

  async #ofKeys(asking: Asking, column: 'id' | 'number_key', keys: readonly string[]): Promise<readonly Parcel[]> {
    const rows: PlacedRow[] = [];
    for (const some of inBatches(keys, pageRows)) {
      const found = await asking.query<PlacedRow>(
        `select id, position, body as text from parcel_monitor.parcel
         where account_id = $1 and ${column} = any($2::text[])`,
        [this.#account.id, some],
      );
      rows.push(...found);
    }
    return this.parse(
      rows.sort((left, right) => left.position - right.position),
      'whole',
    );
  }
}

const columnOf = (form: ParcelForm): string => (form === 'whole' ? 'body' : 'light');
