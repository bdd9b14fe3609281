import { cleanTextOrNull } from '../lib/clean-text.ts';
import type { NamedCourier } from './couriers.ts';
import { findInLink, type NumberFinder, splitLinks } from './find-in-link.ts';
import {
  allOf,
  contextOf,
  contextReach,
  lastContextWord,
  type NamingLine,
  type NumberContext,
  nearCouriers,
  trustIn,
  trustInMistyped,
  type WeighedForm,
  weighFormats,
} from './judge-number.ts';
import { type FormatMatch, isUnmistakable } from './match-formats.ts';
import type { Finding, LinePlace, PlacelessFinding, ScanProblem } from './scanned-number.ts';
import { findInRow, goesOnBelow, lostInRow, rowOf, type TextTable, tableBelow } from './text-table.ts';
import { groupsFrom, type TextWord, type WordGroups, wordsOfLine } from './text-words.ts';

/** A line and where it stands. */
export interface PlacedLine {
  readonly text: string;
  /** From 1; null where lines mean nothing. */
  readonly line: number | null;
}

/** Most characters that are looked at as one line; longer ones are cut where a word ends. */
const longestLine = 20_000;
/** Longest line that says what the lines below it are, in characters. */
const longestHeading = 60;

/** Characters after which somebody else gets a turn; a line counts as some, too. */
const charactersATurn = 100_000;
const charactersOfBreak = 20;

/**
 * The numbers in lines of text that follow each other, and what a table has in place of numbers; now and then, where somebody else can be given a turn, how many
 * characters have been looked at.
 */
export function* findInLines(
  finder: NumberFinder,
  lines: Iterable<PlacedLine>,
  place: LinePlace,
): Generator<Finding | ScanProblem | number> {
  let heading = '';
  let [looked, sinceTurn] = [0, 0];
  let table: TextTable | null = null;
  for (const { line, text } of wholeRows(lines, () => table)) {
    let found = 0;
    for (const piece of text.length > longestLine ? piecesOf(text) : [text]) {
      const row: readonly string[] | null = table === null ? null : rowOf(table, piece);
      if (row === null) table = null;
      for (const finding of table === null || row === null
        ? findInLine(finder, piece, heading)
        : findInRow(finder, table, row, (cell, above) => findInLine(finder, cell, above))) {
        found += 1;
        yield { ...finding, place: { ...place, line } };
      }
      for (const message of table === null || row === null ? [] : lostInRow(table, row)) {
        yield { message, place: { ...place, line } };
      }
      looked += piece.length + 1;
      sinceTurn += piece.length + charactersOfBreak;
      if (sinceTurn > charactersATurn) {
        sinceTurn = 0;
        yield looked;
      }
    }
    if (table === null && found === 0) table = tableBelow(text);
    // A heading holds for all lines of a list below it.
    if (found === 0 && /\S/.test(text)) heading = text.length <= longestHeading && !/\d/.test(text) ? text : '';
  }
}

/** The lines, and in place of those that a row of a table goes over the whole row. */
function* wholeRows(lines: Iterable<PlacedLine>, table: () => TextTable | null): Generator<PlacedLine> {
  let begun: PlacedLine | null = null;
  for (const each of lines) {
    const whole: PlacedLine = begun === null ? each : { ...begun, text: `${begun.text} ${each.text}` };
    const current = table();
    begun = current !== null && whole.text.length < longestLine && goesOnBelow(current, whole.text) ? whole : null;
    if (begun === null) yield whole;
  }
  if (begun !== null) yield begun;
}

function* piecesOf(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = text.slice(from, from + longestLine).lastIndexOf(' ');
    const to = text.length - from > longestLine && end > 0 ? from + end : from + longestLine;
    yield text.slice(from, to);
    from = to;
  }
}

/** Swiss Post alone puts points between groups. */
const swissPost = /\b99\.(\d{2})\.(\d{6})\.(\d{8})\b/g;

/** A line with full-width forms folded and without what is invisible. */
function plainForm(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/(?!\t)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-');
}

/** What is known of a line as far as it was looked at. */
interface LineState {
  /** Where the last number ended. */
  readonly from: number;
  /** What the last number was said to be. */
  readonly context: NumberContext;
}

