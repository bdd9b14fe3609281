import type { CheckDigitRule } from '../rules/check-digit-sum.ts';

/** How a courier's numbers look. */
export interface NumberFormat {
  /** The courier's key in the table of couriers. */
  readonly courier: string;
  readonly name: string;
  /**
   * A pattern of a whole number as it is kept, in capitals; where the format has a check digit, its groups are
   * `SerialNumber` and `CheckDigit`. It repeats a bounded number of times only.
   */
  readonly pattern: string;
  /** Fewest and most characters. */
  readonly shortest: number;
  readonly longest: number;
  readonly check?: CheckDigitRule;
  /** A bar code that holds more than the number, which is serial number and check digit. */
  readonly isBarCode?: true;
  /** What is put before the serial number for the check digit, when the serial number matches a pattern. */
  readonly prepend?: { readonly when: string; readonly text: string };
}
