import { isDeepStrictEqual } from 'node:util';
import type { Company, Presence } from '../../watchlist/state/presence.ts';
import type { MonitorCore } from './monitor-core.ts';

/** Says that this process is there, and shows in the state who else is. */
export class CompanyKeeper {
  readonly #core: MonitorCore;
  readonly #presence: Presence | null;

  /** @param presence null where nobody else can be */
  constructor(core: MonitorCore, presence: Presence | null) {
    this.#core = core;
    this.#presence = presence;
  }

  /** To be called every few seconds. A failure is shown, and stops nothing. */
  async look(): Promise<void> {
    const presence = this.#presence;
    if (presence === null) return;
    try {
      this.#show(await this.#core.busy.during(() => presence.look()));
      this.#core.notifyTrouble('presence', null);
    } catch (error) {
      // Who is there is not known any more.
      this.#show(null);
      this.#core.notifyTrouble('presence', error);
    }
  }

  /** Says that this process is gone. One that cannot be heard is forgotten by itself. */
  async leave(): Promise<void> {
    await this.#presence?.leave().catch(() => {});
  }

  #show(company: Company | null): void {
    const shown = this.#core.state.get().polling.company ?? null;
    if (!isDeepStrictEqual(shown, company)) this.#core.changePolling({ company });
  }
}
