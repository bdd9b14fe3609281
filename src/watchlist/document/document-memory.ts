import { noFile } from '../files/file-mark.ts';

/** What a file was found to hold. */
export interface Remembered<Data> {
  readonly data: Data;
  /** The version of the file when it is an older one, else null. */
  readonly migratedFrom: number | null;
}

/** What was last read or written of a file. While the file has the same mark it need not be read again. */
export class DocumentMemory<Data> {
  #mark: string | null = null;
  #remembered: Remembered<Data> | null = null;

  /** What the file held; null before the first reading. */
  get data(): Data | null {
    return this.#remembered?.data ?? null;
  }

  /** Whether the file was there when it was last looked at. */
  get wasThere(): boolean {
    return this.#mark !== null && this.#mark !== noFile;
  }

  /** What a file with this mark holds, if that is known. */
  recall(mark: string): Remembered<Data> | null {
    return mark === this.#mark ? this.#remembered : null;
  }

  /** Takes note of what a file with this mark holds; answers the data. */
  learn(mark: string, data: Data, migratedFrom: number | null = null): Data {
    this.#mark = mark;
    this.#remembered = { data, migratedFrom };
    return data;
  }
}
