import { createQuietNotice, type QuietNoticeOptions } from './quiet-notice.ts';

/** Counts refused callbacks and tells of them. */
export interface RefusedCallbacks {
  /** Counts one, with why it was refused and what to check. */
  add(reason: string, advice: string): void;
  /** Tells what has not been told yet, and no more after that. */
  close(): void;
}

/** Makes a {@link RefusedCallbacks}: one notice, whose count grows at most once a minute, however many a stranger sends. */
export function createRefusedCallbacks(options: QuietNoticeOptions): RefusedCallbacks {
  const notice = createQuietNotice(options);
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
