export type CheckDigitRule =
  /** Alternating weights. `reverse` starts at the check digit. */
  | { readonly kind: 'mod10'; readonly even: number; readonly odd: number; readonly reverse?: true }
  /** All digits as one number, modulo 7. */
  | { readonly kind: 'mod7' }
  /** UPU S10. */
  | { readonly kind: 's10' }
  | { readonly kind: 'luhn' }
  /** A weighted sum, modulo `modulo`, then modulo `last`. */
  | { readonly kind: 'weighted'; readonly weights: readonly number[]; readonly modulo: number; readonly last: number }
  /** ISO 7064 modulus 37, 36: letters and digits. */
  | { readonly kind: 'mod37-36' };

/** GS1 check digit, as in a serial shipping container code. */
export const gs1: CheckDigitRule = { kind: 'mod10', even: 3, odd: 1, reverse: true };

/** @param body capital letters and digits @param check a single character */
export function hasCheckDigit(rule: CheckDigitRule, body: string, check: string): boolean {
  switch (rule.kind) {
    case 'mod10': {
      const ordered = rule.reverse === true ? [...body].reverse() : body;
      const sum = sumDigits(ordered, (value, index) => value * (index % 2 === 0 ? rule.even : rule.odd));
      return check === complementToTen(sum);
    }
    case 'mod7':
      return check === String(remainder(body, 7));
    case 's10': {
      const rest = 11 - (weightedSum(body, [8, 6, 4, 2, 3, 5, 9, 7]) % 11);
      return check === String(rest === 10 ? 0 : rest === 11 ? 5 : rest);
    }
    case 'luhn': {
      const doubled = (digit: number): number => (digit > 4 ? digit * 2 - 9 : digit * 2);
      const sum = sumDigits([...body].reverse(), (digit, index) => (index % 2 === 1 ? digit : doubled(digit)));
      return check === complementToTen(sum);
    }
    case 'weighted':
      return check === String((weightedSum(body, rule.weights) % rule.modulo) % rule.last);
    case 'mod37-36':
      return check === mod37Digit(body);
  }
}

/** Returns the digit that brings a sum up to a multiple of ten. */
const complementToTen = (sum: number): string => String((10 - (sum % 10)) % 10);

/** A letter counts as its ASCII code minus 3, modulo 10. */
function sumDigits(characters: Iterable<string>, weigh: (value: number, index: number) => number): number {
  let sum = 0;
  for (const [index, character] of [...characters].entries()) {
    const code = character.charCodeAt(0);
    sum += weigh(code < 58 ? code - 48 : (code - 3) % 10, index);
  }
  return sum;
}

const weightedSum = (body: string, weights: readonly number[]): number =>
  sumDigits(body, (digit, index) => digit * (weights[index] ?? 0));

function remainder(body: string, modulo: number): number {
  let rest = 0;
  for (const digit of body) rest = (rest * 10 + Number(digit)) % modulo;
  return rest;
}

const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function mod37Digit(body: string): string {
  let product = 36;
  for (const character of body) {
    let sum = product + characters.indexOf(character);
    if (sum > 36) sum -= 36;
    product = (sum * 2) % 37;
  }
  return characters[(37 - product) % 36] ?? '';
}

/** Countries and territories with their own postal service (ISO 3166-1). */
const countries: ReadonlySet<string> = new Set(
  [
    'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA',
    'CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO',
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE',
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN',
    'MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT',
    'PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK',
    'TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW',
  ].flatMap((row) => row.split(' ')),
);

/** Whether the country with this code, as found at the end of a UPU S10 number, has its own postal service. */
export function isPostCountry(code: string): boolean {
  return countries.has(code);
}

interface NumberKind {
  readonly name: string;
  /** Groups: body, check digit and, for postal numbers, country. */
  readonly pattern: RegExp;
  readonly rule: CheckDigitRule;
  /** Only checked for this courier, because others use the same format. */
  readonly courier?: string;
}

const fedexExpress: CheckDigitRule = {
  kind: 'weighted',
  weights: [3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1],
  modulo: 11,
  last: 10,
};

const numberKinds: readonly NumberKind[] = [
  { name: 'a postal number (UPU S10)', pattern: /^[A-Z]{2}(\d{8})(\d)([A-Z]{2})$/, rule: { kind: 's10' } },
  { name: 'a UPS number', pattern: /^1Z([0-9A-Z]{15})([0-9A-Z])$/, rule: { kind: 'mod10', even: 1, odd: 2 } },
  // With or without the ZIP code that is printed under the barcode.
  { name: 'a USPS number', pattern: /^(?:420\d{5}(?:\d{4})?)?(9[1-5]\d{19})(\d)$/, rule: gs1 },
  { name: 'a USPS number', pattern: /^(\d{19})(\d)$/, rule: gs1, courier: 'usps' },
  { name: 'a FedEx Express number', pattern: /^(\d{11})(\d)$/, rule: fedexExpress, courier: 'fedex' },
  { name: 'a FedEx Ground number', pattern: /^(\d{14})(\d)$/, rule: gs1, courier: 'fedex' },
];

/**
 * If a number has a known format but the wrong check digit, it is probably mistyped. Returns the name of that format, such
 * as `a UPS number`, or null for all other numbers.
 * @param trackNo normalised
 */
export function unverifiedKind(trackNo: string, courierCode: string | null): string | null {
  const brand = courierCode?.toLowerCase().split(/[^a-z0-9]+/)[0];
  for (const { courier, name, pattern, rule } of numberKinds) {
    const [, body, check, country] = pattern.exec(trackNo) ?? [];
    if (body === undefined || check === undefined || (courier !== undefined && courier !== brand)) continue;
    if (country !== undefined && !isPostCountry(country)) continue;
    return hasCheckDigit(rule, body, check) ? null : name;
  }
  return null;
}
