import type { CancelTimer, Clock } from '../service/clock.ts';

/** What telling of refused callbacks needs. */
export interface RefusedCallbacksOptions {
  readonly clock: Clock;
  /** Shows a notice, in place of the one before if there was one. */
  readonly tell: (notice: string, before: string | null) => void;
}

/** Counts refused callbacks and tells of them. */
export interface RefusedCallbacks {
  /** Counts one, with why it was refused and what to check. */
  add(reason: string, advice: string): void;
  /** Tells what has not been told yet, and no more after that. */
  close(): void;
}

/** Whoever finds the address can send as much as he likes: a notice a minute is enough. */
const quietMs = 60_000;

/** Makes a {@link RefusedCallbacks}: one notice, whose count grows at most once a minute. */
export function createRefusedCallbacks({ clock, tell }: RefusedCallbacksOptions): RefusedCallbacks {
  let count = 0;
  let newest = '';
  let told: string | null = null;
  let toldCount = 0;
  let cancel: CancelTimer | null = null;

  const tellNow = (): void => {
    cancel = null;
    if (count === toldCount) return;
    const notice = `${count === 1 ? 'A webhook callback was' : `${count} webhook callbacks were`} refused. ${newest}`;
    tell(notice, told);
    told = notice;
    toldCount = count;
    cancel = clock.setTimer(quietMs, tellNow);
  };
  return {
    add(reason, advice) {
      count += 1;
      newest = `${reason} ${advice}`;
      if (cancel === null) tellNow();
    },
    close() {
      cancel?.();
      tellNow();
      cancel?.();
    },
  };
}
