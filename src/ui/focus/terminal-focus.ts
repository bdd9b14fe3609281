import type { Clock, EpochMs } from '../../service/clock/clock.ts';

/** Whether the terminal has the focus, and from when on it is so. */
export interface Focus {
  readonly isFocused: boolean;
  readonly since: EpochMs;
}

/**
 * The focus of the terminal as its reports tell. Until a terminal has sent one it counts as focused: many never send any.
 */
export class TerminalFocus {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #listeners = new Set<() => void>();
  #focus: Focus;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#focus = { isFocused: true, since: clock.now() };
  }

  /** The same object until the focus changes. */
  readonly get = (): Focus => this.#focus;

  /** Calls the listener after each change; answers how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes a report of the terminal; one that says what is known already changes nothing. */
  readonly report = (isFocused: boolean): void => {
    if (isFocused === this.#focus.isFocused) return;
    this.#focus = { isFocused, since: this.#clock.now() };
    for (const listener of this.#listeners) listener();
  };
}
