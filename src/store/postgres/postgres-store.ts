import { createSerialQueue } from '../../lib/async.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { sameJson } from '../../lib/same-json.ts';
import { StoreError, toStoreError } from '../../lib/store-errors.ts';
import { lightOf } from '../../parcels/light-parcel.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { ParcelPositions } from '../../parcels/parcel-list.ts';
import { Revisions, refuseLight } from '../revisions.ts';
import type { ParcelForm, ReadProgress, Revision, StoreChanges, StoredParcels, WatchlistStore } from '../store.ts';
import { type Account, accountIsGone, readAccount } from './accounts.ts';
import { changeLogAfter, prune } from './change-log.ts';
import { type ChangedRows, changedRows } from './changed-rows.ts';
import type { Database } from './database.ts';
import { Histories } from './histories.ts';
import { ParcelRows } from './parcel-rows.ts';
import { type WrittenParcels, writeParcels } from './write-parcels.ts';

/** Another program may have given a row any id. */
const longestShown = 100;

/** The sentence about rows that were skipped: there may be as many as the list is long. */
function skippedNotice([first = '', ...others]: readonly string[], place: string): string {
  const more = others.length === 0 ? '' : ` and ${others.length.toLocaleString('en')} more`;
  const rows = `${cleanText(first).slice(0, longestShown)}${more} in ${place}`;
  return `${rows} cannot be used and ${more === '' ? 'is' : 'are'} skipped: another program has written there. The manual says what to do ("A watchlist in a database").`;
}

/** From so many parcels on a list is read as light ones. */
const mostWhole = 2_000;

/** What a store in a database is made with. */
interface PostgresStoreOptions {
  readonly database: Database;
  readonly account: Account;
  /** From so many parcels on a list is read as light ones; {@link mostWhole} by default. */
  readonly lightFrom?: number;
}

/** The port as a database fills it, which can do all of it. */
export type PostgresStore = Required<WatchlistStore>;

/** What of the list is held: all of it, or only what was asked for. */
interface Held {
  readonly revisions: Revisions;
  readonly form: ParcelForm;
  readonly isAll: boolean;
}

/**
 * The watchlist of one account in a database. Several stores and processes may use it at once: every write has the account
 * for itself, and all of it, with its lines of the change log, is one transaction.
 */
