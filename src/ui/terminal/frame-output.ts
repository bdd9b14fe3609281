import { once } from '../../board/once.ts';
import { simpleWidth } from '../../board/text/simple-text.ts';
import { styledParts } from '../../board/text/styled-text.ts';

/** A sequence that changes looks, and the one that ends what it began. */
interface Code {
  readonly type: 'ansi';
  readonly code: string;
  readonly endCode: string;
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

/** What Ink takes looks apart with. */
export interface StyleParts {
  /** The sequence that ends what a sequence begins; that one itself where it is an end. */
  readonly endCodeOf: (code: string) => string;
  /** The looks that hold behind further sequences. */
  readonly reduce: (codes: readonly Code[], added: readonly Code[]) => readonly Code[];
  /** What has to be written to get from some looks to others. */
  readonly difference: (from: readonly Code[], to: readonly Code[]) => string;
}

/** The looks of a text, with what is known of where they lead: a frame goes the same few ways hundreds of times. */
interface Style {
  readonly codes: readonly Code[];
  readonly behind: Map<string, Style>;
  readonly changes: Map<Style, string>;
}

/** A text of one look. */
interface Run {
  readonly text: string;
  readonly style: Style;
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

/** What one row of a frame is made of: rows of texts, each in its place. */
interface RowPart extends Write {
  /** Which row of its text it is. */
  readonly index: number;
  /** The rows of its text; null where that is not simple. Found when first asked for. */
  readonly rows: () => readonly TextRow[] | null;
}

/** A row as it was drawn. */
interface DrawnRow {
  readonly parts: readonly RowPart[];
  readonly text: string;
}

/** A row of a text in its place. */
interface Piece {
  readonly x: number;
  readonly width: number;
  readonly runs: readonly Run[];
}

/** The looks of one frame, each once. */
class Styles {
  readonly #parts: StyleParts;
  readonly #known = new Map<string, Style>();
  readonly plain: Style;

  constructor(parts: StyleParts) {
    this.#parts = parts;
    this.plain = this.#styleOf([]);
  }

  /** The look behind a sequence. */
  behind(style: Style, code: string): Style {
    const known = style.behind.get(code);
    if (known !== undefined) return known;
    const { endCodeOf, reduce } = this.#parts;
    const next = this.#styleOf(reduce(style.codes, [{ type: 'ansi', code, endCode: endCodeOf(code) }]));
    style.behind.set(code, next);
    return next;
  }

  /** Runs as they are written; plain at the end. */
  textOf(runs: readonly Run[]): string {
    let text = '';
    let before = this.plain;
    for (const run of runs) {
      text += this.#change(before, run.style) + run.text;
      before = run.style;
    }
    return text + this.#change(before, this.plain);
  }

  #change(from: Style, to: Style): string {
    if (from === to) return '';
    const known = from.changes.get(to);
    if (known !== undefined) return known;
    const change = this.#parts.difference(from.codes, to.codes);
    from.changes.set(to, change);
    return change;
  }

  #styleOf(codes: readonly Code[]): Style {
    const name = codes.map(({ code, endCode }) => `${code} ${endCode}`).join(' ');
    const style = this.#known.get(name) ?? { codes, behind: new Map(), changes: new Map() };
    this.#known.set(name, style);
    return style;
  }
}

/** The rows of a text; null when a character of it is not simple. A look goes on in the next row. */
function rowsOf(text: string, styles: Styles): readonly TextRow[] | null {
  const rows: TextRow[] = [];
  let style = styles.plain;
  for (const row of text.split('\n')) {
    const parts = styledParts(row);
    if (parts === null) return null;
    const runs: Run[] = [];
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 1) style = styles.behind(style, part);
      else if (part !== '') runs.push({ text: part, style });
    }
    rows.push({ text: row, runs });
  }
  return rows;
}

/** A row of a text as it is drawn, in its place; null when it is for Ink to draw. */
function pieceOf({ index, rows, transformers, x }: RowPart, styles: Styles): Piece | null {
  const row = rows()?.[index];
  if (row === undefined) return null;
  // As Ink does: it writes every row anew, and takes that apart again.
  const written = transformers.reduce((text, transformer) => transformer(text, index), styles.textOf(row.runs));
  const drawn = written === row.text ? row.runs : onlyRow(rowsOf(written, styles));
  return drawn === null ? null : { x, width: widthOf(drawn), runs: drawn };
}

