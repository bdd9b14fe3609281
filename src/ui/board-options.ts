import type { GlyphSet } from '../board/text/line.ts';
import type { TimeMode } from '../board/time/checkpoint-time.ts';
import type { AccountActions } from '../polling/account/account-actions.ts';
import type { Monitor } from '../polling/core/state.ts';
import type { Suspension } from '../process/job-control.ts';
import type { OpenPage } from '../process/open-page.ts';
import type { Clock } from '../service/clock/clock.ts';
import type { CourierDirectory } from '../watchlist/state/courier-directory.ts';
import type { Detail } from './details/details.tsx';
import type { BoardSetup } from './details/setup-text.ts';

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
