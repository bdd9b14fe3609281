import type { Registration } from './registration.ts';

/** Called after every change with the registration before and after it, null for none. */
export type RegistryListener = (previous: Registration | null, current: Registration | null) => void;

/** All registrations of an account, found without looking at the others. */
export interface Registry {
  readonly size: number;
  /** How many were ever added. */
  readonly added: number;
  /** Adds a registration, or puts it in the place of the one with its id. */
  put(registration: Registration): void;
  remove(registration: Registration): void;
  /** By id. */
  get(id: string): Registration | undefined;
  /** All registrations of a number, in capitals or not; with a courier code only that courier's. */
  find(trackNo: string, courierCode: string | null): readonly Registration[];
  findByOrderNo(orderNo: string): readonly Registration[];
  /** All registrations, oldest first. */
  all(): readonly Registration[];
  /** Has `listener` called after every change. */
  listen(listener: RegistryListener): void;
}

/** Ids by a text under which they are looked for. */
interface Index {
  add(key: string, id: string): void;
  remove(key: string, id: string): void;
  idsOf(key: string): Iterable<string>;
}

function createIndex(): Index {
  const ids = new Map<string, Set<string>>();
  return {
    add: (key, id) => {
      const known = ids.get(key);
      if (known === undefined) ids.set(key, new Set([id]));
      else known.add(id);
    },
    remove: (key, id) => {
      const known = ids.get(key);
      known?.delete(id);
      if (known?.size === 0) ids.delete(key);
    },
    idsOf: (key) => ids.get(key) ?? [],
  };
}

const numberOf = (trackNo: string): string => trackNo.toUpperCase();

/** A registry that holds nothing yet. */
export function createRegistry(): Registry {
  // A map keeps the order of addition, also when an entry is replaced.
  const entries = new Map<string, Registration>();
  const byNumber = createIndex();
  const byOrderNo = createIndex();
  const listeners: RegistryListener[] = [];
  /** Made when somebody lists the account, good until it changes. */
  let listing: readonly Registration[] | null = null;
  let added = 0;

  const take = (key: string, index: Index): readonly Registration[] =>
    Array.from(index.idsOf(key)).flatMap((id) => entries.get(id) ?? []);
  const forget = ({ id, trackNo, merchant }: Registration): void => {
    byNumber.remove(numberOf(trackNo), id);
    if (merchant.orderNo !== undefined) byOrderNo.remove(merchant.orderNo, id);
  };
  const notify = (previous: Registration | null, current: Registration | null): void => {
    listing = null;
    for (const listener of listeners) listener(previous, current);
  };

  return {
    get size() {
      return entries.size;
    },
    get added() {
      return added;
    },
    put: (registration) => {
      const { id, trackNo, merchant } = registration;
      const previous = entries.get(id) ?? null;
      if (previous === null) added += 1;
      else forget(previous);
      entries.set(id, registration);
      byNumber.add(numberOf(trackNo), id);
      if (merchant.orderNo !== undefined) byOrderNo.add(merchant.orderNo, id);
      notify(previous, registration);
    },
    remove: (registration) => {
      if (!entries.delete(registration.id)) return;
      forget(registration);
      notify(registration, null);
    },
    get: (id) => entries.get(id),
    find: (trackNo, courierCode) => {
      const found = take(numberOf(trackNo), byNumber);
      return courierCode === null ? found : found.filter(({ courier }) => courier.code === courierCode);
    },
    findByOrderNo: (orderNo) => take(orderNo, byOrderNo),
    all: () => {
      listing ??= [...entries.values()];
      return listing;
    },
    listen: (listener) => {
      listeners.push(listener);
    },
  };
}
