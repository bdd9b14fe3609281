import { once } from '../lib/async.ts';
import { cleanTextOrNull } from '../lib/clean-text.ts';
import { unverifiedKind } from '../parcels/check-digit.ts';
import {
  couriersForFormats,
  createCandidates,
  findNamedCouriers,
  type NamedCourier,
  type ScanCouriers,
} from './couriers.ts';
import { findInLink, splitLinks } from './find-in-link.ts';
import { type FoundNumber, plainNumber } from './found-number.ts';
import {
  contextReach,
  findWords,
  groupWords,
  isLikelyMistyped,
  judgeCertainty,
  lastContextWord,
  type NumberContext,
  type TextWord,
  type WordGroups,
} from './judge-number.ts';
import { isUnmistakable, matchFormats } from './number-formats.ts';

/** Only Swiss Post separates groups with dots. */
const swissPost = /\b99\.(\d{2})\.(\d{6})\.(\d{8})\b/g;

function normaliseLine(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/(?!\t)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-');
}

interface Line {
  readonly text: string;
  readonly words: readonly TextWord[];
  readonly named: () => readonly NamedCourier[];
  readonly heading: string;
  readonly namedAbove: () => readonly NamedCourier[];
}

interface PreviousNumber {
  readonly to: number;
  readonly context: NumberContext;
}

interface NumberMatch extends PreviousNumber {
  readonly number: FoundNumber;
  readonly count: number;
}

export function findInLine(couriers: ScanCouriers, rawLine: string, heading: string): readonly FoundNumber[] {
  const line = /^[\x00-\x7f]*$/.test(rawLine) ? rawLine : /\p{Nd}/u.test(rawLine) ? normaliseLine(rawLine) : '';
  const { links, rest: text } = splitLinks(line.includes('99.') ? line.replace(swissPost, '99$1$2$3') : line);
  const numbers = links.flatMap((link) => findInLink(couriers, link));
  const words = findWords(text);
  const view: Line = {
    text,
    words,
    heading,
    named: once(() => (/\p{L}/u.test(text) ? findNamedCouriers(text) : [])),
    namedAbove: once(() => (/\p{L}/u.test(heading) ? findNamedCouriers(heading) : [])),
  };
  let previous: PreviousNumber | null = null;
  for (let index = 0; index < words.length; ) {
    const found: NumberMatch | null = findAt(couriers, view, index, previous);
    if (found !== null) {
      numbers.push(found.number);
      previous = found;
    }
    index += found?.count ?? 1;
  }
  return numbers;
}

const minDigits = 6;
const minCharacters = 8;

function findAt(
  couriers: ScanCouriers,
  line: Line,
  index: number,
  previous: PreviousNumber | null,
): NumberMatch | null {
  let mistyped: NumberMatch | null = null;
  for (const groups of groupWords(line.text, line.words, index)) {
    if (groups.digits < minDigits || groups.text.length < minCharacters) continue;
    const found = judgeGroups(couriers, line, line.words[index]?.from ?? 0, groups, previous);
    if (found === null) continue;
    // A shorter number with a correct check digit is better than a longer one with a wrong one.
    if (found.number.issue === null) {
      if (mistyped === null || found.number.evidence === 'check-digit') return found;
    } else mistyped ??= found;
  }
  return mistyped;
}

