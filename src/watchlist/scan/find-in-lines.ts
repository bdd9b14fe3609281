import { normaliseTrackNo } from '../../service/text/track-number.ts';
import { contextForm, contextOf, type NumberContext } from './context-words.ts';
import type { Finding, LinePlace } from './finding.ts';
import type { FormatMatch, FormatMatcher } from './match-formats.ts';
import type { ScanCouriers } from './scan-couriers.ts';
import type { ScanTrust } from './scanned-number.ts';
import { groupsFrom, type TextWord, type WordGroups, wordsOfLine } from './text-words.ts';

/** What finding numbers in lines needs. */
export interface LineFinder {
  readonly formats: FormatMatcher;
  readonly couriers: ScanCouriers;
}

/** A line and where it stands. */
export interface PlacedLine {
  readonly text: string;
  /** From 1; null where lines mean nothing. */
  readonly line: number | null;
}

/** Most characters that are looked at as one line; longer ones are cut there. */
const longestLine = 20_000;

/** The numbers in lines of text that follow each other. */
export function* findInLines(finder: LineFinder, lines: Iterable<PlacedLine>, place: LinePlace): Generator<Finding> {
  let above: NumberContext = null;
  for (const { line, text } of lines) {
    if (!/\S/.test(text)) continue;
    for (let from = 0; from < text.length; from += longestLine) {
      yield* findInLine(finder, plainForm(text.slice(from, from + longestLine)), above, { ...place, line });
    }
    // A heading says what the line below it is.
    above = text.length <= 80 ? contextOf(contextForm(text)) : null;
  }
}

/** A line with full-width forms folded and without what is invisible. */
function plainForm(line: string): string {
  if (/^[\t\x20-\x7e]*$/.test(line)) return line;
  return line
    .normalize('NFKC')
    .replace(/[\p{Zs}]/gu, ' ')
    .replace(/(?!\t)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-');
}

function* findInLine(
  finder: LineFinder,
  line: string,
  above: NumberContext,
  place: Finding['place'],
): Generator<Finding> {
  if (!/\d[^\n]*\d[^\n]*\d[^\n]*\d/.test(line)) return;
  const words = wordsOfLine(line);
  let index = 0;
  while (index < words.length) {
    const found = findAt(finder, line, words, index, above);
    if (found !== null) yield { ...found.finding, place };
    index += found?.count ?? 1;
  }
}

type PlacelessFinding = Omit<Finding, 'place'>;

/** The number that begins with a word; null for none. */
function findAt(
  finder: LineFinder,
  line: string,
  words: readonly TextWord[],
  index: number,
  above: NumberContext,
): { readonly finding: PlacelessFinding; readonly count: number } | null {
  const word = words[index];
  if (word === undefined || !mayBegin(word) || isOtherwise(line, word.from)) return null;
  let context: NumberContext | undefined;
  for (const groups of groupsFrom(line, words, index)) {
    const last = words[index + groups.count - 1];
    if (last === undefined || groups.text.length < 6 || goesOn(line, last.to)) continue;
    const matches = matchesOf(finder.formats, groups);
    context ??= contextOf(contextForm(line.slice(Math.max(0, word.from - 80), word.from))) ?? above;
    const alone = isAlone(line, word.from, last.to);
    const finding = judged(finder, groups, matches, context, alone);
    if (finding !== null) return { finding, count: groups.count };
  }
  return null;
}

const mayBegin = (word: TextWord): boolean => /\d/.test(word.text) || (word.isCapital && word.text.length <= 4);

function matchesOf(formats: FormatMatcher, groups: WordGroups): readonly FormatMatch[] {
  const matches = formats.match(groups.text);
  return groups.raw.includes('-') && !groups.raw.includes(' ') ? [...formats.match(groups.raw), ...matches] : matches;
}

/** A telephone number, an amount, a part of a longer word, of an address or of a number with a point. */
const isOtherwise = (line: string, from: number): boolean =>
  /[+€$£#@\\_]$|\d[.,:/]$|[\p{L}\p{N}][-._@]$/u.test(line.slice(Math.max(0, from - 2), from));

/** What follows belongs to the same word. */
const goesOn = (line: string, to: number): boolean =>
  /^(?:[-._/@:][A-Za-z0-9]|[%€$£_@]|,\d)/.test(line.slice(to, to + 2));

/** Whether it is all that stands in its line, or in its cell of a table. */
function isAlone(line: string, from: number, to: number): boolean {
  return (
    /(?:^|[\t;,|"])\s*$/.test(line.slice(0, from).slice(-20)) && /^\s*(?:$|[\t;,|"])/.test(line.slice(to, to + 20))
  );
}

function judged(
  { couriers }: LineFinder,
  groups: WordGroups,
  matches: readonly FormatMatch[],
  context: NumberContext,
  alone: boolean,
): PlacelessFinding | null {
  const [best] = matches;
  const text = best?.trackNo ?? groups.text;
  const check = normaliseTrackNo(text);
  if (!check.ok) return null;
  const trust = trustIn(groups, best ?? null, context, alone);
  if (trust === null) return null;
  const fitting = matches.flatMap(({ country, courier }) =>
    country === null ? [courier] : (couriers.ofCountry(country) ?? []),
  );
  return {
    trackNo: check.trackNo,
    evidence: best === undefined ? 'looks' : best.isVerified ? 'check-digit' : 'pattern',
    trust,
    courier: null,
    fitting: [...new Set(fitting)],
    label: null,
  };
}

/** How far words can be relied on to be a number; null when they are none. */
function trustIn(
  groups: WordGroups,
  best: FormatMatch | null,
  context: NumberContext,
  alone: boolean,
): ScanTrust | null {
  const digits = groups.text.replace(/\D/g, '').length;
  if (best?.isVerified === true && best.isDistinctive) return context === 'other' ? 'likely' : 'sure';
  if (best?.isDistinctive === true && digits >= 8) {
    if (groups.count > 1 && !groups.isEven && context !== 'parcel') return null;
    return context === 'other' ? 'doubtful' : 'likely';
  }
  if (context === 'other' && !(alone && best?.isVerified === true)) return null;
  if (groups.count > 1) {
    if (best?.isVerified !== true || !groups.isEven) return null;
    return context === 'parcel' ? 'likely' : digits >= 12 && alone ? 'doubtful' : null;
  }
  if (best?.isVerified === true) {
    if (context === 'parcel' || alone) return 'likely';
    return digits >= 12 ? 'doubtful' : null;
  }
  return trustInLooks(groups.text, digits, context, alone);
}

/** For what has no check digit that would tell it from other numbers. */
function trustInLooks(text: string, digits: number, context: NumberContext, alone: boolean): ScanTrust | null {
  const isDate = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:\d{4}|\d{6})?$/.test(text);
  const isHash = text.length >= 32 && /^[0-9A-F]+$/.test(text) && /[A-F]/.test(text);
  if (digits < 6 || text.length < 8 || digits * 2 < text.length || isDate || isHash) return null;
  if (context === 'parcel') return 'likely';
  return alone ? (text.length >= 9 ? 'likely' : 'doubtful') : null;
}
