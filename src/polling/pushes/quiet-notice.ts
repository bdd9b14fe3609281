import type { CancelTimer, Clock } from '../../service/clock/clock.ts';

/** What a quiet notice needs. */
export interface QuietNoticeOptions {
  readonly clock: Clock;
  /** Shows a notice, in place of the one before if there was one. */
  readonly tell: (notice: string, before: string | null) => void;
}

/** A notice about something that others may do as often as they like. */
export interface QuietNotice {
  /** Says it anew: at once, or when the notice before has stood for a minute. */
  update(notice: string): void;
  /** Says what has not been said yet, and no more after that. */
  close(): void;
  /** Says no more. */
  cancel(): void;
}

/** How long a notice stands before it is replaced. */
const quietMs = 60_000;

/** Makes a {@link QuietNotice}. */
export function createQuietNotice({ clock, tell }: QuietNoticeOptions): QuietNotice {
  let newest: string | null = null;
  let told: string | null = null;
  let cancelTimer: CancelTimer | null = null;

  const tellNow = (): void => {
    cancelTimer = null;
    if (newest === null || newest === told) return;
    tell(newest, told);
    told = newest;
    cancelTimer = clock.setTimer(quietMs, tellNow);
  };
  const cancel = (): void => {
    cancelTimer?.();
    cancelTimer = null;
  };
  return {
    update(notice) {
      newest = notice;
      if (cancelTimer === null) tellNow();
    },
    close() {
      cancel();
      tellNow();
      cancel();
    },
    cancel,
  };
}
