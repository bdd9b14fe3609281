import { hasCheckDigit, isPostCountry } from '../parcels/check-digit.ts';
import { type NumberFormat, numberFormats } from './data/number-formats.ts';

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

const usedParts = ['SerialNumber', 'CheckDigit', 'CountryCode', 'RoutingApplicationId'] as const;
type UsedPart = (typeof usedParts)[number];

interface CompiledFormat {
  readonly format: NumberFormat;
  readonly expression: RegExp;
  readonly parts: readonly UsedPart[];
  readonly prependWhen: RegExp | null;
}

/**
 * Returns the formats that match a normalised number, most specific first.
 * @param digit `wrong` returns the formats that match except for the check digit
 */
export function matchFormats(text: string, digit: 'right' | 'wrong' = 'right'): readonly FormatMatch[] {
  const matches = (byLength.get(text.length) ?? []).flatMap(([, entry]) =>
    digit === 'wrong' && entry.format.check === undefined ? [] : (matchOf(entry, text, digit) ?? []),
  );
  return matches.length < 2 ? matches : matches.sort((a, b) => weightOf(b) - weightOf(a));
}

const weightOf = ({ isDistinctive, isVerified }: FormatMatch): number => (isVerified ? 2 : 0) + (isDistinctive ? 1 : 0);

/** Turns unused groups into non-capturing ones, because capturing takes most of the matching time. */
function compiled(format: NumberFormat): CompiledFormat {
  const parts: UsedPart[] = [];
  const pattern = format.pattern.replace(/\((?:\?<([A-Za-z0-9]+)>|(?!\?))/g, (_, name: string | undefined) => {
    const part = usedParts.find((used) => used === name);
    if (part === undefined) return '(?:';
    parts.push(part);
    return '(';
  });
  return {
    format,
    parts,
    expression: new RegExp(`^(?:${pattern})$`),
    prependWhen: format.prepend === undefined ? null : new RegExp(format.prepend.when),
  };
}

function matchOf(
  { expression, format, parts, prependWhen }: CompiledFormat,
  text: string,
  digit: 'right' | 'wrong',
): FormatMatch | null {
  const match = expression.exec(text);
  if (match === null) return null;
  const partOf = (part: UsedPart): string | undefined => match[parts.indexOf(part) + 1 || parts.length + 1];
  const check = partOf('CheckDigit') ?? '';
  const country = partOf('CountryCode') ?? '';
  const serial = partOf('SerialNumber') ?? '';
  if (format.courier === 's10' && !isPostCountry(country)) return null;
  const { check: rule, prepend } = format;
  if (rule !== undefined) {
    const body = prepend !== undefined && prependWhen?.test(serial) === true ? `${prepend.text}${serial}` : serial;
    if (hasCheckDigit(rule, body, check) !== (digit === 'right')) return null;
  }
  return {
    courier: format.courier,
    name: format.name,
    trackNo:
      partOf('RoutingApplicationId') !== undefined || format.isBarCode === true ? keptPart(serial + check) : text,
    isVerified: rule !== undefined && digit === 'right',
    isDistinctive: digit === 'right' ? isDistinctive(text, rule !== undefined) : isUnmistakable(text),
    country: format.courier === 's10' ? country : null,
  };
}

const keptPart = (text: string): string => text.replace(/^00(?=\d{12}$)/, '');

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

const byLength = Map.groupBy(
  numberFormats.map(compiled).flatMap((entry) => {
    const { maxLength, minLength } = entry.format;
    return Array.from({ length: maxLength - minLength + 1 }, (_, index) => [minLength + index, entry] as const);
  }),
  ([length]) => length,
);
