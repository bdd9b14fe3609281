import type { NotificationSwitch } from '../../process/notifications/notification-switch.ts';
import type { CancelTimer, Clock } from '../../service/clock/clock.ts';
import type { ViewMemory } from '../../watchlist/state/view-memory.ts';

/** How often it is looked whether another board has silenced or un-silenced, in milliseconds. */
const lookMs = 2_000;

/** {@link NotificationSwitch} over what all boards remember together. */
export class Silence implements NotificationSwitch {
  readonly #memory: Pick<ViewMemory, 'load' | 'update'>;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #isSilent = false;
  #cancel: CancelTimer = () => undefined;
  #isClosed = false;

  constructor(memory: Pick<ViewMemory, 'load' | 'update'>, clock: Clock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  isSilent(): boolean {
    return this.#isSilent;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async setSilent(isSilent: boolean): Promise<void> {
    this.#show(isSilent);
    await this.#memory.update({ isSilent });
  }

  /** Looks at what is remembered now; answers it. */
  async look(): Promise<boolean> {
    this.#show((await this.#memory.load()).isSilent);
    return this.#isSilent;
  }

  /** Looks from now on again and again. */
  follow(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#clock.setTimer(lookMs, () => void this.look().finally(() => this.follow()));
  }

  /** Looks no more. */
  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #show(isSilent: boolean): void {
    if (isSilent === this.#isSilent) return;
    this.#isSilent = isSilent;
    for (const listener of this.#listeners) listener();
  }
}
