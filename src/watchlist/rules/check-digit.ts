import { type CheckDigitRule, gs1, hasCheckDigit } from './check-digit-sum.ts';
import { isPostCountry } from './post-countries.ts';

/** Numbers with a check digit. */
interface NumberKind {
  /** How the kind is called in a sentence. */
  readonly name: string;
  /** What is checked, its check digit, and for a postal number the country of the post. */
  readonly pattern: RegExp;
  readonly rule: CheckDigitRule;
  /** Whose numbers they are, where others use the same shape. */
  readonly courier?: string;
}

const fedexExpress: CheckDigitRule = {
  kind: 'weighted',
  weights: [3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1],
  modulo: 11,
  last: 10,
};

const kinds: readonly NumberKind[] = [
  { name: 'a postal number (UPU S10)', pattern: /^[A-Z]{2}(\d{8})(\d)([A-Z]{2})$/, rule: { kind: 's10' } },
  { name: 'a UPS number', pattern: /^1Z([0-9A-Z]{15})([0-9A-Z])$/, rule: { kind: 'mod10', even: 1, odd: 2 } },
  // With the ZIP code of the destination, as it is printed under the bar code, or without.
  { name: 'a USPS number', pattern: /^(?:420\d{5}(?:\d{4})?)?(9[1-5]\d{19})(\d)$/, rule: gs1 },
  { name: 'a USPS number', pattern: /^(\d{19})(\d)$/, rule: gs1, courier: 'usps' },
  { name: 'a FedEx Express number', pattern: /^(\d{11})(\d)$/, rule: fedexExpress, courier: 'fedex' },
  { name: 'a FedEx Ground number', pattern: /^(\d{14})(\d)$/, rule: gs1, courier: 'fedex' },
];

/**
 * The kind of a number whose check digit does not verify, such as `a UPS number`; null when it does, or when the
 * shape does not decide. Judged are numbers of an unmistakable shape (UPU S10 with a country, UPS, USPS), and under FedEx or USPS theirs
 * that other couriers' numbers look like. A number that does not verify is mistyped more often than not; the courier has
 * the last word.
 * @param trackNo in the form in which numbers are kept
 */
export function unverifiedKind(trackNo: string, courierCode: string | null): string | null {
  const brand = courierCode?.toLowerCase().split(/[^a-z0-9]+/)[0];
  for (const { courier, name, pattern, rule } of kinds) {
    const [, body, check, country] = pattern.exec(trackNo) ?? [];
    if (body === undefined || check === undefined || (courier !== undefined && courier !== brand)) continue;
    if (country !== undefined && !isPostCountry(country)) continue;
    return hasCheckDigit(rule, body, check) ? null : name;
  }
  return null;
}
