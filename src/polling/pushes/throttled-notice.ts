import type { CancelTimer, Clock } from '../../service/clock/clock.ts';

/** Shows a notice, in place of the one before if there was one. */
export type ReplaceNotice = (notice: string, before: string | null) => void;

/** A notice about something that others may do as often as they like. */
export interface ThrottledNotice {
  /** Shows it again: at once, or when the notice before has stood for a minute. */
  update(notice: string): void;
  /** Shows what has not been shown yet, and nothing after that. */
  close(): void;
  /** Shows nothing any more. */
  cancel(): void;
}

/** How long a notice stands before it is replaced. */
const standsMs = 60_000;

/** Makes a {@link ThrottledNotice}. */
export function createThrottledNotice(clock: Clock, show: ReplaceNotice): ThrottledNotice {
  let newest: string | null = null;
  let shown: string | null = null;
  let cancelTimer: CancelTimer | null = null;

  const showNewest = (): void => {
    cancelTimer = null;
    if (newest === null || newest === shown) return;
    show(newest, shown);
    shown = newest;
    cancelTimer = clock.setTimer(standsMs, showNewest);
  };
  const cancel = (): void => {
    cancelTimer?.();
    cancelTimer = null;
  };
  return {
    update(notice) {
      newest = notice;
      if (cancelTimer === null) showNewest();
    },
    close() {
      cancel();
      showNewest();
      cancel();
    },
    cancel,
  };
}
