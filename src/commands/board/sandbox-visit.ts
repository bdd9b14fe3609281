import type { ReplaceableServices } from '../../screen/board-request.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { CommandContext } from '../session/context.ts';
import { UnavailableError } from '../session/errors.ts';
import type { Demo } from './demonstration.ts';

/** What a visit to the sandbox takes. */
interface SandboxVisitOptions {
  readonly context: CommandContext;
  /** The viewer's zone. */
  readonly zone: () => Zone;
  /** Puts the demonstration on the board. */
  readonly show: (services: Omit<ReplaceableServices, 'setupEffects'>) => void;
  /** Puts the user's own watchlist on the board again. */
  readonly showOwn: () => void;
}

/** Shows the embedded sandbox on a board that is open, as `--demo` does; the user's own watchlist goes on behind it. */
export class SandboxVisit {
  readonly #options: SandboxVisitOptions;
  #demo: Demo | null = null;
  #isEntering = false;

  constructor(options: SandboxVisitOptions) {
    this.#options = options;
  }

  isInSandbox(): boolean {
    return this.#demo !== null;
  }

  /** Rejects with an {@link UnavailableError} when the sandbox cannot be started. */
  async enter(): Promise<void> {
    if (this.#demo !== null || this.#isEntering) return;
    this.#isEntering = true;
    try {
      const { context, show, zone } = this.#options;
      const { beginDemo, demoServices, startDemo } = await import('./demonstration.ts');
      const demo = await startDemo(context);
      await beginDemo(demo);
      if (context.signal.aborted) {
        await demo.close();
        throw new UnavailableError('The program is about to end.');
      }
      this.#demo = demo;
      demo.monitor.start();
      show(demoServices(context, demo, zone()));
    } finally {
      this.#isEntering = false;
    }
  }

  async leave(): Promise<void> {
    const demo = this.#demo;
    if (demo === null) return;
    this.#demo = null;
    // First, since the screen must not draw what has ended.
    this.#options.showOwn();
    await demo.close();
  }

  /** Ends the sandbox with the board. */
  async close(): Promise<void> {
    const demo = this.#demo;
    this.#demo = null;
    await demo?.close();
  }
}
