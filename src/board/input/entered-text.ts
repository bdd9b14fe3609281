import { cleanText, cleanTextOrNull } from '../../lib/clean-text.ts';
import {
  type AddInput,
  type EntryProblem,
  isWholeNumber,
  normaliseCourier,
  parseAddInput,
  quotes,
} from './add-input.ts';

export interface TextEntry {
  /** As entered, without separators. */
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  readonly input: Exclude<AddInput, { kind: 'empty' }>;
}

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
/** A quoted label (which may contain separators), a separator, or other text. */
const piecePattern = new RegExp(`[${quotes}][^${quotes}]*[${quotes}]?|(?<separator>[\\t;,])|[^\\t;,${quotes}]+`, 'gu');
const quotedPattern = new RegExp(`^[${quotes}]([^${quotes}]*)[${quotes}]?$`, 'u');
const closedQuoteOrComment = new RegExp(`[${quotes}][^${quotes}]*[${quotes}]|(?<comment>(?:^|\\s)#)`, 'gu');
/** A courier code has no capital letters or spaces. Anything else is a label. */
const codePattern = /^@?(?=.*[a-z])[a-z0-9][a-z0-9._-]*$/;
/** A word that may have been meant as a number. */
const numberLike = /(?:\d[^\s\d]*){5}/;

/**
 * Parses everything that people type or paste to add numbers: the input bar, pastes, `add`, `add -` and lines to
 * import. Tabs, semicolons and commas separate either numbers or the columns number, courier and label. A piece that is
 * a whole number starts a new entry; other pieces belong to the number before them. A second column is a courier if it
 * looks like a code (`china-post`), and a label otherwise. {@link parseAddInput} parses each entry.
 */
export function readEnteredText(text: string): readonly TextEntry[] {
  return text.split(lineBreak).flatMap((line, index) => readLine(line).map((entry) => ({ ...entry, line: index + 1 })));
}

/** Removes a comment, which starts with a `#` at the start or after whitespace, outside quotes. */
export function withoutComment(line: string): string {
  const comment = [...line.matchAll(closedQuoteOrComment)].find((match) => match.groups?.['comment'] !== undefined);
  return line.slice(0, comment?.index);
}

interface Piece {
  readonly text: string;
  /** The separator before it. Empty for the first piece. */
  readonly separator: string;
}

function readLine(line: string): readonly Omit<TextEntry, 'line'>[] {
  const entries: Piece[][] = [];
  for (const piece of splitPieces(line)) {
    const columns = entries.at(-1);
    const isBlank = piece.text.trim() === '';
    if (columns === undefined || startsEntry(piece, columns)) {
      if (!isBlank) entries.push([piece]);
    } else {
      columns.push(piece);
    }
  }
  return entries.flatMap(readEntry);
}

function splitPieces(line: string): readonly Piece[] {
  const pieces: { text: string; separator: string }[] = [{ text: '', separator: '' }];
  for (const match of line.matchAll(piecePattern)) {
    const separator = match.groups?.['separator'];
    const last = pieces.at(-1);
    if (separator !== undefined) pieces.push({ text: '', separator });
    else if (last !== undefined) last.text += match[0];
  }
  return pieces;
}

/** Whether a piece is a number of its own, not a column of the previous entry. */
function startsEntry({ text }: Piece, columns: readonly Piece[]): boolean {
  if (/^\s*[@\uFF20]/u.test(text)) return false;
  const [first] = columns;
  const input = parseAddInput(text);
  if (input.kind !== 'ok') return false;
  // Only a number can have columns, so a number after anything else starts an entry.
  if (first !== undefined && parseAddInput(first.text).kind !== 'ok') return true;
  // A short number such as a year may be a label, but only in the third column.
  return (
    isWholeNumber(input.trackNo) || (columns.length === 1 && /^(?=(?:\D*\d){4})[A-Z0-9/._-]{5,}$/.test(input.trackNo))
  );
}

function readEntry(columns: readonly Piece[]): readonly Omit<TextEntry, 'line'>[] {
  const raw = columns.map(({ separator, text }, index) => (index === 0 ? text : separator + text)).join('');
  const text = raw.replace(/[\s;,]+$/, '').trimStart();
  const [number, ...others] = mergeColumns(columns);
  const input = parseAddInput(number ?? '');
  if (input.kind === 'empty') return [];
  while (others.at(-1) === '') others.pop();
  return [{ text, input: input.kind === 'ok' ? withColumns(input, others) : input }];
}

function mergeColumns(columns: readonly Piece[]): readonly string[] {
  const separators = columns.map(({ separator }) => separator);
  const main = ['\t', ';'].find((separator) => separators.includes(separator)) ?? ',';
  const texts: string[] = [];
  for (const [index, { separator, text }] of columns.entries()) {
    if (index < 2 || separator === main) texts.push(text);
    else texts.push(`${texts.pop() ?? ''}${separator}${text}`);
  }
  return texts.map((text) => text.trim());
}

