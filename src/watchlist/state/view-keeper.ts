import type { CancelTimer, Clock } from '../../service/clock/clock.ts';
import type { ViewChanges, ViewMemory } from './view-memory.ts';

/** Nothing is written before this time has passed without a further change, in milliseconds. */
const quietMs = 1_000;

/** What a {@link ViewKeeper} needs. */
export interface ViewKeeperParts {
  readonly memory: Pick<ViewMemory, 'update'>;
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Called once at most: a folder that cannot be written costs the memory and nothing else. */
  readonly onProblem: (error: unknown) => void;
}

/** Writes how a board is looked at a moment after the last change, and at the end. Without a change nothing is written. */
export class ViewKeeper {
  readonly #parts: ViewKeeperParts;
  #unwritten: ViewChanges | null = null;
  #cancel: CancelTimer = () => undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(parts: ViewKeeperParts) {
    this.#parts = parts;
  }

  /** Takes a change, to be written when no other follows at once. */
  keep(changes: ViewChanges): void {
    this.#unwritten = { ...this.#unwritten, ...changes };
    this.#cancel();
    this.#cancel = this.#parts.clock.setTimer(quietMs, () => this.#write());
  }

  /** Writes what is not written yet; resolves when all of it is on disk, or could not be. */
  async close(): Promise<void> {
    this.#cancel();
    this.#write();
    await this.#writing;
  }

  #write(): void {
    const changes = this.#unwritten;
    if (changes === null) return;
    this.#unwritten = null;
    // The memory writes one change after the other.
    const written = this.#parts.memory.update(changes).catch((error: unknown) => this.#report(error));
    this.#writing = Promise.all([this.#writing, written]).then(() => undefined);
  }

  #report(error: unknown): void {
    if (!this.#hasFailed) this.#parts.onProblem(error);
    this.#hasFailed = true;
  }
}
