import { simpleWidth } from '../../board/text/simple-text.ts';
import { styledParts } from '../../board/text/styled-text.ts';

/** A sequence that changes looks, and the one that ends what it began. */
interface Code {
  readonly type: 'ansi';
  readonly code: string;
  readonly endCode: string;
}

/** A text of one look. Ink has one for each character; here it is as long as the look lasts. */
export interface Run {
  readonly type: 'char';
  readonly value: string;
  readonly fullWidth: boolean;
  readonly styles: readonly Code[];
}

/** What changes a row of a text before it is drawn, such as the colours of a `Text`. */
export type Transformer = (row: string, index: number) => string;

interface WriteOptions {
  readonly transformers: readonly Transformer[];
}

/** What Ink collects the texts of a frame in, and makes rows of. */
export interface Output {
  write(x: number, y: number, text: string, options: WriteOptions): void;
  clip(clip: unknown): void;
  unclip(): void;
  get(): { readonly output: string; readonly height: number };
}

/** Makes an output of some cells and rows. */
export type OutputClass = new (size: { readonly width: number; readonly height: number }) => Output;

/** What Ink takes texts apart with. */
export interface StyleParts {
  readonly endCodeOf: (code: string) => string;
  readonly reduce: (styles: readonly Code[], added: readonly Code[]) => readonly Code[];
  readonly toText: (runs: readonly Run[]) => string;
}

interface Write extends WriteOptions {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

interface TextRow {
  readonly text: string;
  readonly runs: readonly Run[];
}

/** A row of a text in its place. */
interface Piece {
  readonly x: number;
  readonly width: number;
  readonly runs: readonly Run[];
}

/**
 * Ink's output, which makes the same rows from runs of characters instead of single ones: a frame has thousands of cells but
 * hundreds of runs, and this took half of the time of a frame. A row that holds anything but simple texts beside each
 * other is left to Ink.
 */
export function frameOutput(CellOutput: OutputClass, { endCodeOf, reduce, toText }: StyleParts): OutputClass {
  /** The rows of a text; null when a character of it is not simple. A look goes on in the next row. */
  function rowsOf(text: string): readonly TextRow[] | null {
    const rows: TextRow[] = [];
    let styles: readonly Code[] = [];
    for (const row of text.split('\n')) {
      const parts = styledParts(row);
      if (parts === null) return null;
      const runs: Run[] = [];
      for (const [index, value] of parts.entries()) {
        if (index % 2 === 1) styles = reduce(styles, [{ type: 'ansi', code: value, endCode: endCodeOf(value) }]);
        else if (value !== '') runs.push({ type: 'char', value, fullWidth: false, styles });
      }
      rows.push({ text: row, runs });
    }
    return rows;
  }

  /** A row of a text as it is drawn, in its place; null when it is for Ink to draw. */
  function pieceOf({ text, runs }: TextRow, { x, transformers }: Write, index: number): Piece | null {
    // As Ink does: it writes every row anew, and takes that apart again.
    const written = transformers.reduce((row, transformer) => transformer(row, index), toText(runs));
    const drawn = written === text ? runs : onlyRow(rowsOf(written));
    return drawn === null ? null : { x, width: widthOf(drawn), runs: drawn };
  }

  return class FrameOutput implements Output {
    readonly width: number;
    readonly height: number;
    readonly #writes: Write[] = [];
    /** Where all goes once something is to be clipped. */
    #cells: Output | null = null;

    constructor(size: { readonly width: number; readonly height: number }) {
      this.width = size.width;
      this.height = size.height;
    }

    write(x: number, y: number, text: string, { transformers }: WriteOptions): void {
      if (text === '') return;
      if (this.#cells === null) this.#writes.push({ x, y, text, transformers });
      else this.#cells.write(x, y, text, { transformers });
    }

    clip(clip: unknown): void {
      this.#cells ??= this.#withCells(this.#writes);
      this.#cells.clip(clip);
    }

    unclip(): void {
      this.#cells?.unclip();
    }

    get(): { readonly output: string; readonly height: number } {
      if (this.#cells !== null) return this.#cells.get();
      const rows = this.#pieces().map((pieces) => (pieces === null ? null : this.#joined(pieces)));
      if (rows.includes(null)) this.#drawRest(rows);
      return { output: rows.join('\n'), height: this.height };
    }

    #withCells(writes: readonly Write[]): Output {
      const cells = new CellOutput({ width: this.width, height: this.height });
      for (const { x, y, text, transformers } of writes) cells.write(x, y, text, { transformers });
      return cells;
    }

    /** The pieces of every row; null for a row that is for Ink to draw. */
    #pieces(): readonly (readonly Piece[] | null)[] {
      const rows: (Piece[] | null)[] = Array.from({ length: this.height }, () => []);
      for (const write of this.#writes) {
        const runs = rowsOf(write.text);
        for (let index = 0; index < (runs?.length ?? rowCount(write.text)); index += 1) {
          const row = rows[write.y + index];
          if (row === null || row === undefined) continue;
          const own = runs?.[index];
          const piece = own === undefined ? null : pieceOf(own, write, index);
          if (piece === null) rows[write.y + index] = null;
          else if (piece.width > 0) row.push(piece);
        }
      }
      return rows;
    }

    /** A row of pieces; null when they lie upon each other or where there are no cells. */
    #joined(pieces: readonly Piece[]): string | null {
      const runs: Run[] = [];
      let end = 0;
      for (const { x, width, runs: own } of pieces.toSorted((one, other) => one.x - other.x)) {
        if (x < end || x > this.width || !Number.isInteger(x)) return null;
        if (x > end) runs.push(plainRun(' '.repeat(x - end)));
        runs.push(...own);
        end = x + width;
      }
      if (end < this.width) runs.push(plainRun(' '.repeat(this.width - end)));
      return toText(runs).trimEnd();
    }

    /** Has Ink draw the rows that are null. */
    #drawRest(rows: (string | null)[]): void {
      const isLeft = ({ y, text }: Write): boolean => rows.slice(Math.max(0, y), y + rowCount(text)).includes(null);
      const drawn = this.#withCells(this.#writes.filter(isLeft)).get().output.split('\n');
      for (const [index, row] of rows.entries()) rows[index] = row ?? drawn[index] ?? '';
    }
  };
}

const plainRun = (value: string): Run => ({ type: 'char', value, fullWidth: false, styles: [] });

const widthOf = (runs: readonly Run[]): number => runs.reduce((sum, { value }) => sum + simpleWidth(value), 0);

const rowCount = (text: string): number => text.split('\n').length;

const onlyRow = (rows: readonly TextRow[] | null): readonly Run[] | null =>
  rows?.length === 1 ? (rows[0]?.runs ?? null) : null;