export function createPostgresStore({ account, database, lightFrom = mostWhole }: PostgresStoreOptions): PostgresStore {
  const notices: string[] = [];
  const skipped = new Set<string>();
  const untold: string[] = [];
  const skip = (row: string): void => {
    if (skipped.has(row)) return;
    skipped.add(row);
    untold.push(row);
  };
  const rows = new ParcelRows(account, (id) => skip(`The parcel ${id}`));
  const histories = new Histories({ database, account, onUnusable: (id) => skip(`The history ${id}`) });
  /** What is held of the list changes in turn. */
  const queue = createSerialQueue();
  let held: Held | null = null;
  const listeners = new Set<(progress: ReadProgress) => void>();
  const positions = new ParcelPositions();

  const formed = (parcel: Parcel, form: ParcelForm): Parcel => (form === 'light' ? lightOf(parcel) : parcel);
  const changedSince = async (revision: Revision, form: ParcelForm): Promise<ChangedRows> =>
    await changedRows(database, account, rows, revision, form);
  /** Reads all; what others write meanwhile is taken over at the end. */
  const readAll = async (): Promise<Held> => {
    const tell = (progress: ReadProgress): void => {
      for (const listener of listeners) listener(progress);
    };
    const all =
      (await rows.all(database, lightFrom, listeners.size === 0 ? null : tell)) ??
      accountIsGone(database.place, account);
    const { changeSeq, form, isOfOneMoment, parcels, revision } = all;
    const read: Held = { revisions: new Revisions(positions, { revision, changeSeq, parcels }), form, isAll: true };
    return isOfOneMoment || (await caughtUp(read)) ? read : await readAll();
  };
  /** Takes over what has changed; false where too much has been forgotten for that. */
  const caughtUp = async ({ form, revisions }: Held): Promise<boolean> => {
    const changes = await changedSince(revisions.newest.revision, form);
    if (!changes.isForgotten) revisions.advance(changes);
    return !changes.isForgotten;
  };
  const newestOf = async (known: Held | null): Promise<Held> => {
    if (known !== null && (await caughtUp(known))) return known;
    return await readAll();
  };
  /** The list as it is now, as far as it is held. */
  const refreshed = async (): Promise<StoredParcels> => {
    held = await newestOf(held);
    return held.revisions.newest;
  };
  /** Holds a part of the list, where not all of it is held. */
  const holdPart = (part: StoredParcels): void => {
    if (held === null || !held.isAll) held = { revisions: new Revisions(positions, part), form: 'whole', isAll: false };
  };
  /** Of a revision from which the steps are not remembered. */
  const readChanges = async (since: Revision, { form, revisions }: Held): Promise<StoreChanges | null> => {
    const { isForgotten, ...changes } = await changedSince(since, form);
    if (isForgotten) return null;
    const heldFor = (parcel: Parcel): Parcel => {
      const known = positions.find(revisions.newest.parcels, parcel.id);
      return known !== null && sameJson(known, parcel) ? known : parcel;
    };
    return { ...changes, changed: changes.changed.map(heldFor), isAll: false };
  };
  const takeOver = async ({ before, changeSeq, revision, written }: WrittenParcels): Promise<StoredParcels> => {
    if (held === null || held.revisions.newest.revision !== before.revision) return await refreshed();
    const { form, revisions } = held;
    if (written.length > 0)
      revisions.advance({
        revision,
        changeSeq,
        changed: written.flatMap(({ parcel }) => (parcel === null ? [] : [formed(parcel, form)])),
        removed: written.flatMap(({ id, parcel }) => (parcel === null ? [id] : [])),
      });
    return revisions.newest;
  };
  /** Beside the change, which must not fail for it. */
  const pruned = async (): Promise<void> => {
    try {
      await prune(database, account);
    } catch (error) {
      const { message } = toStoreError(error, database.place);
      notices.push(`What is too old stays in the database for now. ${message}`);
    }
  };

  return {
    get readOnly() {
      return database.readOnly;
    },
    writesAtOnce: true,
    positions,
    read: async () =>
      await queue.run(async () => {
        if (held?.isAll === false) held = null;
        return await refreshed();
      }),
    whole: async (ids) => await rows.ofIds(database, ids),
    soonest: async (most) =>
      await queue.run(async () => {
        const { changeSeq, revision } = await readAccount(database, account);
        const found = await rows.soonest(database, most + 1);
        const part = { revision, changeSeq, parcels: found.slice(0, most) };
        holdPart(part);
        return { ...part, isAll: found.length <= most };
      }),
    pages: (form) => rows.pages(database, form),
    withNumbers: async (numbers) => await rows.ofNumbers(database, numbers),
    onlyNumbers: async (numbers) =>
      await queue.run(async () => {
        // The revision first: what is written meanwhile comes once more with what has changed since.
        const { changeSeq, revision } = await readAccount(database, account);
        const part = { revision, changeSeq, parcels: await rows.ofNumbers(database, numbers) };
        holdPart(part);
        return part;
      }),
    onReading: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onNews: (listener) =>
      database.onNews((announced) => {
        if (announced === null || announced === String(account.id)) listener();
      }),
    async write(writes, basedOn, now, { fence = null } = {}) {
      refuseLight(writes);
      if (writes.length > 0 && database.readOnly !== null)
        throw new StoreError('read-only', database.readOnly, database.place);
      return await queue.run(async () => {
        if (writes.length === 0) return { isWritten: true, current: await refreshed() };
        const result = await writeParcels({ database, account, rows }, { writes, basedOn, now, fence });
        if (result.kind !== 'written') {
          const current = await refreshed();
          return { isWritten: false, current, ...(result.kind === 'fenced' ? { isFenced: true } : {}) };
        }
        const current = await takeOver(result);
        if (result.before.isPruneDue) await pruned();
        return { isWritten: true, current };
      });
    },
    changesSince: async (revision) =>
      await queue.run(async () => {
        held = await newestOf(held);
        const changes = held.revisions.since(revision);
        return changes?.isAll === true ? ((await readChanges(revision, held)) ?? changes) : changes;
      }),
    changeLogAfter: async (seq) => await changeLogAfter(database, account, seq),
    // No line is older than that, and an engine may know no times before.
    changeLogFrom: async (noticedAt) => await changeLogAfter(database, account, 0, Math.max(0, noticedAt)),
    // Whoever writes the tables by hand does so behind the log, too.
    logEdits: async () => null,
    readHistory: async (historyId) => await histories.read(historyId),
    updateHistory: async (historyId, change) => await histories.update(historyId, change),
    removeHistory: async (historyId) => await histories.remove(historyId),
    takeNotices: () => [
      ...notices.splice(0),
      ...(untold.length === 0 ? [] : [skippedNotice(untold.splice(0), database.place)]),
    ],
  };
}
