import { hasCheckDigit, isPostCountry } from '../parcels/check-digit.ts';
import { numberFormats } from './data/number-formats.ts';
import { moreFormats, type NumberFormat } from './number-format.ts';

/** A format that a number has. */
export interface FormatMatch {
  readonly courier: string;
  readonly name: string;
  /** The number under which the courier knows the parcel: a bar code may hold more than that. */
  readonly trackNo: string;
  /** Whether it has a check digit, which is right. */
  readonly isVerified: boolean;
  /** Whether hardly anything else looks like this. */
  readonly isDistinctive: boolean;
  /** The country of a postal number, ISO 3166-1 in capitals; null for others. */
  readonly country: string | null;
}

/** The parts of a number that are used, by the names of their groups. */
const usedParts = ['SerialNumber', 'CheckDigit', 'CountryCode', 'RoutingApplicationId'] as const;
type UsedPart = (typeof usedParts)[number];

interface CompiledFormat {
  readonly format: NumberFormat;
  readonly expression: RegExp;
  /** The parts that the groups of the expression are, in their order. */
  readonly parts: readonly UsedPart[];
  readonly prependWhen: RegExp | null;
}

/** The formats of numbers, ready for use. */
export interface FormatMatcher {
  /**
   * The formats that a text has as a whole, the most telling first; one whose check digit is wrong is none.
   * @param text in the form in which numbers are kept
   */
  match(text: string): readonly FormatMatch[];
  /**
   * The formats that a text has but for its check digit, the most telling first. Distinctive is one that hardly anything else
   * looks like even so.
   * @param text in the form in which numbers are kept
   */
  mistyped(text: string): readonly FormatMatch[];
}

/** Makes a {@link FormatMatcher}. */
function createFormatMatcher(formats: readonly NumberFormat[]): FormatMatcher {
  const ofLength = Map.groupBy(
    formats.map(compiled).flatMap((entry) => {
      const { longest, shortest } = entry.format;
      return Array.from({ length: longest - shortest + 1 }, (_, index) => [shortest + index, entry] as const);
    }),
    ([length]) => length,
  );
  const matchesOf = (text: string, digit: 'right' | 'wrong'): readonly FormatMatch[] => {
    const matches: FormatMatch[] = [];
    for (const [, entry] of ofLength.get(text.length) ?? []) {
      if (digit === 'wrong' && entry.format.check === undefined) continue;
      const match = matchOf(entry, text, digit);
      if (match !== null) matches.push(match);
    }
    return matches.length < 2 ? matches : matches.sort((a, b) => weightOf(b) - weightOf(a));
  };
  return { match: (text) => matchesOf(text, 'right'), mistyped: (text) => matchesOf(text, 'wrong') };
}

const weightOf = ({ isDistinctive, isVerified }: FormatMatch): number => (isVerified ? 2 : 0) + (isDistinctive ? 1 : 0);

/** Groups that have names, or that nobody asks for, take most of the time of a match, so they are left out. */
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

/** A part of a bar code is filled up with zeros. */
const keptPart = (text: string): string => text.replace(/^00(?=\d{12}$)/, '');

/**
 * With the right check digit, two letters or more digits than anybody numbers anything else with are enough; without one, it takes
 * two letters and more length than other numbers have.
 */
function isDistinctive(text: string, isVerified: boolean): boolean {
  const letters = text.replace(/[^A-Z]/g, '').length;
  if (!isVerified) return (letters >= 2 && text.length >= 15) || /^LTN\d{8}N1$/.test(text);
  return letters >= 2 || /^1Z/.test(text) || /^(?:9[1-6]\d{18,}|\d{24,})$/.test(text);
}

/** UPU S10, UPS, DHL Paket, and USPS with or without the ZIP code. */
const unmistakable = /^(?:[A-Z]{2}\d{9}[A-Z]{2}|1Z[A-Z0-9]{16}|00340\d{15}|(?:420\d{5}(?:\d{4})?)?9[1-5]\d{20})$/;

/** Whether a text has a form that says what it is even where its check digit is wrong. */
export const isUnmistakable = (text: string): boolean => unmistakable.test(text);

/** All formats that we know. Ours come first: they are narrower. */
export const knownFormats: FormatMatcher = createFormatMatcher([...moreFormats, ...numberFormats]);
