import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import type { FileText } from './atomic-write.ts';

/** What a file turned out to hold. */
export type Decoded<Data> =
  /** `migratedFrom` is the file's version when it is an older one, else null. */
  | { readonly kind: 'whole'; readonly data: Data; readonly migratedFrom: number | null }
  /** Some of it is unusable; `data` is the rest, `lost` says what. */
  | { readonly kind: 'partly-damaged'; readonly data: Data; readonly lost: string }
  | { readonly kind: 'damaged'; readonly reason: string }
  /** Written by a newer version of the program. */
  | { readonly kind: 'newer'; readonly version: number };

export function usableData<Data>(decoded: Decoded<Data>): Data | null {
  return decoded.kind === 'whole' || decoded.kind === 'partly-damaged' ? decoded.data : null;
}

/** How one kind of file is read and written, and what it holds when it does not exist. */
export interface DocumentFormat<Data> {
  readonly empty: Data;
  /** What a file of these bytes holds. Of `known`, what was known of it before, the parts that are still the same are kept. */
  decode(bytes: Buffer, known?: Data | null): Promise<Decoded<Data>>;
  /** The text, whole or in pieces, each made when its turn to be written has come. */
  encode(data: Data): FileText;
}

export interface Migration {
  /** The version that is read; what comes out is the next one. */
  readonly from: number;
  /** Turns a document of this version into one of the next; fields that it does not know stay. Pure. */
  readonly migrate: (document: JsonObject) => JsonObject;
}

/** A format's versions; handed in where tests have steps of their own. */
export interface FormatVersions {
  readonly current: number;
  readonly migrations: readonly Migration[];
}

/** Brings a document from its version to the newest, step by step. Throws a `RangeError` when a step is missing. */
export function migrateTo(
  newest: number,
  steps: readonly Migration[],
  document: JsonObject,
  version: number,
): JsonObject {
  let migrated = document;
  for (let from = version; from < newest; from += 1) {
    const step = steps.find((candidate) => candidate.from === from);
    if (step === undefined) throw new RangeError(`There is no step from file version ${from}.`);
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
  // Every version has said which it is; one that does not is a file made by hand.
  const version = document['version'] ?? 1;
  if (typeof version !== 'number' || !(version >= 1)) return { kind: 'damaged', reason: 'its version is not a number' };
  if (version > current) return { kind: 'newer', version };
  if (version === current) return await decode(document, null);
  return await decode(migrateTo(current, migrations, document, version), version);
}

/**
 * The format of a file whose contents can be had anew at any time: what cannot be used of it counts as missing.
 * @param read what a value of any shape holds; undefined stands for no file
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
    // Editors on Windows put a byte order mark in front.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
