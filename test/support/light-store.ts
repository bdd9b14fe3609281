import { lightOf } from '../../src/parcels/light-parcel.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { StoredParcels, WatchlistStore } from '../../src/store/store.ts';

/** A store of which everything is read light, as a database has it of a long list. */
export interface LightStore extends WatchlistStore {
  /** Ids that were read as a whole, in order. */
  readonly wholeRead: readonly string[];
  /** Tells the listeners that somebody has written. */
  tellNews(): void;
}

/** The same store, handing out light parcels. */
export function lightStore(inner: WatchlistStore): LightStore {
  const lights = new WeakMap<Parcel, Parcel>();
  const wholeRead: string[] = [];
  const listeners = new Set<() => void>();
  const lightened = (parcels: readonly Parcel[]): readonly Parcel[] =>
    parcels.map((parcel) => {
      const light = lights.get(parcel) ?? lightOf(parcel);
      lights.set(parcel, light);
      return light;
    });
  const light = <Stored extends StoredParcels>(stored: Stored): Stored => ({
    ...stored,
    parcels: lightened(stored.parcels),
  });
  return {
    ...inner,
    wholeRead,
    read: async () => light(await inner.read()),
    async whole(ids) {
      wholeRead.push(...ids);
      return await inner.whole(ids);
    },
    async write(...given) {
      const outcome = await inner.write(...given);
      return { ...outcome, current: light(outcome.current) };
    },
    async changesSince(revision) {
      const changes = await inner.changesSince(revision);
      return changes === null ? null : { ...changes, changed: lightened(changes.changed) };
    },
    onNews(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tellNews() {
      for (const listener of listeners) listener();
    },
  };
}