/**
 * Ink's output, which makes the same rows from runs of characters instead of single ones: a frame has thousands of cells but
 * hundreds of runs, and this took half of the time of a frame. A row that holds anything but simple texts beside each
 * other is left to Ink. One of the same texts as in the frame before is not made again: most keys change a few rows.
 */
export function frameOutput(CellOutput: OutputClass, parts: StyleParts): OutputClass {
  // Ink makes an output for each frame, so nothing else lives from one to the next. A row is compared with all that it is made
  // of: whoever else draws in this process finds its own rows or none.
  let before: { readonly width: number; readonly rows: readonly DrawnRow[] } = { width: 0, rows: [] };
  return class FrameOutput implements Output {
    readonly width: number;
    readonly height: number;
    readonly #writes: Write[] = [];
    readonly #styles = new Styles(parts);
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
      const known = before.width === this.width ? before.rows : [];
      const rows = this.#rows().map((own, at) => {
        const drawn = known[at];
        return drawn !== undefined && sameParts(drawn.parts, own) ? drawn : { parts: own, text: this.#textOf(own) };
      });
      before = { width: this.width, rows };
      return { output: rows.map(({ text }) => text).join('\n'), height: this.height };
    }

    #withCells(writes: readonly Write[]): Output {
      const cells = new CellOutput({ width: this.width, height: this.height });
      for (const { x, y, text, transformers } of writes) cells.write(x, y, text, { transformers });
      return cells;
    }

    /** What every row is made of. */
    #rows(): readonly (readonly RowPart[])[] {
      const rows: RowPart[][] = Array.from({ length: this.height }, () => []);
      const styles = this.#styles;
      for (const write of this.#writes) {
        const own = once(() => rowsOf(write.text, styles));
        const count = rowCount(write.text);
        for (let index = 0; index < count; index += 1) rows[write.y + index]?.push({ ...write, index, rows: own });
      }
      return rows;
    }

    #textOf(own: readonly RowPart[]): string {
      const pieces: Piece[] = [];
      for (const part of own) {
        const piece = pieceOf(part, this.#styles);
        if (piece === null) return this.#drawnByInk(own);
        if (piece.width > 0) pieces.push(piece);
      }
      return this.#joined(pieces) ?? this.#drawnByInk(own);
    }

    /** A row of pieces; null when they lie upon each other or where there are no cells. */
    #joined(pieces: readonly Piece[]): string | null {
      const runs: Run[] = [];
      let end = 0;
      for (const { x, width, runs: own } of pieces.toSorted((one, other) => one.x - other.x)) {
        if (x < end || x > this.width || !Number.isInteger(x)) return null;
        if (x > end) runs.push(this.#blank(x - end));
        runs.push(...own);
        end = x + width;
      }
      if (end < this.width) runs.push(this.#blank(this.width - end));
      return this.#styles.textOf(runs).trimEnd();
    }

    #blank(width: number): Run {
      return { text: ' '.repeat(width), style: this.#styles.plain };
    }

    /** A row as Ink draws it, of which no other is seen. */
    #drawnByInk(own: readonly RowPart[]): string {
      const row = new CellOutput({ width: this.width, height: 1 });
      for (const { index, text, transformers, x } of own) row.write(x, -index, text, { transformers });
      return row.get().output;
    }
  };
}

/** Whether two rows are made of the same. What changes a text is the same function while it changes it in the same way. */
const sameParts = (one: readonly RowPart[], other: readonly RowPart[]): boolean =>
  one.length === other.length &&
  one.every(({ index, text, transformers, x }, at) => {
    const part = other[at];
    return (
      part?.x === x &&
      part.index === index &&
      part.text === text &&
      part.transformers.length === transformers.length &&
      part.transformers.every((transformer, place) => transformer === transformers[place])
    );
  });

const widthOf = (runs: readonly Run[]): number => runs.reduce((sum, { text }) => sum + simpleWidth(text), 0);

const rowCount = (text: string): number => text.split('\n').length;

const onlyRow = (rows: readonly TextRow[] | null): readonly Run[] | null =>
  rows?.length === 1 ? (rows[0]?.runs ?? null) : null;
