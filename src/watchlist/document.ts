import * as v from 'valibot';
import { isJsonObject } from '../service/json.ts';
import type { Parcel, ParcelHistory, Watchlist } from './parcel.ts';
import { historySchema, parcelSchema } from './schema.ts';

/** What a kept text turned out to hold. */
export type Decoded<Data> =
  | { readonly kind: 'whole'; readonly data: Data }
  /** Some of it is unusable; `data` is the rest, `lost` says what. */
  | { readonly kind: 'partly-damaged'; readonly data: Data; readonly lost: string }
  | { readonly kind: 'damaged'; readonly reason: string }
  /** Written by a newer version of the program. */
  | { readonly kind: 'newer'; readonly version: number };

/** How one kind of file is read and what it holds when it does not exist. */
export interface DocumentFormat<Data> {
  readonly empty: Data;
  decode(text: string): Decoded<Data>;
}

/** The version of files that this program writes. */
export const currentVersion = 1;

/** `watchlist.json` (design.md, decision 5). */
export const watchlistFormat: DocumentFormat<Watchlist> = {
  empty: { version: currentVersion, parcels: [] },
  decode: (text) => decodeVersioned(text, decodeWatchlist),
};

/** A file of `history/` (design.md, decision 5). */
export const historyFormat: DocumentFormat<ParcelHistory> = {
  empty: { version: currentVersion, checkpoints: [], received: null },
  decode: (text) => decodeVersioned(text, decodeHistory),
};

function decodeVersioned<Data>(
  text: string,
  decode: (document: Readonly<Record<string, unknown>>) => Decoded<Data>,
): Decoded<Data> {
  const document = parseJson(text);
  if (!isJsonObject(document)) return { kind: 'damaged', reason: 'it is no JSON object' };
  const version = document['version'] ?? currentVersion;
  if (typeof version !== 'number' || !(version >= 1)) return { kind: 'damaged', reason: 'its version is no number' };
  return version > currentVersion ? { kind: 'newer', version } : decode(document);
}

function parseJson(text: string): unknown {
  try {
    // Editors on Windows put a byte order mark in front.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function decodeHistory(document: Readonly<Record<string, unknown>>): Decoded<ParcelHistory> {
  const result = v.safeParse(historySchema, document);
  return result.success ? { kind: 'whole', data: result.output } : { kind: 'damaged', reason: 'it holds no history' };
}

function decodeWatchlist(document: Readonly<Record<string, unknown>>): Decoded<Watchlist> {
  const entries = document['parcels'];
  if (!Array.isArray(entries)) return { kind: 'damaged', reason: 'it holds no list of parcels' };
  const parcels: Parcel[] = [];
  const ids = new Set<string>();
  let dropped = 0;
  let mended = 0;
  for (const entry of entries) {
    const { parcel, whole } = decodeParcel(entry);
    if (parcel === null || ids.has(parcel.id)) {
      dropped += 1;
      continue;
    }
    if (!whole) mended += 1;
    ids.add(parcel.id);
    parcels.push(parcel);
  }
  const data: Watchlist = { ...document, version: currentVersion, parcels };
  if (dropped === 0 && mended === 0) return { kind: 'whole', data };
  const losses = [
    ...(dropped > 0 ? [`${dropped} of ${entries.length} entries are unusable`] : []),
    ...(mended > 0 ? [`${mended} of ${entries.length} entries have unusable fields`] : []),
  ];
  return { kind: 'partly-damaged', data, lost: losses.join(', ') };
}

/** One unusable field costs that field only, unless the parcel cannot be told without it. */
function decodeParcel(entry: unknown): { readonly parcel: Parcel | null; readonly whole: boolean } {
  const strict = v.safeParse(parcelSchema, entry);
  if (strict.success) return { parcel: strict.output, whole: true };
  if (!isJsonObject(entry)) return { parcel: null, whole: false };
  const unusable = new Set(strict.issues.map((issue) => issue.path?.[0].key));
  const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !unusable.has(key)));
  const mended = v.safeParse(parcelSchema, rest);
  return { parcel: mended.success ? mended.output : null, whole: false };
}