function findInLine(finder: NumberFinder, text: string, heading: string): readonly PlacelessFinding[] {
  const line = /^[\x00-\x7f]*$/.test(text) ? text : /\p{Nd}/u.test(text) ? plainForm(text) : '';
  const { links, rest } = splitLinks(line.includes('99.') ? line.replace(swissPost, '99$1$2$3') : line);
  return [...links.flatMap((link) => findInLink(finder, link)), ...findInWords(finder, rest, heading)];
}

function findInWords(finder: NumberFinder, line: string, heading: string): readonly PlacelessFinding[] {
  const findings: PlacelessFinding[] = [];
  const words = wordsOfLine(line);
  let naming: NamingLine | null = null;
  const namesIn = (): NamingLine => {
    const namedIn = (text: string): readonly NamedCourier[] =>
      /\p{L}/u.test(text) ? finder.couriers.namedIn(text) : [];
    naming ??= { line, words, named: namedIn(line), above: namedIn(heading) };
    return naming;
  };
  let state: LineState | null = null;
  let index = 0;
  while (index < words.length) {
    const word = words[index];
    const found: Found | null =
      word === undefined ? null : findAt(finder, { heading, line, namesIn, state, words }, word, index);
    if (found !== null) {
      findings.push(found.finding);
      state = { from: found.groups.to, context: found.context };
    }
    index += found?.groups.count ?? 1;
  }
  return findings;
}

interface LineView {
  readonly line: string;
  readonly words: readonly TextWord[];
  readonly heading: string;
  /** The couriers that the line and its heading name; looked for when they are first asked for. */
  readonly namesIn: () => NamingLine;
  /** Null before the first number. */
  readonly state: LineState | null;
}

interface Found {
  readonly finding: PlacelessFinding;
  readonly groups: WordGroups;
  readonly context: NumberContext;
}

/** Fewest digits, and fewest characters, of a number in a text. */
const fewestDigits = 6;
const fewestCharacters = 8;

/** The number that begins with a word; null for none. */
function findAt(finder: NumberFinder, view: LineView, word: TextWord, index: number): Found | null {
  let mistyped: Found | null = null;
  for (const groups of groupsFrom(view.line, view.words, index)) {
    if (groups.digits < fewestDigits || groups.text.length < fewestCharacters) continue;
    const found = foundAs(finder, view, word, groups);
    if (found === null) continue;
    // Fewer groups with the right check digit mean more than many with a wrong one.
    if (found.finding.mistypedFor === null) {
      if (mistyped === null || found.finding.evidence === 'check-digit') return found;
    } else mistyped ??= found;
  }
  return mistyped;
}

/** Only digits in more than two groups of one size are taken for a mistyped number. */
const isTriplet = ({ count, isUniform }: WordGroups): boolean => isUniform && count > 2;

/** Whether no courier's name would tell more than the form does. */
const isPlain = ([best, ...others]: readonly FormatMatch[]): boolean =>
  best?.isDistinctive === true && best.country === null && others.length === 0;

function foundAs(finder: NumberFinder, view: LineView, word: TextWord, groups: WordGroups): Found | null {
  const { line, state } = view;
  if (isWithinOther(line, word.from) || goesOn(line, groups.to)) return null;
  const matches = allOf(finder.formats.match, groups);
  if (groups.count > 1 && matches.length === 0 && !isTriplet(groups) && !isUnmistakable(groups.text)) return null;
  const isTold = finder.isTold(matches[0]?.trackNo ?? groups.text);
  const near =
    isTold && !isPlain(matches)
      ? nearCouriers(view.namesIn(), { last: state?.from ?? 0, from: word.from, to: groups.to })
      : [];
  const form = weighFormats(finder, groups, matches, near);
  const { best, mistyped } = form;
  if (best === null && mistyped === null && groups.count > 1) return null;
  const isTelling = best?.isDistinctive === true || mistyped?.isDistinctive === true;
  if (groups.count > 1 && !isTelling && isInRow(view, word.from, groups.to)) return null;
  const context = contextAt(view, form, word.from, groups);
  const around = { context, isAlone: isAlone(line, word.from, groups.to) };
  const trust = mistyped === null ? trustIn(groups, best, around) : trustInMistyped(groups, mistyped, around);
  if (trust === null) return null;
  const finding = findingOf(groups, isTold ? form : { ...form, fitting: [] }, trust);
  return { finding: isTold ? { ...finding, ...saidBehind(finder, line, groups.to) } : finding, groups, context };
}

