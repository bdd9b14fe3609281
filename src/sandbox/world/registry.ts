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

/** Registrations by a text under which they are looked for, and there by id. */
type Index = Map<string, Map<string, Registration>>;

function addTo(index: Index, key: string, registration: Registration): void {
  const known = index.get(key) ?? new Map<string, Registration>();
  index.set(key, known.set(registration.id, registration));
}

function removeFrom(index: Index, key: string, id: string): void {
  const known = index.get(key);
  known?.delete(id);
  if (known?.size === 0) index.delete(key);
}

const numberOf = (trackNo: string): string => trackNo.toUpperCase();

/** A registry that holds nothing yet. */
export function createRegistry(): Registry {
  // A map keeps the order of addition, also when an entry is replaced.
  const entries = new Map<string, Registration>();
  const byNumber: Index = new Map();
  const byOrderNo: Index = new Map();
  const listeners: RegistryListener[] = [];
  /** Made when somebody lists the account, good until it changes. */
  let listing: readonly Registration[] | null = null;
  let added = 0;

  const take = (key: string, index: Index): readonly Registration[] => [...(index.get(key)?.values() ?? [])];
  const forget = ({ id, trackNo, merchant }: Registration): void => {
    removeFrom(byNumber, numberOf(trackNo), id);
    if (merchant.orderNo !== undefined) removeFrom(byOrderNo, merchant.orderNo, id);
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
      addTo(byNumber, numberOf(trackNo), registration);
      if (merchant.orderNo !== undefined) addTo(byOrderNo, merchant.orderNo, registration);
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
