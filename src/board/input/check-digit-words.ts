import { unverifiedKind } from '../../watchlist/rules/check-digit.ts';

/** A sentence about a number whose check digit does not verify; null for all others. It is no reason to refuse it. */
export function checkDigitDoubt(trackNo: string, courierCode: string | null): string | null {
  const kind = unverifiedKind(trackNo, courierCode);
  return kind === null
    ? null
    : `${trackNo} has a wrong check digit for ${kind}: compare it with what the sender wrote.`;
}
