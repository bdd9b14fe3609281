import type { Clock } from '../../service/clock/clock.ts';
import { createThrottledNotice, type ReplaceNotice } from './throttled-notice.ts';

/** Counts refused callbacks, and shows how many there were. */
export interface RefusedCallbacks {
  /** Counts one, with why it was refused and what to check. */
  add(reason: string, advice: string): void;
  /** Shows what has not been shown yet, and nothing after that. */
  close(): void;
}

/** Makes a {@link RefusedCallbacks}: one notice, whose count grows at most once a minute, however many a stranger sends. */
export function createRefusedCallbacks(clock: Clock, show: ReplaceNotice): RefusedCallbacks {
  const notice = createThrottledNotice(clock, show);
  let count = 0;
  return {
    add(reason, advice) {
      count += 1;
      const refused = count === 1 ? 'A webhook callback was' : `${count} webhook callbacks were`;
      notice.update(`${refused} refused. ${reason} ${advice}`);
    },
    close: () => notice.close(),
  };
}
