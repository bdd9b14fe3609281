import { yieldToEventLoop } from '../../lib/async.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { asStoreErrors, nullIfMissing, StoreError } from '../../lib/store-errors.ts';
import { readChangeLogState } from '../../parcels/change.ts';
import { emptyHistory, type Parcel, type ParcelHistory, readHistory, readParcel } from '../../parcels/parcel.ts';
import { emptyWatchlist, type Watchlist } from '../../parcels/parcel-list.ts';
import { splitIntoBatches } from '../store.ts';
import { type FileText, unfinishedPath } from './atomic-write.ts';
import { readWholeFile } from './open-file.ts';

export type Decoded<Data> =
  | { readonly kind: 'whole'; readonly data: Data }
  /** Some parts are not valid. `data` has the rest, and `lost` says what is missing. */
  | { readonly kind: 'partly-damaged'; readonly data: Data; readonly lost: string }
  | { readonly kind: 'damaged'; readonly reason: string }
  /** Written by a newer version of the program. */
  | { readonly kind: 'newer'; readonly version: number };

export function usableData<Data>(decoded: Decoded<Data>): Data | null {
  return decoded.kind === 'whole' || decoded.kind === 'partly-damaged' ? decoded.data : null;
}

/** How one kind of file is read and written. `empty` is its content if the file does not exist. */
export interface DocumentFormat<Data> {
  readonly empty: Data;
  /** Parses a file. Reuses unchanged parts of `known`, the previous content. */
  decode(bytes: Buffer, known?: Data | null): Promise<Decoded<Data>>;
  /** Returns the text, whole or in pieces that are created while they are written. */
  encode(data: Data): FileText;
}

/** The version of all files. A newer watchlist or history is refused, but a newer small document is read if possible. */
export const fileVersion = 1;

async function decodeVersioned<Data>(
  bytes: Buffer,
  decode: (document: JsonObject) => Promise<Decoded<Data>>,
): Promise<Decoded<Data>> {
  const document = parseJson(bytes.toString());
  if (!isJsonObject(document)) return { kind: 'damaged', reason: 'it is not a JSON object' };
  // All versions write their number, so a file without one was written by hand.
  const version = document['version'] ?? fileVersion;
  if (typeof version !== 'number' || !(version >= fileVersion))
    return { kind: 'damaged', reason: 'its version is not a number' };
  return version > fileVersion ? { kind: 'newer', version } : await decode(document);
}

