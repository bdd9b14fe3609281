import { setImmediate as othersTurn } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../service/text/json.ts';
import type { Parcel, ParcelHistory, Watchlist } from '../model/parcel.ts';
import { type Migration, migrateTo } from './migrations/migration.ts';
import { currentVersion, historyMigrations, watchlistMigrations } from './migrations/registry.ts';
import { isPlainHistory, isPlainParcel } from './plain-parcel.ts';
import { WatchlistText } from './watchlist-text.ts';

/** How many entries are looked at before everybody else has a turn. */
const entriesInTurn = 500;

/** What a kept text turned out to hold. */
export type Decoded<Data> =
  /** `migratedFrom` is the file's version when it is an older one, else null. */
  | { readonly kind: 'whole'; readonly data: Data; readonly migratedFrom: number | null }
  /** Some of it is unusable; `data` is the rest, `lost` says what. */
  | { readonly kind: 'partly-damaged'; readonly data: Data; readonly lost: string }
  | { readonly kind: 'damaged'; readonly reason: string }
  /** Written by a newer version of the program. */
  | { readonly kind: 'newer'; readonly version: number };

/** How one kind of file is read and written, and what it holds when it does not exist. */
export interface DocumentFormat<Data> {
  readonly empty: Data;
  /** What a text holds. Of `known`, what was known of the file before, it keeps the parts that are still the same. */
  decode(text: string, known?: Data | null): Promise<Decoded<Data>>;
  /** The text in pieces that take little time each. */
  encode(data: Data): Iterable<string>;
}

/** A format's versions; handed in where tests have steps of their own. */
export interface FormatVersions {
  readonly current: number;
  readonly migrations: readonly Migration[];
}

/** A watchlist without parcels. */
export const emptyWatchlist: Watchlist = { version: 1, parcels: [] };

/** `watchlist.json` (design.md, decision 5). Each format remembers the texts that it has made. */
export function createWatchlistFormat(
  versions: FormatVersions = { current: currentVersion, migrations: watchlistMigrations },
): DocumentFormat<Watchlist> {
  const text = new WatchlistText();
  return {
    empty: emptyWatchlist,
    async decode(read, known = null) {
      // All at once is faster where nothing is known yet.
      const document = (known === null ? null : await text.parse(read, known.parcels)) ?? parseJson(read);
      return await decodeVersioned(document, versions, (current, from) => decodeWatchlist(current, from, text));
    },
    encode: (watchlist) => text.pieces(watchlist, versions.current),
  };
}

/** A file of `history/` (design.md, decision 5). */
export const historyFormat: DocumentFormat<ParcelHistory> = {
  empty: { version: 1, checkpoints: [], received: null },
  decode: async (text) =>
    await decodeVersioned(parseJson(text), { current: currentVersion, migrations: historyMigrations }, decodeHistory),
  encode: (history) => [`${JSON.stringify({ ...history, version: currentVersion }, null, 2)}\n`],
};

/** A parcel, null for what is none, and whether all of it was usable. */
interface DecodedParcel {
  readonly parcel: Parcel | null;
  readonly whole: boolean;
}

async function decodeVersioned<Data>(
  document: unknown,
  { current, migrations }: FormatVersions,
  decode: (document: JsonObject, migratedFrom: number | null) => Promise<Decoded<Data>>,
): Promise<Decoded<Data>> {
  if (!isJsonObject(document)) return { kind: 'damaged', reason: 'it is no JSON object' };
  // Every version has said which it is; one that does not is a file made by hand.
  const version = document['version'] ?? 1;
  if (typeof version !== 'number' || !(version >= 1)) return { kind: 'damaged', reason: 'its version is no number' };
  if (version > current) return { kind: 'newer', version };
  if (version === current) return await decode(document, null);
  return await decode(migrateTo(current, migrations, document, version), version);
}

function parseJson(text: string): unknown {
  try {
    // Editors on Windows put a byte order mark in front.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

async function decodeHistory(document: JsonObject, migratedFrom: number | null): Promise<Decoded<ParcelHistory>> {
  const history: unknown = { ...document, version: 1 };
  if (isPlainHistory(history)) return { kind: 'whole', data: history, migratedFrom };
  const { readHistory } = await import('../model/schema.ts');
  const read = readHistory(history);
  return read === null
    ? { kind: 'damaged', reason: 'it holds no history' }
    : { kind: 'whole', data: read, migratedFrom };
}

async function decodeWatchlist(
  document: JsonObject,
  migratedFrom: number | null,
  text: WatchlistText,
): Promise<Decoded<Watchlist>> {
  const entries: unknown = document['parcels'];
  if (!Array.isArray(entries)) return { kind: 'damaged', reason: 'it holds no list of parcels' };
  const parcels: Parcel[] = [];
  const ids = new Set<string>();
  let dropped = 0;
  let mended = 0;
  for (const [position, entry] of entries.entries()) {
    if (position % entriesInTurn === entriesInTurn - 1) await othersTurn();
    const { parcel, whole } = usualParcel(entry, text) ?? (await decodeUnusual(entry));
    if (parcel === null || ids.has(parcel.id)) {
      dropped += 1;
      continue;
    }
    if (!whole) mended += 1;
    ids.add(parcel.id);
    parcels.push(parcel);
  }
  const data: Watchlist = { ...document, version: 1, parcels };
  if (dropped === 0 && mended === 0) return { kind: 'whole', data, migratedFrom };
  const losses = [
    ...(dropped > 0 ? [`${dropped} of ${entries.length} entries are unusable`] : []),
    ...(mended > 0 ? [`${mended} of ${entries.length} entries have unusable fields`] : []),
  ];
  return { kind: 'partly-damaged', data, lost: losses.join(', ') };
}

function usualParcel(entry: unknown, text: WatchlistText): DecodedParcel | null {
  if (text.isUsual(entry)) return { parcel: entry, whole: true };
  if (!isPlainParcel(entry)) return null;
  text.takeAsUsual(entry);
  return { parcel: entry, whole: true };
}

/** The schema takes longer to load than a thousand usual parcels to read, so it is loaded for unusual ones only. */
async function decodeUnusual(entry: unknown): Promise<DecodedParcel> {
  const { readParcel } = await import('../model/schema.ts');
  return readParcel(entry);
}
