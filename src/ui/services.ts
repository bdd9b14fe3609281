import type { Look } from '../board/text/paint.ts';
import type { Suspension } from '../process/job-control.ts';
import type { OpenPage } from '../process/open-page.ts';
import type { ScreenServices } from '../screen/board-request.ts';
import type { Clock } from '../service/clock/clock.ts';
import type { Clipboards } from './terminal/copy-text.ts';

/** What the program gives the board; nothing else is reached for. */
export interface BoardServices extends Look, ScreenServices {
  readonly clock: Clock;
  readonly openPage: OpenPage;
  readonly clipboards: Clipboards;
  /** Null where there is no job control. */
  readonly suspension: Suspension | null;
}
