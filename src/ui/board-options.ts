import type { GlyphSet } from '../board/text/line.ts';
import type { TimeMode } from '../board/time/checkpoint-time.ts';
import type { AccountActions } from '../polling/account/account-actions.ts';
import type { Monitor } from '../polling/core/state.ts';
import type { Clock } from '../service/clock/clock.ts';
import type { CourierDirectory } from '../watchlist/state/courier-directory.ts';
import type { Detail } from './details/details.tsx';
import type { BoardSetup } from './details/setup-text.ts';

/** Handing the terminal back to the shell for a while (Ctrl+Z, SIGTSTP). */
export interface Suspension {
  /** Asks for it; it comes back through `subscribe`, as a signal from outside does. */
  request(): void;
  /**
   * Calls the listener when the program is to be suspended, with what stops the process and resolves when it goes on.
   * Answers how to stop listening.
   */
  subscribe(listener: (stopProcess: () => Promise<void>) => void): () => void;
}

/**
 * Opens a web page (http or https) outside the terminal. Answers null when it has, else why not: half a sentence for the
 * user, who is shown the address then.
 */
export type OpenPage = (address: string) => Promise<string | null>;

/** What the board is given; nothing else is reached for. */
export interface BoardContext {
  /** Loaded already. */
  readonly monitor: Monitor;
  readonly couriers: CourierDirectory;
  readonly clock: Clock;
  /** The viewer's IANA zone. */
  readonly zone: string;
  readonly glyphs: GlyphSet;
  readonly colour: boolean;
  /** Whether the terminal draws links. */
  readonly hyperlinks: boolean;
  readonly badge: 'DEMO' | null;
  readonly setup: BoardSetup;
  /** How times are shown at first. */
  readonly timeMode: TimeMode;
  /** Remembers another choice for the next start. */
  readonly keepTimeMode: (timeMode: TimeMode) => void;
  /** Facts for the details overlay that only the caller knows: base URL, files. */
  readonly facts: readonly Detail[];
  readonly account: AccountActions;
  /** How far the service's clock is ahead of this machine's, in milliseconds; null while nothing is known. */
  readonly clockSkew: () => number | null;
  readonly openPage: OpenPage;
  /** Null where there is no job control. */
  readonly suspension: Suspension | null;
  /** Whether the configuration has an extra for a courier that needs one. */
  readonly hasDefaultExtra: (courierCode: string) => boolean;
}
