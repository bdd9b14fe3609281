import { RefusedCallError } from './answers.ts';

/** What the account may still have tracked: one for every registration and every instant call. */
export class Credit {
  #left: number | null;

  /** Null for no limit. */
  constructor(limit: number | null) {
    this.#left = limit;
  }

  /** Null for no limit. */
  get left(): number | null {
    return this.#left;
  }

  set left(limit: number | null) {
    this.#left = limit;
  }

  /**
   * Uses credit up. Throws a {@link RefusedCallError} when there is too little, and then uses none. A client of the
   * public service has met the code; words and HTTP status are assumptions.
   */
  spend(amount: number): void {
    if (this.#left === null) return;
    if (amount > this.#left) throw new RefusedCallError(200, '101107', 'The tracking credit of the account is used up');
    this.#left -= amount;
  }
}
