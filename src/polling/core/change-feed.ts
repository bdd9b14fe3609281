import type { Change } from '../../watchlist/changes/change.ts';
import { createSerialQueue } from '../../watchlist/files/serial-queue.ts';
import type { WatchlistStore } from '../../watchlist/store/store.ts';

/** Called with new lines of the change log, oldest first; never with none. */
export type ChangeListener = (changes: readonly Change[]) => void;

/**
 * Hands on each line of the change log that is written from now on, once and in order, whichever process wrote it. A line
 * that cannot be read comes with the next one.
 */
export class ChangeFeed {
  readonly #store: Pick<WatchlistStore, 'changeLogAfter'>;
  readonly #onTrouble: (error: unknown) => void;
  readonly #queue = createSerialQueue();
  readonly #listeners = new Set<ChangeListener>();
  #seq: number | null = null;

  constructor(store: Pick<WatchlistStore, 'changeLogAfter'>, onTrouble: (error: unknown) => void) {
    this.#store = store;
    this.#onTrouble = onTrouble;
  }

  /** The newest line that was handed on, or was there at the beginning; 0 before the beginning. */
  get seq(): number {
    return this.#seq ?? 0;
  }

  /** Begins at this line, or reads up to it; a log that was begun anew is followed from there. */
  async advanceTo(seq: number): Promise<void> {
    if (this.#seq === null || seq < this.#seq) this.#seq = seq;
    if (seq === this.#seq) return;
    await this.#queue.run(async () => {
      const from = this.#seq ?? seq;
      if (seq <= from) return;
      try {
        const changes = await this.#store.changeLogAfter(from);
        this.#onTrouble(null);
        const [last] = changes.slice(-1);
        // Another one may have begun anew meanwhile.
        if (last === undefined || from !== this.#seq) return;
        this.#seq = last.seq;
        for (const listener of this.#listeners) listener(changes);
      } catch (error) {
        this.#onTrouble(error);
      }
    });
  }

  /** Listens from now on; answers how to stop. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
