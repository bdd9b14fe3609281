import { yieldToEventLoop } from '../lib/async.ts';
import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { type Change, type ChangeLogState, isPlainChange, readChangeLogState } from '../parcels/change.ts';
import {
  emptyWatchlist,
  type Parcel,
  type ParcelHistory,
  readHistory,
  readParcel,
  type Watchlist,
} from '../parcels/parcel.ts';
import {
  type Decoded,
  type DocumentFormat,
  decodeVersioned,
  type FormatVersions,
  type Migration,
  parseJson,
} from './file/document-format.ts';
import { type Entry, entriesOf, type ListedDocument, listedDocument, watchlistPieces } from './watchlist-text.ts';

/** The version of the files that this program writes. */
export const currentVersion = 1;

/** Steps of `watchlist.json`; none yet, since version 1 is the first. */
export const watchlistMigrations: readonly Migration[] = [];

/** Steps of the files in `history/`. */
export const historyMigrations: readonly Migration[] = [];

/** How many entries are looked at before everybody else has a turn. */
const entriesInTurn = 100;

/**
 * `watchlist.json` in the layout of `watchlist-text.ts`; any other layout is read as well. Parcels are immutable, so the
 * line of each is kept as long as the parcel is.
 */
export function createWatchlistFormat(
  versions: FormatVersions = { current: currentVersion, migrations: watchlistMigrations },
): DocumentFormat<Watchlist> {
  const lines = new WeakMap<Parcel, string>();
  const lineOf = (parcel: Parcel): string => {
    const line = lines.get(parcel) ?? JSON.stringify(parcel);
    lines.set(parcel, line);
    return line;
  };
  return {
    empty: emptyWatchlist,
    async decode(bytes, known = null) {
      const knownParcels = known?.parcels ?? [];
      const listed = listedDocument(bytes);
      if (listed?.document['version'] === versions.current) {
        const changes = await changesOf(listed);
        const read = changes === undefined ? null : await readEntries(listed.entries, knownParcels, lineOf);
        if (changes !== undefined && read !== null) return watchlistOf(listed.document, changes, read, null);
      }
      return await decodeVersioned(parseJson(bytes.toString()), versions, async (document, migratedFrom) => {
        const values: unknown = document['parcels'];
        const read = Array.isArray(values) ? await readEntries(entriesOf(values), knownParcels, lineOf) : null;
        if (read === null) return { kind: 'damaged', reason: 'it holds no list of parcels' };
        return watchlistOf(document, readChangeLogState(document['changes']), read, migratedFrom);
      });
    },
    encode: (watchlist) => ({ pieces: () => watchlistPieces({ ...watchlist, version: versions.current }, lineOf) }),
  };
}

export const historyFormat: DocumentFormat<ParcelHistory> = {
  empty: { version: 1, checkpoints: [], received: null },
  decode: async (bytes) =>
    await decodeVersioned(
      parseJson(bytes.toString()),
      { current: currentVersion, migrations: historyMigrations },
      decodeHistory,
    ),
  encode: (history) => `${JSON.stringify({ ...history, version: currentVersion }, null, 2)}\n`,
};

async function decodeHistory(document: JsonObject, migratedFrom: number | null): Promise<Decoded<ParcelHistory>> {
  const read = readHistory({ ...document, version: 1 });
  return read === null
    ? { kind: 'damaged', reason: 'it holds no history' }
    : { kind: 'whole', data: read, migratedFrom };
}

/** What a document holds of the change log; undefined where one of its lines is not as this program writes it. */
async function changesOf({ changes, document }: ListedDocument): Promise<ChangeLogState | null | undefined> {
  const { changes: state } = document;
  if (changes === null || !isJsonObject(state)) return readChangeLogState(state);
  const recent: Change[] = [];
  for (const entry of changes) {
    const line = entry.value();
    if (!isPlainChange(line)) return undefined;
    recent.push(line);
    if (recent.length % entriesInTurn === 0) await yieldToEventLoop();
  }
  const rest = readChangeLogState({ ...state, recent: [] });
  return rest === null ? null : { ...rest, recent };
}

/** The parcels of a list, and how many of its entries could not be used as they were. */
interface ReadEntries {
  readonly parcels: readonly Parcel[];
  readonly count: number;
  readonly dropped: number;
  readonly mended: number;
}

/** Reads a list of parcels; those that are known and still the same stay the same objects. Null when an entry is no JSON. */
async function readEntries(
  entries: Iterable<Entry>,
  known: readonly Parcel[],
  lineOf: (parcel: Parcel) => string,
): Promise<ReadEntries | null> {
  let places: ReadonlyMap<unknown, number> | null = null;
  const parcels = new Map<string, Parcel>();
  let [count, dropped, mended] = [0, 0, 0];
  /** Where the next entry is expected among those that are known. */
  let expected = 0;
  const unchangedAt = (position: number, { line }: Entry): Parcel | null => {
    const parcel = known[position];
    if (parcel === undefined || lineOf(parcel) !== line()) return null;
    expected = position + 1;
    return parcel;
  };
  const readEntry = (entry: Entry): ReturnType<typeof readParcel> | null => {
    const inPlace = unchangedAt(expected, entry);
    if (inPlace !== null) return { parcel: inPlace, whole: true };
    const value = entry.value();
    if (value === undefined) return null;
    const id = isJsonObject(value) ? value['id'] : null;
    places ??= new Map(known.map((parcel, place) => [parcel.id, place]));
    const position = places.get(id) ?? -1;
    if (position !== -1) expected = position + 1;
    const moved = unchangedAt(position, entry);
    return moved === null ? readParcel(value) : { parcel: moved, whole: true };
  };
  for (const entry of entries) {
    count += 1;
    if (count % entriesInTurn === 0) await yieldToEventLoop();
    const read = readEntry(entry);
    if (read === null) return null;
    const { parcel, whole } = read;
    if (parcel === null || parcels.has(parcel.id)) {
      dropped += 1;
      continue;
    }
    if (!whole) mended += 1;
    parcels.set(parcel.id, parcel);
  }
  return { parcels: [...parcels.values()], count, dropped, mended };
}

function watchlistOf(
  { changes: _, ...rest }: JsonObject,
  changes: ChangeLogState | null,
  { count, dropped, mended, parcels }: ReadEntries,
  migratedFrom: number | null,
): Decoded<Watchlist> {
  const data: Watchlist = { ...rest, version: 1, ...(changes === null ? {} : { changes }), parcels };
  if (dropped === 0 && mended === 0) return { kind: 'whole', data, migratedFrom };
  const losses = [
    ...(dropped > 0 ? [`${dropped} of ${count} entries are unusable`] : []),
    ...(mended > 0 ? [`${mended} of ${count} entries have unusable fields`] : []),
  ];
  return { kind: 'partly-damaged', data, lost: losses.join(', ') };
}
