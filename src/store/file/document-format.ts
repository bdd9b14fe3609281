import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import type { FileText } from './atomic-write.ts';

export type Decoded<Data> =
  /** `migratedFrom` is the file's version if it is older than the current one, or null. */
  | { readonly kind: 'whole'; readonly data: Data; readonly migratedFrom: number | null }
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

export interface Migration {
  /** The version that this migrates to the next one. */
  readonly from: number;
  /** Converts a document to the next version. Must keep unknown fields, and be pure. */
  readonly migrate: (document: JsonObject) => JsonObject;
}

/** A format's versions. Tests pass their own. */
export interface FormatVersions {
  readonly current: number;
  readonly migrations: readonly Migration[];
}

/** Migrates a document to the newest version step by step. Throws a `RangeError` if a step is missing. */
export function migrateTo(
  newest: number,
  steps: readonly Migration[],
  document: JsonObject,
  version: number,
): JsonObject {
  let migrated = document;
  for (let from = version; from < newest; from += 1) {
    const step = steps.find((candidate) => candidate.from === from);
    if (step === undefined) throw new RangeError(`No migration from file version ${from}.`);
    migrated = { ...step.migrate(migrated), version: from + 1 };
  }
  return migrated;
}

export async function decodeVersioned<Data>(
  document: unknown,
  { current, migrations }: FormatVersions,
  decode: (document: JsonObject, migratedFrom: number | null) => Promise<Decoded<Data>>,
): Promise<Decoded<Data>> {
  if (!isJsonObject(document)) return { kind: 'damaged', reason: 'it is not a JSON object' };
  // All versions write their number, so a file without one was written by hand.
  const version = document['version'] ?? 1;
  if (typeof version !== 'number' || !(version >= 1)) return { kind: 'damaged', reason: 'its version is not a number' };
  if (version > current) return { kind: 'newer', version };
  if (version === current) return await decode(document, null);
  return await decode(migrateTo(current, migrations, document, version), version);
}

/**
 * Returns the format of a file that can be rebuilt at any time. Invalid content counts as missing.
 * @param read parses a value of any shape; undefined means that there is no file
 */
export function replaceableFormat<Data extends object | null>(read: (value: unknown) => Data): DocumentFormat<Data> {
  return {
    empty: read(undefined),
    decode: async (bytes) => ({ kind: 'whole', data: read(parseJson(bytes.toString())), migratedFrom: null }),
    encode: (data) => `${JSON.stringify({ version: 1, ...data })}\n`,
  };
}

export function parseJson(text: string): unknown {
  try {
    // Some editors on Windows add a byte order mark.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
