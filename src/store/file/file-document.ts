import type { Document } from '../store.ts';
import { type DocumentFormat, fileVersion, parseJson } from './document-format.ts';
import { type DocumentContext, JsonDocument } from './json-document.ts';

/** The files in the folder with the small documents. */
const stateFileNames: ReadonlySet<string> = new Set([
  'polling.json',
  'polling-lease',
  'view.json',
  'notify.json',
  'last-screen',
]);

/**
 * Creates a small document in a file (mode 0600) that processes share under its lock. It can be rebuilt at any time, so a
 * damaged file counts as missing. The first change also removes temp files of killed processes from its folder.
 * @param read parses a value of any shape; undefined means that there is no file
 */
export function createFileDocument<Data extends object | null>(
  path: string,
  read: (value: unknown) => Data,
  context: DocumentContext,
): Document<Data> {
  const format: DocumentFormat<Data> = {
    empty: read(undefined),
    decode: async (bytes) => ({ kind: 'whole', data: read(parseJson(bytes.toString())) }),
    encode: (data) => `${JSON.stringify({ version: fileVersion, ...data })}\n`,
  };
  const document = new JsonDocument(path, { format, tidies: stateFileNames }, context);
  return { read: () => document.read(), update: (change) => document.update(change) };
}
