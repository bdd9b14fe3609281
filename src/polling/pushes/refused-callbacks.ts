import { ThrottledNotice } from './throttled-notice.ts';

/** Counts refused callbacks: one notice, whose count grows at most once a minute, however many a stranger sends. */
export class RefusedCallbacks extends ThrottledNotice {
  #count = 0;

  /** Counts one, with why it was refused and what to check. */
  add(reason: string, advice: string): void {
    this.#count += 1;
    const refused = this.#count === 1 ? 'A webhook callback was' : `${this.#count} webhook callbacks were`;
    this.update(`${refused} refused. ${reason} ${advice}`);
  }
}
