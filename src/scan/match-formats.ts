import { hasCheckDigit, isPostCountry } from '../parcels/check-digit.ts';
import { numberFormats } from './data/number-formats.ts';

export interface FormatMatch {
  readonly courier: string;
  readonly name: string;
  /** The number that the courier uses, which may be only part of a barcode. */
  readonly trackNo: string;
  readonly isVerified: boolean;
  /** Whether hardly anything else has this format. */
  readonly isDistinctive: boolean;
  /** The country of a postal number as an upper-case ISO 3166-1 code. Null for other numbers. */
  readonly country: string | null;
}

/**
 * Returns the formats that match a normalised number, most specific first.
 * @param digit `wrong` returns the formats that match except for the check digit
 */
export function matchFormats(text: string, digit: 'right' | 'wrong' = 'right'): readonly FormatMatch[] {
  return compiledFormats
    .flatMap((format) => matchOf(format, text, digit) ?? [])
    .sort((a, b) => weightOf(b) - weightOf(a));
}

const weightOf = ({ isDistinctive, isVerified }: FormatMatch): number => (isVerified ? 2 : 0) + (isDistinctive ? 1 : 0);

const compiledFormats = numberFormats.map((format) => ({
  ...format,
  expression: new RegExp(`^(?:${format.pattern})$`),
}));

function matchOf(
  { check: rule, courier, expression, isBarCode, name, prefix = '' }: (typeof compiledFormats)[number],
  text: string,
  digit: 'right' | 'wrong',
): FormatMatch | null {
  const match = expression.exec(text);
  if (match === null || (digit === 'wrong' && rule === undefined)) return null;
  const {
    CheckDigit: check = '',
    CountryCode,
    RoutingApplicationId: routing,
    SerialNumber: serial = '',
  } = match.groups ?? {};
  const country = courier === 's10' ? (CountryCode ?? '') : null;
  if (country !== null && !isPostCountry(country)) return null;
  const body = serial.startsWith(prefix) ? serial : `${prefix}${serial}`;
  if (rule !== undefined && hasCheckDigit(rule, body, check) !== (digit === 'right')) return null;
  return {
    courier,
    name,
    trackNo: routing !== undefined || isBarCode === true ? significantPart(serial + check) : text,
    isVerified: rule !== undefined && digit === 'right',
    isDistinctive: digit === 'right' ? isDistinctive(text, rule !== undefined) : isUnmistakable(text),
    country,
  };
}

const significantPart = (text: string): string => text.replace(/^00(?=\d{12}$)/, '');

/**
 * With a correct check digit, two letters or a great many digits are enough. Without one, the number needs two letters and
 * must be longer.
 */
function isDistinctive(text: string, isVerified: boolean): boolean {
  const letters = text.replace(/[^A-Z]/g, '').length;
  if (!isVerified) return (letters >= 2 && text.length >= 15) || /^LTN\d{8}N1$/.test(text);
  return letters >= 2 || /^1Z/.test(text) || /^(?:9[1-6]\d{18,}|\d{24,})$/.test(text);
}

/** UPU S10, UPS, DHL Paket, and USPS with or without the ZIP code. */
const unmistakable = /^(?:[A-Z]{2}\d{9}[A-Z]{2}|1Z[A-Z0-9]{16}|00340\d{15}|(?:420\d{5}(?:\d{4})?)?9[1-5]\d{20})$/;

export const isUnmistakable = (text: string): boolean => unmistakable.test(text);
