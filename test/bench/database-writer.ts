import type { Parcel } from '../../src/parcels/parcel.ts';
import type { Checkpoint } from '../../src/service/record.ts';
import type { PostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Revision } from '../../src/store/store.ts';
import { systemClock } from '../../src/system/clock.ts';

/** As many as one call asks for. */
export const recordsAtOnce = 100;

/** Another host, which writes into a seeded watchlist without holding all of it. */
export class StoreWriter {
  readonly #store: PostgresStore;
  readonly #count: number;
  #revision: Revision;
  #counter = 0;

  private constructor(store: PostgresStore, count: number, revision: Revision) {
    this.#store = store;
    this.#count = count;
    this.#revision = revision;
  }

  /** Opens one without reading more than how far the watchlist has got. */
  static async open(store: PostgresStore, count: number): Promise<StoreWriter> {
    return new StoreWriter(store, count, (await store.read([])).revision);
  }

  /** Gives a parcel another label, as somebody does who edits it. */
  async label(label: string, id = 'seeded-0'): Promise<void> {
    await this.#change([id], (parcel) => ({ ...parcel, label }));
  }

  /** Writes the records of one call as a check does: each has an event more, in its history too. */
  async round(): Promise<void> {
    this.#counter += 1;
    const first = (this.#counter * recordsAtOnce) % this.#count;
    const ids = Array.from({ length: recordsAtOnce }, (_, index) => `seeded-${(first + index) % this.#count}`);
    const now = systemClock.now();
    const event: Checkpoint = {
      at: new Date(now).toISOString(),
      local: new Date(now + 8 * 60 * 60_000).toISOString().slice(0, 19).replace('T', ' '),
      offset: '+08:00',
      certain: true,
      address: 'Leipzig, DE',
      detail: `Arrived at the sorting centre for the ${this.#counter}th time`,
      subStatus: null,
    };
    await Promise.all(
      ids.map((id) =>
        this.#store.updateHistory(id, (history) => ({ ...history, checkpoints: [event, ...history.checkpoints] })),
      ),
    );
    await this.#change(ids, (parcel) => ({
      ...parcel,
      lastEvent: event,
      checkpointCount: parcel.checkpointCount + 1,
      checkedAt: new Date(now).toISOString(),
    }));
  }

  async #change(ids: readonly string[], change: (parcel: Parcel) => Parcel): Promise<void> {
    for (let isWritten = false; !isWritten; ) {
      const numbers = ids.map((id) => `RB${100_000_000 + Number(id.slice('seeded-'.length))}CN`);
      const { parcels } = await this.#store.read(numbers);
      const writes = parcels.map((parcel) => ({ id: parcel.id, parcel: change(parcel) }));
      // A board marks as read what is looked at; then it is changed again, as every host does.
      ({ isWritten } = await this.#store.write(writes, this.#revision, systemClock.now()));
      this.#revision = (await this.#store.changesSince(this.#revision))?.revision ?? this.#revision;
    }
  }
}