/** A courier and a label as they are entered behind a number: `@courier "label"`. */
const entered =
  /^[ \t]{1,3}(?:@([a-z0-9][a-z0-9._-]{0,99})(?![^\s])[ \t]{0,3})?(?:["\u201c\u201e\u00ab]([^"\u201c\u201d\u00bb]{1,200})["\u201c\u201d\u00bb])?/i;

function saidBehind({ couriers }: NumberFinder, line: string, to: number): Pick<PlacelessFinding, 'courier' | 'label'> {
  const [, code, label] = entered.exec(line.slice(to, to + 320)) ?? [];
  return { courier: code === undefined ? null : couriers.ofCode(code), label: cleanTextOrNull(label) };
}

function findingOf(
  groups: WordGroups,
  { best, fitting, mistyped }: WeighedForm,
  trust: Finding['trust'],
): PlacelessFinding {
  return {
    trackNo: (best ?? mistyped)?.trackNo ?? groups.text,
    evidence: best?.isVerified === true ? 'check-digit' : best === null && mistyped === null ? 'looks' : 'pattern',
    trust,
    courier: null,
    fitting,
    label: null,
    orderNo: null,
    mistypedFor: mistyped?.name.replace(/ \([^)]*\)$/, '') ?? null,
  };
}

const joinsNumbers = /^\W*(?:and|or|und|et|y|e|en|og|och|ja|i|a|и|和)\W*$/i;

/** What the text before a number says that it is: in its line, else in the heading above when it is first in its line. */
function contextAt(view: LineView, form: WeighedForm, at: number, groups: WordGroups): NumberContext {
  const { heading, line, state } = view;
  const start = Math.max(state?.from ?? 0, at - contextReach);
  const before = line.slice(start, at);
  // In a list of numbers, all are what the first one is.
  if (!/\p{L}/u.test(before) || (state !== null && joinsNumbers.test(before))) {
    if (state !== null) return state.context;
    return contextOf(heading) ?? (view.namesIn().above.length > 0 ? 'parcel' : null);
  }
  const word = lastContextWord(before);
  if (word?.kind === 'parcel') return 'parcel';
  // A courier's name says as much as a word for parcels.
  const named = view.namesIn().named.findLast(({ from, to }) => from >= start && to <= at);
  if (word === null) return named === undefined ? null : 'parcel';
  const isOverruled = form.isNamed && form.best?.isVerified === true && groups.digits >= fewestToOverrule;
  return isOverruled && isFarther(before.slice(-word.distance), named, at) ? 'parcel' : 'other';
}

/** Fewest digits of a number with a right check digit that are not what a word before them says by mere chance. */
const fewestToOverrule = 12;

/** Whether a word for something else is not that of the number: a courier, or a thing of its own, stands between. */
const isFarther = (between: string, named: NamedCourier | undefined, at: number): boolean =>
  (named !== undefined && at - named.from < between.length) || /\p{L}\P{L}+\p{L}.*[\t;|,]/u.test(between);

/** A telephone number, an amount, a part of a longer word, of an address or of a number with a point. */
const isWithinOther = (line: string, from: number): boolean =>
  from > 0 && /[+€$£@\\_%]$|\d[.,:/]$|[\p{L}\p{N}][-._@]$/u.test(line.slice(Math.max(0, from - 2), from));

/** What follows belongs to the same word. */
const goesOn = (line: string, to: number): boolean =>
  to < line.length && /^(?:[-._/@:][A-Za-z0-9]|[%€$£_@]|:\/|,\d)/.test(line.slice(to, to + 2));

/** Whether groups of digits stand between others that no number was found in. */
function isInRow({ line, state }: LineView, from: number, to: number): boolean {
  const isFirst = state !== null && state.from >= from - 1;
  return (
    (!isFirst && /\d[ -]$/.test(line.slice(Math.max(0, from - 2), from))) || /^[ -]\d/.test(line.slice(to, to + 2))
  );
}

const cellEdges = '\t;,|"\'';

function isAlone(line: string, from: number, to: number): boolean {
  let before = from - 1;
  while (before >= 0 && line[before] === ' ') before -= 1;
  let after = to;
  while (after < line.length && line[after] === ' ') after += 1;
  return (
    (before < 0 || cellEdges.includes(line[before] ?? '')) &&
    (after >= line.length || cellEdges.includes(line[after] ?? ''))
  );
}