function judgeGroups(
  couriers: ScanCouriers,
  line: Line,
  from: number,
  groups: WordGroups,
  previous: PreviousNumber | null,
): NumberMatch | null {
  const { count, isEven, raw, text, to } = groups;
  if (isContinuation(line.text, from) || continuesAfter(line.text, to)) return null;
  const matches = [...(raw === text ? [] : matchFormats(raw)), ...matchFormats(text)];
  const hasManyGroups = isEven && count > 2;
  if (count > 1 && matches.length === 0 && !hasManyGroups && !isUnmistakable(text)) return null;
  const namedInLine = line.named();
  const namedCouriers = namedInLine.length > 0 ? namedInLine : line.namedAbove();
  const keys = new Set(namedCouriers.flatMap((courier) => courier.keys));
  const namedMatches = matches.filter((match) => couriersForFormats([match]).some((key) => keys.has(key)));
  const best = namedMatches[0] ?? matches[0] ?? null;
  const isSettled = best?.isVerified === true || namedMatches.length > 0;
  const fitsNamedCourier = !isSettled && namedCouriers.some(({ key }) => unverifiedKind(text, key) !== null);
  const mistyped = !isSettled && (fitsNamedCourier || isUnmistakable(text)) ? matchFormats(text, 'wrong') : [];
  const isMistyped = mistyped.length > 0;
  const isConvincing = isMistyped ? isUnmistakable(text) : best?.isDistinctive === true;
  if (count > 1 && !isConvincing && isInDigitRow(line.text, from, to, previous)) return null;
  const context = contextAt(line, from, previous);
  const surroundings = { context, isAlone: isAlone(line.text, from, to) };
  const certainty = !isMistyped
    ? judgeCertainty(groups, best, surroundings)
    : isLikelyMistyped(groups, surroundings)
      ? 'doubtful'
      : null;
  if (certainty === null) return null;
  const distinctiveMatches = isMistyped
    ? mistyped
    : matches.filter(({ isVerified }) => isVerified || best?.isVerified !== true);
  const formatKeys = couriersForFormats(namedMatches.length > 0 ? namedMatches : distinctiveMatches);
  const nearest = namedCouriers.findLast((courier) => courier.to <= from) ?? namedCouriers[0];
  const namedKeys = formatKeys.filter((key) => keys.has(key));
  const isKnown = namedKeys.length > 0 || isMistyped || best?.isVerified === true || best?.isDistinctive === true;
  const guessedKeys = isKnown || nearest === undefined ? formatKeys : [nearest.key];
  const likelyKeys = namedKeys.length > 0 ? namedKeys : guessedKeys;
  return {
    number: {
      ...plainNumber,
      trackNo: (mistyped[0] ?? best)?.trackNo ?? text,
      evidence: best?.isVerified === true ? 'check-digit' : best === null && !isMistyped ? 'looks' : 'pattern',
      certainty,
      issue: isMistyped ? 'check-digit' : null,
      ...courierAndLabel(couriers, line.text, to, likelyKeys),
    },
    count,
    context,
    to,
  };
}

/** What the user may enter after a number: `@courier "label"`. */
const enteredSuffix =
  /^[ \t]{1,3}(?:@([a-z0-9][a-z0-9._-]{0,99})(?![^\s])[ \t]{0,3})?(?:["\u201c\u201e\u00ab]([^"\u201c\u201d\u00bb]{1,200})["\u201c\u201d\u00bb])?/i;

function courierAndLabel(
  couriers: ScanCouriers,
  line: string,
  to: number,
  fitting: readonly string[],
): Pick<FoundNumber, 'courierCode' | 'candidates' | 'label'> {
  const [, code, label] = enteredSuffix.exec(line.slice(to, to + 320)) ?? [];
  const key = code === undefined ? null : couriers.keyForCode(code);
  return {
    courierCode: key === null ? null : couriers.codeForKey(key),
    candidates: createCandidates(couriers, key === null ? fitting : [key, ...fitting]),
    label: cleanTextOrNull(label),
  };
}

const joinsNumbers = /^\W*(?:and|or|und|et|y|e|en|og|och|ja|i|a|и|和)\W*$/i;

/** Judges by the text before the number. For the first number on a line, falls back to the line above. */
function contextAt(line: Line, at: number, previous: PreviousNumber | null): NumberContext {
  const start = Math.max(previous?.to ?? 0, at - contextReach);
  const precedingText = line.text.slice(start, at);
  // The numbers in an enumeration are all of the same kind.
  if (!/\p{L}/u.test(precedingText) || (previous !== null && joinsNumbers.test(precedingText))) {
    if (previous !== null) return previous.context;
    return lastContextWord(line.heading)?.kind ?? (line.namedAbove().length > 0 ? 'parcel' : null);
  }
  const word = lastContextWord(precedingText);
  const from = start + (word?.from ?? 0);
  const isNamed = line.named().some((courier) => courier.from >= from && courier.to <= at);
  return isNamed ? 'parcel' : (word?.kind ?? null);
}

/** Whether the text is part of a phone number, an amount, a longer word, an address or a decimal number. */
const isContinuation = (line: string, from: number): boolean =>
  from > 0 && /[+€$£@\\_%]$|\d[.,:/]$|[\p{L}\p{N}][-._@]$/u.test(line.slice(Math.max(0, from - 2), from));

const continuesAfter = (line: string, to: number): boolean =>
  to < line.length && /^(?:[-._/@:][A-Za-z0-9]|[%€$£_@]|:\/|,\d)/.test(line.slice(to, to + 2));

const isInDigitRow = (line: string, from: number, to: number, previous: PreviousNumber | null): boolean =>
  ((previous === null || previous.to < from - 1) && /\d[ -]$/.test(line.slice(Math.max(0, from - 2), from))) ||
  /^[ -]\d/.test(line.slice(to, to + 2));

const cellEdges = '\t;,|"\'';

function isAlone(line: string, from: number, to: number): boolean {
  let start = from - 1;
  while (start >= 0 && line[start] === ' ') start -= 1;
  let end = to;
  while (end < line.length && line[end] === ' ') end += 1;
  return (
    (start < 0 || cellEdges.includes(line[start] ?? '')) && (end >= line.length || cellEdges.includes(line[end] ?? ''))
  );
}
