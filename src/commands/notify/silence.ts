import { Observable } from '../../polling/core/observable.ts';
import type { NotificationSwitch } from '../../process/notifications/notification-switch.ts';
import { type Clock, sleep } from '../../service/clock/clock.ts';
import type { ViewMemory } from '../../watchlist/state/view-memory.ts';

/** How often it is looked whether another board has silenced or un-silenced, in milliseconds. */
const lookMs = 2_000;

/** {@link NotificationSwitch} over what all boards remember together. */
export class Silence implements NotificationSwitch {
  readonly #memory: Pick<ViewMemory, 'load' | 'update'>;
  readonly #clock: Clock;
  readonly #isSilent = new Observable(false);
  readonly #closing = new AbortController();

  constructor(memory: Pick<ViewMemory, 'load' | 'update'>, clock: Clock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  isSilent(): boolean {
    return this.#isSilent.get();
  }

  subscribe(listener: () => void): () => void {
    return this.#isSilent.subscribe(listener);
  }

  async setSilent(isSilent: boolean): Promise<void> {
    this.#isSilent.set(isSilent);
    await this.#memory.update({ isSilent });
  }

  /** Looks at what is remembered now; answers it. */
  async look(): Promise<boolean> {
    const { isSilent } = await this.#memory.load();
    this.#isSilent.set(isSilent);
    return isSilent;
  }

  /** Looks from now on again and again. */
  async follow(): Promise<void> {
    while (await sleep(this.#clock, lookMs, this.#closing.signal)) await this.look();
  }

  /** Looks no more. */
  close(): void {
    this.#closing.abort();
  }
}
