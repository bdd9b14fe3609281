/** How a check digit is computed from the characters before it. */
export type CheckDigitRule =
  /** Every other digit counts more; a letter counts as its place in ASCII, less 3. `reverse` begins beside the check digit. */
  | { readonly kind: 'mod10'; readonly even: number; readonly odd: number; readonly reverse?: true }
  /** The remainder of all digits as one number. */
  | { readonly kind: 'mod7' }
  /** UPU S10. */
  | { readonly kind: 's10' }
  | { readonly kind: 'luhn' }
  /** The remainder of the remainder of a weighted sum. */
  | { readonly kind: 'weighted'; readonly weights: readonly number[]; readonly modulo: number; readonly last: number }
  /** ISO 7064 modulus 37, 36: letters and digits. */
  | { readonly kind: 'mod37-36' };

/** The check digit of GS1, as on every label with a serial shipping container code. */
export const gs1: CheckDigitRule = { kind: 'mod10', even: 3, odd: 1, reverse: true };

/**
 * Whether a check digit belongs to the characters before it.
 * @param body capitals and digits
 * @param check one character
 */
export function hasCheckDigit(rule: CheckDigitRule, body: string, check: string): boolean {
  switch (rule.kind) {
    case 'mod10':
      return check === String((10 - (mod10Sum(rule, body) % 10)) % 10);
    case 'mod7':
      return check === String(remainder(body, 7));
    case 's10': {
      const rest = 11 - (weightedSum(body, [8, 6, 4, 2, 3, 5, 9, 7]) % 11);
      return check === String(rest === 10 ? 0 : rest === 11 ? 5 : rest);
    }
    case 'luhn':
      return check === String((10 - (luhnSum(body) % 10)) % 10);
    case 'weighted':
      return check === String((weightedSum(body, rule.weights) % rule.modulo) % rule.last);
    case 'mod37-36':
      return check === mod37Digit(body);
  }
}

function mod10Sum(rule: Extract<CheckDigitRule, { kind: 'mod10' }>, body: string): number {
  let sum = 0;
  for (let index = 0; index < body.length; index += 1) {
    const code = body.charCodeAt(rule.reverse === true ? body.length - 1 - index : index);
    const value = code < 58 ? code - 48 : (code - 3) % 10;
    sum += value * (index % 2 === 0 ? rule.even : rule.odd);
  }
  return sum;
}

function remainder(body: string, modulo: number): number {
  let rest = 0;
  for (const digit of body) rest = (rest * 10 + Number(digit)) % modulo;
  return rest;
}

/** The sum of the digits, each times its weight; digits without a weight do not count. */
function weightedSum(body: string, weights: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < body.length; index += 1) sum += Number(body[index]) * (weights[index] ?? 0);
  return sum;
}

/** Every other digit counts twice, by the digits of the product, beginning beside the check digit. */
function luhnSum(body: string): number {
  let sum = 0;
  for (let index = 0; index < body.length; index += 1) {
    const digit = Number(body[body.length - 1 - index]);
    sum += index % 2 === 1 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum;
}

const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function mod37Digit(body: string): string {
  let product = 36;
  for (const sign of body) {
    let sum = product + signs.indexOf(sign);
    if (sum > 36) sum -= 36;
    product = (sum * 2) % 37;
  }
  return signs[(37 - product) % 36] ?? '';
}
