import { RefusedCallError } from './answers.ts';

/** What the account may still have tracked: one for every registration and every instant call. */
export interface Credit {
  /** Null for no limit. */
  readonly left: number | null;
  /**
   * Uses credit up. Throws a {@link RefusedCallError} when there is too little, and then uses none. A client of the
   * public service has met the code; words and HTTP status are assumptions.
   */
  spend(amount: number): void;
}

/** The refusal of a call that the credit does not cover. */
function outOfCredit(): RefusedCallError {
  return new RefusedCallError(200, '101107', 'The tracking credit of the account is used up');
}

/** An account's credit; null for no limit. */
export function createCredit(limit: number | null): Credit {
  let left = limit;
  return {
    get left() {
      return left;
    },
    spend: (amount) => {
      if (left === null) return;
      if (amount > left) throw outOfCredit();
      left -= amount;
    },
  };
}
