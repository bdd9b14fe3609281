import type { BoardBadge } from '../../board/header.ts';
import type { GlyphSet } from '../../lib/paint.ts';
import type { Zone } from '../../lib/zone.ts';
import type { NotificationSwitch } from '../../notify/notification.ts';
import type { AccountActions } from '../../polling/account.ts';
import type { ApplyAdditions } from '../../polling/apply-additions.ts';
import type { Monitor } from '../../polling/state.ts';
import type { Scan } from '../../scan/found-number.ts';
import type { CourierDirectory } from '../../store/courier-directory.ts';
import type { KeptView, ViewChanges } from '../../store/saved-view.ts';
import type { LeftScreen } from '../../system/saved-frame.ts';
import type { SetupEffects } from '../setup/effects.ts';
import type { BoardSetup, Fact } from '../setup/setup-lines.ts';

export interface ReplaceableServices {
  readonly monitor: Monitor;
  readonly couriers: CourierDirectory;
  readonly zone: Zone;
  readonly setup: BoardSetup;
  readonly badge: BoardBadge | null;
  /** What the conversation that sets it up has done; null where nothing can be set up. */
  readonly setupEffects: SetupEffects | null;
  /** Why nothing can be set up here and how one begins, as sentences; absent where that is not known. */
  readonly whyNoSetup?: string;
  readonly title: boolean;
  /** Null where no channel of notifications is set. */
  readonly notificationSwitch: NotificationSwitch | null;
  /** Facts for the details that only the caller knows: base URL, files. */
  readonly facts: readonly Fact[];
  readonly account: AccountActions;
  /** How far the service's clock is ahead of this machine's, in milliseconds; null while nothing is known. */
  readonly clockSkew: () => number | null;
  /** Whether the configuration has an extra for a courier that needs one. */
  readonly hasDefaultExtra: (courierCode: string) => boolean;
  /** What has just been taken over, to be said in passing; another object each time. Null where there is nothing to say. */
  readonly news?: { readonly sentence: string } | null;
}

export interface FoundAlready {
  /** Where the text comes from, such as a file's name, ready to be shown. */
  readonly source: string;
  readonly scan: Scan;
}

/** What the screen is given to show. */
export interface ScreenServices extends ReplaceableServices {
  readonly glyphs: GlyphSet;
  readonly colour: boolean;
  /** Whether it opens with the conversation that sets it up, whatever is set already. */
  readonly opensSetup?: boolean;
  /** How the board was looked at last; it opens like that. */
  readonly view: KeptView;
  /** Remembers what of it has changed for the next start. */
  readonly keepView: (changes: ViewChanges) => void;
  /** Numbers that were found already: then only they are shown, and the screen ends with them. Absent on the board. */
  readonly foundAlready?: FoundAlready;
  /** How found numbers are added; absent where that is for the board to do, which polls. */
  readonly applyAdditions?: ApplyAdditions;
}

/** What the screen needs to know. Terminal and clock are added by the composition root. */
export interface BoardRequest extends ScreenServices {
  /** Calls the listener with what takes the place of these services while the board is open; answers how to stop. */
  readonly onReplaced?: (listener: (services: ReplaceableServices) => void) => () => void;
  /** Called with the screen as it was left, when that shows the board and nothing else; absent where nobody keeps it. */
  readonly keepScreen?: (screen: LeftScreen) => void;
  /** Aborted to end the board, e.g. by a signal; the terminal is restored before it has ended. */
  readonly signal: AbortSignal;
}

/** How the screen ended, `interrupted` by Ctrl-C; the terminal is restored by then. */
export interface BoardEnd {
  readonly reason: 'quit' | 'interrupted' | 'stopped' | 'hangup' | 'error';
  /** What was thrown while drawing; null unless the reason is `error`. */
  readonly error: unknown;
}
