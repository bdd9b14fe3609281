import type { Clock } from '../lib/clock.ts';
import type { Look } from '../lib/paint.ts';
import type { ScreenServices } from '../settings/session/context.ts';
import type { OpenPage } from '../system/desktop.ts';
import type { Suspension } from '../system/process-life.ts';
import type { Clipboards } from './terminal/clipboard.ts';

/** What the program gives the board; nothing else is reached for. */
export interface BoardServices extends Look, ScreenServices {
  readonly clock: Clock;
  readonly openPage: OpenPage;
  readonly clipboards: Clipboards;
  /** Null where there is no job control. */
  readonly suspension: Suspension | null;
}
