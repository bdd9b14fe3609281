import { join } from 'node:path';

/** The calls of Node's `fs` that keeping code takes. */
export interface CodeFiles {
  readFileSync(path: string): Uint8Array;
  mkdirSync(path: string, options: { readonly recursive: true; readonly mode: number }): unknown;
  openSync(path: string, flags: string, mode: number): number;
  writeSync(file: number, bytes: Uint8Array): number;
  closeSync(file: number): void;
  renameSync(from: string, to: string): void;
  unlinkSync(path: string): void;
}

/** Commands that are run so often that each has code of its own: of a part they run other functions. */
const frequent: readonly string[] = ['add', 'list', 'status'];

/** Under which name the code of a line of arguments is kept. */
export function codeName(words: readonly string[]): string {
  const command = words[0] === undefined ? 'board' : frequent.includes(words[0]) ? words[0] : 'other';
  return words.includes('--json') ? `${command}-json` : command;
}

/** Compiled code is read where it lies only if it begins at such a place; it is copied otherwise. */
const alignment = 8;
const aligned = (length: number): number => Math.ceil(length / alignment) * alignment;

const mark = 'parcel-monitor code 1';

/**
 * Compiled code by the names of parts, as bytes. They stand there twice: Node runs what it is given without a look whether
 * it is whole, and to compare two copies takes a hundredth of the time that it takes to load what makes sums.
 */
export function encodeCode(code: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const lengths = [...code].map(([name, { length }]) => [name, length]);
  const head = new TextEncoder().encode(`${mark} ${JSON.stringify(lengths)}\n`);
  const total = [...code.values()].reduce((sum, { length }) => sum + aligned(length), aligned(head.length));
  const bytes = new Uint8Array(2 * total);
  bytes.set(head);
  let at = aligned(head.length);
  for (const part of code.values()) {
    bytes.set(part, at);
    at += aligned(part.length);
  }
  bytes.copyWithin(total, 0, total);
  return bytes;
}

/** What {@link encodeCode} has written; nothing for anything else, and where a single bit of it is another one. */
export function decodeCode(copies: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const code = new Map<string, Uint8Array>();
  const bytes = copies.subarray(0, copies.length / 2);
  if (Buffer.compare(bytes, copies.subarray(copies.length / 2)) !== 0) return code;
  const end = bytes.indexOf(0x0a);
  const head = String.fromCharCode(...bytes.subarray(0, end === -1 ? 0 : Math.min(end, longestHead)));
  if (!head.startsWith(`${mark} `)) return code;
  const lengths = JSON.parse(head.slice(mark.length)) as readonly (readonly [string, number])[];
  let at = aligned(end + 1);
  for (const [name, length] of lengths) {
    code.set(name, bytes.subarray(at, at + length));
    at += aligned(length);
  }
  return code;
}

/** There are some hundred parts with names of some twenty letters. */
const longestHead = 16_384;

/** Reads what is kept; nothing when there is none, or it cannot be read. */
export function readCode(files: Pick<CodeFiles, 'readFileSync'>, path: string): ReadonlyMap<string, Uint8Array> {
  try {
    return decodeCode(files.readFileSync(path));
  } catch {
    // It is made anew.
    return new Map();
  }
}

/**
 * Keeps code in a folder. Whoever reads meanwhile finds all of it or none, and after a power cut as well, since both copies
 * are never spoilt alike; so nobody waits for the disk. Throws what the system throws.
 */
export function writeCode(
  files: CodeFiles,
  { folder, name, processId }: { readonly folder: string; readonly name: string; readonly processId: number },
  code: ReadonlyMap<string, Uint8Array>,
): void {
  files.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temp = join(folder, `.${name}.${processId}.tmp`);
  const file = files.openSync(temp, 'w', 0o600);
  try {
    try {
      const bytes = encodeCode(code);
      for (let at = 0; at < bytes.length; ) at += files.writeSync(file, bytes.subarray(at));
    } finally {
      files.closeSync(file);
    }
    files.renameSync(temp, join(folder, name));
  } catch (error) {
    files.unlinkSync(temp);
    throw error;
  }
}
