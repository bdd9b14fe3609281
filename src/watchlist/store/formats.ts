import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../service/text/json.ts';
import {
  type Decoded,
  type DocumentFormat,
  decodeVersioned,
  type FormatVersions,
} from '../document/document-format.ts';
import { emptyWatchlist, type Parcel, type ParcelHistory, type Watchlist } from '../model/parcel.ts';
import { readHistory, readParcel } from '../model/read-parcel.ts';
import { currentVersion, historyMigrations, watchlistMigrations } from './migrations.ts';

/** How many entries are looked at or written before everybody else has a turn. */
const entriesInTurn = 500;

/**
 * `watchlist.json`: JSON with one line a parcel, so that a change of one shows as one line. Parcels are immutable, so
 * the line of each is kept as long as the parcel is.
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
    async decode(text, known = null) {
      const knownById = new Map(known?.parcels.map((parcel) => [parcel.id, parcel]));
      /** The parcel that was known and is still the same, so that nobody need look at it again; else null. */
      const unchanged = (entry: unknown): Parcel | null => {
        const id = isJsonObject(entry) ? entry['id'] : null;
        const parcel = typeof id === 'string' ? knownById.get(id) : undefined;
        return parcel !== undefined && lineOf(parcel) === JSON.stringify(entry) ? parcel : null;
      };
      return await decodeVersioned(text, versions, (document, from) => decodeWatchlist(document, from, unchanged));
    },
    encode: (watchlist) => ({ pieces: () => watchlistPieces({ ...watchlist, version: versions.current }, lineOf) }),
  };
}

/** A file of `history/`. */
export const historyFormat: DocumentFormat<ParcelHistory> = {
  empty: { version: 1, checkpoints: [], received: null },
  decode: async (text) =>
    await decodeVersioned(text, { current: currentVersion, migrations: historyMigrations }, decodeHistory),
  encode: (history) => `${JSON.stringify({ ...history, version: currentVersion }, null, 2)}\n`,
};

const indented = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');

function* watchlistPieces(document: object, lineOf: (parcel: Parcel) => string): Generator<string> {
  let before = '{';
  for (const [key, value] of Object.entries(document)) {
    yield `${before}\n  ${JSON.stringify(key)}: `;
    before = ',';
    if (key === 'parcels') yield* listPieces(value, lineOf);
    else yield indented(value);
  }
  yield '\n}\n';
}

function* listPieces(parcels: readonly Parcel[], lineOf: (parcel: Parcel) => string): Generator<string> {
  if (parcels.length === 0) {
    yield '[]';
    return;
  }
  for (let from = 0; from < parcels.length; from += entriesInTurn) {
    const lines = parcels.slice(from, from + entriesInTurn).map((parcel) => `    ${lineOf(parcel)}`);
    yield `${from === 0 ? '[' : ','}\n${lines.join(',\n')}`;
  }
  yield '\n  ]';
}

async function decodeHistory(document: JsonObject, migratedFrom: number | null): Promise<Decoded<ParcelHistory>> {
  const read = readHistory({ ...document, version: 1 });
  return read === null
    ? { kind: 'damaged', reason: 'it holds no history' }
    : { kind: 'whole', data: read, migratedFrom };
}

async function decodeWatchlist(
  document: JsonObject,
  migratedFrom: number | null,
  unchanged: (entry: unknown) => Parcel | null,
): Promise<Decoded<Watchlist>> {
  const entries: unknown = document['parcels'];
  if (!Array.isArray(entries)) return { kind: 'damaged', reason: 'it holds no list of parcels' };
  const parcels = new Map<string, Parcel>();
  let dropped = 0;
  let mended = 0;
  for (const [position, entry] of entries.entries()) {
    if (position % entriesInTurn === entriesInTurn - 1) await yieldToEventLoop();
    const known = unchanged(entry);
    const { parcel, whole } = known === null ? readParcel(entry) : { parcel: known, whole: true };
    if (parcel === null || parcels.has(parcel.id)) {
      dropped += 1;
      continue;
    }
    if (!whole) mended += 1;
    parcels.set(parcel.id, parcel);
  }
  const data: Watchlist = { ...document, version: 1, parcels: [...parcels.values()] };
  if (dropped === 0 && mended === 0) return { kind: 'whole', data, migratedFrom };
  const losses = [
    ...(dropped > 0 ? [`${dropped} of ${entries.length} entries are unusable`] : []),
    ...(mended > 0 ? [`${mended} of ${entries.length} entries have unusable fields`] : []),
  ];
  return { kind: 'partly-damaged', data, lost: losses.join(', ') };
}
