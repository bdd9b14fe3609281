import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parseJson } from '../document/document-format.ts';
import { markOf } from '../files/file-mark.ts';
import type { Parcel } from '../model/parcel.ts';
import { isPlainParcel } from '../model/read-parcel.ts';
import { jsonOfLine } from './watchlist-text.ts';

/** Bytes read at once; most lines have fewer. */
const bytesAtOnce = 4_096;
/** A line that has more is not read. */
const longestLine = 1_048_576;

/** Single parcels of `watchlist.json`, read where their lines begin; without a wait, since what asks is about to paint. */
export class ParcelLines {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Opens the file with this mark; null where another one stands there by now, or none, or it cannot be opened. */
  static open(path: string, mark: string): ParcelLines | null {
    let file: number | null = null;
    try {
      file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const stats = fstatSync(file, { bigint: true });
      if (stats.isFile() && markOf(stats) === mark) return new ParcelLines(file);
    } catch {
      // The whole reading says what is wrong.
    }
    if (file !== null) closeSync(file);
    return null;
  }

  /** The parcel whose line begins at a place, just as this program writes it; null where none does. */
  parcelAt(place: number): Parcel | null {
    const line = this.#lineAt(place);
    const json = line === null ? null : jsonOfLine(line);
    const value = json === null ? undefined : parseJson(json);
    return isPlainParcel(value) ? value : null;
  }

  close(): void {
    closeSync(this.#file);
  }

  #lineAt(place: number): string | null {
    for (let size = bytesAtOnce; size <= longestLine; size *= 4) {
      const bytes = Buffer.allocUnsafe(size);
      const read = this.#read(bytes, place);
      const end = bytes.subarray(0, read).indexOf('\n');
      if (end !== -1) return bytes.toString('utf8', 0, end);
      if (read < size) return null;
    }
    return null;
  }

  #read(bytes: Buffer, place: number): number {
    try {
      return readSync(this.#file, bytes, 0, bytes.byteLength, place);
    } catch {
      // As above.
      return 0;
    }
  }
}
