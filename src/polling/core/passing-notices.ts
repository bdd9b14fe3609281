import type { CancelTimer } from '../../service/clock/clock.ts';
import type { MonitorCore } from './monitor-core.ts';

/** How long a notice stays that nobody has to do anything about, in milliseconds: two lines are read in that time. */
const shownMs = 20_000;

/** Notices that leave by themselves. */
export class PassingNotices {
  readonly #core: Pick<MonitorCore, 'clock' | 'notify' | 'unnotify'>;
  readonly #timers = new Map<string, CancelTimer>();

  constructor(core: Pick<MonitorCore, 'clock' | 'notify' | 'unnotify'>) {
    this.#core = core;
  }

  /** Shows a notice for a while; one that is shown already stays for as long from now on. */
  show(notice: string): void {
    this.#timers.get(notice)?.();
    this.#core.notify(notice);
    const leave = (): void => {
      this.#timers.delete(notice);
      this.#core.unnotify(notice);
    };
    this.#timers.set(notice, this.#core.clock.setTimer(shownMs, leave));
  }

  /** Lets those stay that are shown. */
  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}
