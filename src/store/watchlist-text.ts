import { isJsonObject, type JsonObject } from '../lib/json.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parseJson } from './file/document-format.ts';

/*
 * The layout of `watchlist.json`: JSON with one line a parcel, so that a change of one shows as one line, and whoever
 * knows the parcels need not parse those whose lines are the same.
 */

/** How many lines are written in one piece. */
const linesInPiece = 250;
/** Of a long list not all bytes are made a string at once, which would keep the thread from everything else. */
const bytesAtOnce = 262_144;

const listStart = '\n  "parcels": [\n';
/** In front of each parcel. */
const margin = '    ';
const listEnd = '\n  ]';
/** New lines of the change log, which wait here for their file, stand one a line as well: an import has one for each parcel. */
const changesStart = '\n    "recent": [\n';
const changesMargin = '      ';
const changesEnd = '\n    ]';
/** Stands for the list while the document around it is parsed; where it turns up shows that it was the list. */
const placeholder = '(one parcel a line)';

/** One entry of a list of parcels. */
export interface Entry {
  /** Its JSON without line breaks. */
  readonly line: () => string;
  /** What that holds; undefined when it is no JSON. */
  readonly value: () => unknown;
}

/** A document whose parcels have not been parsed yet. */
export interface ListedDocument {
  /** What the document holds beside the parcels, in whose place there is something else. */
  readonly document: JsonObject;
  readonly entries: Iterable<Entry>;
  /** The lines of `changes.recent`, in whose place there is something else; null where they have been parsed along. */
  readonly changes: Iterable<Entry> | null;
}

const indented = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');

/** A document with a list of parcels in pieces, each made when its turn to be written has come. */
export function* watchlistPieces(document: object, lineOf: (parcel: Parcel) => string): Generator<string> {
  let before = '{';
  for (const [key, value] of Object.entries(document)) {
    yield `${before}\n  ${JSON.stringify(key)}: `;
    before = ',';
    if (key === 'parcels') yield* listPieces(value, (parcel: Parcel) => `${margin}${lineOf(parcel)}`, listEnd);
    else if (key === 'changes') yield* changesPieces(value);
    else yield indented(value);
  }
  yield '\n}\n';
}

function* changesPieces(changes: object): Generator<string> {
  let before = '{';
  for (const [key, value] of Object.entries(changes)) {
    yield `${before}\n    ${JSON.stringify(key)}: `;
    before = ',';
    if (key === 'recent') yield* listPieces(value, (line: unknown) => changesMargin + JSON.stringify(line), changesEnd);
    else yield JSON.stringify(value, null, 2).replaceAll('\n', '\n    ');
  }
  yield before === '{' ? '{}' : '\n  }';
}

function* listPieces<Item>(items: readonly Item[], lineOf: (item: Item) => string, end: string): Generator<string> {
  if (items.length === 0) {
    yield '[]';
    return;
  }
  for (let from = 0; from < items.length; from += linesInPiece) {
    const lines = items.slice(from, from + linesInPiece).map(lineOf);
    yield `${from === 0 ? '[' : ','}\n${lines.join(',\n')}`;
  }
  yield end;
}

/** The entries of a list that has been parsed. */
export function* entriesOf(values: readonly unknown[]): Generator<Entry> {
  for (const value of values) yield { line: () => JSON.stringify(value), value: () => value };
}

/**
 * Takes a text of this layout apart without parsing the parcels; null for a text of another layout. A text of which all
 * entries are JSON holds what is found here, else it is of another layout, too, or damaged.
 */
export function listedDocument(bytes: Buffer): ListedDocument | null {
  const start = bytes.indexOf(listStart);
  const from = start + listStart.length;
  const to = bytes.indexOf(listEnd, from - 1);
  if (start === -1 || to < from) return null;
  const parcels = { from, to, end: to + listEnd.length };
  const changes = changesIn(bytes, parcels);
  const lists = [parcels, ...(changes === null ? [] : [changes])].sort((a, b) => a.from - b.from);
  let [text, at] = ['', 0];
  for (const list of lists) {
    text += bytes.toString('utf8', at, list.from - '[\n'.length) + JSON.stringify(placeholder);
    at = list.end;
  }
  const document = parseJson(text + bytes.toString('utf8', at));
  if (!isJsonObject(document) || document['parcels'] !== placeholder) return null;
  const state = document['changes'];
  if (changes !== null && !(isJsonObject(state) && state['recent'] === placeholder)) return null;
  return {
    document,
    entries: entriesIn(bytes, from, to, margin),
    changes: changes === null ? null : entriesIn(bytes, changes.from, changes.to, changesMargin),
  };
}

/** Where a list stands in a text: its lines, and the end of its last bracket. */
interface ListPlace {
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** Where the lines of the change log stand, before the parcels or behind them; null where they stand in another layout. */
function changesIn(bytes: Buffer, parcels: ListPlace): ListPlace | null {
  const before = bytes.subarray(0, parcels.from).indexOf(changesStart);
  const start = before === -1 ? bytes.indexOf(changesStart, parcels.end) : before;
  const from = start + changesStart.length;
  const to = start === -1 ? -1 : bytes.indexOf(changesEnd, from - 1);
  const firstLine = `${changesMargin}{"`;
  if (to < from || bytes.toString('latin1', from, from + firstLine.length) !== firstLine) return null;
  return { from, to, end: to + changesEnd.length };
}

/** The entries in the lines between two places; a line of another form is no JSON. */
function* entriesIn(bytes: Buffer, from: number, to: number, margin: string): Generator<Entry> {
  for (let start = from; start < to; ) {
    const end = bytes.indexOf('\n', Math.min(start + bytesAtOnce, to));
    const lines = bytes.toString('utf8', start, end).split('\n');
    for (const [index, line] of lines.entries()) {
      const isLast = end === to && index === lines.length - 1;
      const isEntry = line.startsWith(margin) && (isLast || line.endsWith(','));
      const text = isEntry ? line.slice(margin.length, isLast ? line.length : -1) : '';
      yield { line: () => text, value: () => parseJson(text) };
    }
    start = end + 1;
  }
}