function withColumns(
  entry: Extract<AddInput, { kind: 'ok' }>,
  columns: readonly string[],
): Exclude<AddInput, { kind: 'empty' }> {
  const [second = '', third = '', ...more] = columns;
  if (columns.length === 0) return entry;
  const isSecondCourier = second === '' || codePattern.test(second);
  const label = columns.length === 1 && !isSecondCourier ? second : third;
  const isClear =
    more.length === 0 && (isSecondCourier || columns.length === 1) && isLabel(label, columns.length === 1);
  const courierCode = isSecondCourier && second !== '' ? normaliseCourier(second.replace(/^@/, '')) : null;
  const isDuplicate =
    (courierCode !== null && entry.courierCode !== null) || (parseLabel(label) !== null && entry.label !== null);
  if (!isClear || isDuplicate) {
    const message = 'Which part is the number? Use NUMBER @courier "label", or columns: number, courier, label.';
    return { kind: 'problem', reason: 'unclear', message, at: 0 };
  }
  return { ...entry, courierCode: courierCode ?? entry.courierCode, label: parseLabel(label) ?? entry.label };
}

const parseLabel = (column: string): string | null => cleanTextOrNull(quotedPattern.exec(column)?.[1] ?? column);

/**
 * Whether a column can only be a label. A word with many digits may be a number, and so may a second column without
 * letters.
 */
function isLabel(column: string, isSecond: boolean): boolean {
  if (column === '' || quotedPattern.test(column)) return true;
  return !column.split(/\s+/).some((word) => numberLike.test(word)) && (!isSecond || /\p{L}/u.test(column));
}

interface TypedTag {
  readonly name: string;
  /** Whether a `-` precedes it. */
  readonly isRemoved: boolean;
}

/** A tag in quotes (with inner quotes doubled), or text up to a comma or the next `#`. */
const tagPattern = /\s*(-?)(?:"((?:[^"]|"")*)"(?=\s*(?:,|$))|(?:#\s*)?((?:[^,\s]|\s+(?!-?#))*))\s*,?/gy;

/** Parses a list of tags, which are separated by commas or `#` and can be quoted. */
export function parseTags(text: string): readonly TypedTag[] {
  return [...text.matchAll(tagPattern)].flatMap(([, sign, quoted, plain = '']) => {
    const name = cleanText(quoted?.replaceAll('""', '"') ?? plain).trim();
    return name === '' ? [] : [{ name, isRemoved: sign === '-' }];
  });
}

type RejectReason = EntryProblem | 'unknown-courier' | 'check-digit' | 'unusable-field';

const reasonTexts: Readonly<Record<RejectReason, string>> = {
  'no-digit': 'without a digit',
  'no-number': 'without a number at the beginning',
  character: 'with characters that are not allowed',
  'too-short': 'too short',
  'too-long': 'too long',
  unclear: 'with an unclear label',
  courier: 'with an unclear courier',
  label: 'with two labels',
  'unknown-courier': 'with an unknown courier',
  'check-digit': 'with a wrong check digit',
  'unusable-field': 'with an invalid field',
};

/** An entry that was not added, and why. */
export interface RejectedEntry {
  readonly reason: RejectReason;
  readonly message: string;
}

interface AddedCounts {
  readonly added: number;
  readonly known: number;
  /** Number of entries that the service rejected. Defaults to 0. */
  readonly rejected?: number;
  /** Number of added or known entries that are not registered yet. Omitted if unknown. */
  readonly pending?: number;
}

/** For example `4 added, 1 already on the list`. */
function addedText({ added, known, pending = 0, rejected = 0 }: AddedCounts): string {
  const details = [
    ...(known === 0 ? [] : [`${known} already on the list`]),
    ...(rejected === 0 ? [] : [`${rejected} rejected`]),
    ...(pending === 0 || pending === added ? [] : [`${pending} still pending`]),
  ];
  return [`${added === 0 ? 'Nothing' : added} added`, ...details].join(', ');
}

/**
 * Counts the added entries, and the entries that were not added by reason.
 * @param others null while it is not known what happens to the other entries
 */
export function partialAddCounts(
  others: AddedCounts | null,
  rejected: readonly Pick<RejectedEntry, 'reason'>[],
): string {
  const reasons = [...new Set(rejected.map(({ reason }) => reason))].map(
    (reason) => `${rejected.filter((entry) => entry.reason === reason).length} ${reasonTexts[reason]}`,
  );
  const rejectedText = rejected.length === 0 ? [] : [`${rejected.length} not added: ${reasons.join(', ')}`];
  return `${[...(others === null ? [] : [addedText(others)]), ...rejectedText].join(', ')}.`;
}

/** Like {@link partialAddCounts}, but with the full message if only one entry was not added. */
export function partialAddText(others: AddedCounts | null, rejected: readonly RejectedEntry[]): string {
  const [only] = rejected;
  if (only === undefined || rejected.length > 1) return partialAddCounts(others, rejected);
  const hasAdded = others !== null && others.added + others.known > 0;
  return hasAdded ? `${addedText(others)}, 1 not added. ${only.message}` : only.message;
}