export function parseJson(text: string): unknown {
  try {
    // Some editors on Windows add a byte order mark.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** How many entries to process before yielding to other work. */
const entriesPerBatch = 100;
/** Lines per piece of text. */
const linesPerPiece = 250;

/** Parcels are immutable, so their lines are cached. */
const lineCache = new WeakMap<Parcel, string>();

function parcelLine(parcel: Parcel): string {
  const line = lineCache.get(parcel) ?? JSON.stringify(parcel);
  lineCache.set(parcel, line);
  return line;
}

/**
 * `watchlist.json`: JSON with one parcel per line, so that a diff shows which parcels have changed. Any other layout can
 * be read as well. A parcel whose line is unchanged stays the same object.
 */
export const watchlistFormat: DocumentFormat<Watchlist> = {
  empty: emptyWatchlist,
  decode: async (bytes, known = null) =>
    await decodeVersioned(bytes, async (document) => {
      const { changes, parcels: values, ...rest } = document;
      if (!Array.isArray(values)) return { kind: 'damaged', reason: 'it has no list of parcels' };
      const { lost, parcels } = await readEntries(values, known?.parcels ?? []);
      const log = readChangeLogState(changes);
      const data: Watchlist = { ...rest, version: 1, ...(log === null ? {} : { changes: log }), parcels };
      return lost === '' ? { kind: 'whole', data } : { kind: 'partly-damaged', data, lost };
    }),
  encode: (watchlist) => ({ pieces: () => watchlistPieces(watchlist) }),
};

export const historyFormat: DocumentFormat<ParcelHistory> = {
  empty: emptyHistory,
  decode: async (bytes) =>
    await decodeVersioned(bytes, async (document) => {
      const data = readHistory({ ...document, version: 1 });
      return data === null ? { kind: 'damaged', reason: 'it is not a history' } : { kind: 'whole', data };
    }),
  encode: (history) => `${JSON.stringify(history, null, 2)}\n`,
};

/**
 * Reads the parcels in `watchlist.json`, without taking a lock or repairing anything. Returns none if the file is missing.
 * An interrupted write in place counts as complete. Rejects with a `StoreError`.
 */
export async function parcelsInFile(path: string): Promise<readonly Parcel[]> {
  return await asStoreErrors(path, async () => {
    for (const candidate of [path, unfinishedPath(path)]) {
      const bytes = await nullIfMissing(readWholeFile(candidate));
      if (bytes === null && candidate === path) return [];
      const data = bytes === null ? null : usableData(await watchlistFormat.decode(bytes));
      if (data !== null) return data.parcels;
    }
    const advice = 'Run "parcel-monitor list" to find out what to do.';
    throw new StoreError('damaged', { what: `${path} cannot be used.`, advice }, path);
  });
}

/** Parses a list of parcels. `lost` describes what is not valid. It is empty if everything is valid. */
async function readEntries(
  values: readonly unknown[],
  known: readonly Parcel[],
): Promise<{ readonly parcels: readonly Parcel[]; readonly lost: string }> {
  const knownById = new Map<unknown, Parcel>(known.map((parcel) => [parcel.id, parcel]));
  const parcels = new Map<string, Parcel>();
  let [dropped, repaired] = [0, 0];
  for (const [index, value] of values.entries()) {
    if (index % entriesPerBatch === entriesPerBatch - 1) await yieldToEventLoop();
    const before = isJsonObject(value) ? knownById.get(value['id']) : undefined;
    const isSame = before !== undefined && parcelLine(before) === JSON.stringify(value);
    const { parcel, isComplete } = isSame ? { parcel: before, isComplete: true } : readParcel(value);
    if (parcel === null || parcels.has(parcel.id)) {
      dropped += 1;
      continue;
    }
    if (!isComplete) repaired += 1;
    parcels.set(parcel.id, parcel);
  }
  const lost = [
    ...(dropped > 0 ? [`${dropped} of ${values.length} entries are unusable`] : []),
    ...(repaired > 0 ? [`${repaired} of ${values.length} entries have unusable fields`] : []),
  ];
  return { parcels: [...parcels.values()], lost: lost.join(', ') };
}

const indentJson = (value: unknown, margin: string): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${margin}`);

/** Yields a watchlist's text while it is written. Each parcel and each pending line of the change log is on one line. */
function* watchlistPieces(watchlist: Watchlist): Generator<string> {
  let separator = '{';
  for (const [key, value] of Object.entries(watchlist)) {
    yield `${separator}\n  ${JSON.stringify(key)}: `;
    separator = ',';
    if (key === 'parcels') yield* listPieces(value, (parcel: Parcel) => `    ${parcelLine(parcel)}`, '\n  ]');
    else if (key === 'changes') yield* changesPieces(value);
    else yield indentJson(value, '  ');
  }
  yield '\n}\n';
}

function* changesPieces(changes: object): Generator<string> {
  let separator = '{';
  for (const [key, value] of Object.entries(changes)) {
    yield `${separator}\n    ${JSON.stringify(key)}: `;
    separator = ',';
    if (key === 'recent') yield* listPieces(value, (line: unknown) => `      ${JSON.stringify(line)}`, '\n    ]');
    else yield indentJson(value, '    ');
  }
  yield separator === '{' ? '{}' : '\n  }';
}

function* listPieces<Item>(items: readonly Item[], toLine: (item: Item) => string, end: string): Generator<string> {
  if (items.length === 0) return yield '[]';
  let separator = '[';
  for (const batch of splitIntoBatches(items, linesPerPiece)) {
    yield `${separator}\n${batch.map(toLine).join(',\n')}`;
    separator = ',';
  }
  yield end;
}
