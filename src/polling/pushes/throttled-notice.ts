import type { CancelTimer, Clock } from '../../service/clock/clock.ts';

/** Shows a notice, in place of the one before if there was one. */
type ReplaceNotice = (notice: string, before: string | null) => void;

/** How long a notice stands before it is replaced. */
const standsMs = 60_000;

/** A notice about something that others may do as often as they like. */
export class ThrottledNotice {
  readonly #clock: Clock;
  readonly #show: ReplaceNotice;
  #newest: string | null = null;
  #shown: string | null = null;
  #cancelTimer: CancelTimer | null = null;

  constructor(clock: Clock, show: ReplaceNotice) {
    this.#clock = clock;
    this.#show = show;
  }

  /** Shows it again: at once, or when the notice before has stood for a minute. */
  update(notice: string): void {
    this.#newest = notice;
    if (this.#cancelTimer === null) this.#showNewest();
  }

  /** Shows what has not been shown yet, and nothing after that. */
  close(): void {
    this.cancel();
    this.#showNewest();
    this.cancel();
  }

  /** Shows nothing any more. */
  cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #showNewest(): void {
    this.#cancelTimer = null;
    if (this.#newest === null || this.#newest === this.#shown) return;
    this.#show(this.#newest, this.#shown);
    this.#shown = this.#newest;
    this.#cancelTimer = this.#clock.setTimer(standsMs, () => this.#showNewest());
  }
}
