import xterm from '@xterm/headless';
import type { Cell, Cells } from './changed-cells.ts';

/** What a terminal shows. */
export class Screen {
  readonly #terminal: xterm.Terminal;

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  }

  /** The terminal itself, for its cells. */
  get terminal(): xterm.Terminal {
    return this.#terminal;
  }

  /** Draws output. */
  async write(output: string): Promise<void> {
    await new Promise<void>((resolve) => this.#terminal.write(output, resolve));
  }

  /** One row as text, without what is blank at its end; the last ones count from -1 down. */
  row(index: number): string {
    const { buffer, rows } = this.#terminal;
    return buffer.active.getLine(index < 0 ? rows + index : index)?.translateToString(true) ?? '';
  }

  /** One row's first columns as text. */
  cells(index: number, columns: number | undefined): string {
    return this.#terminal.buffer.active.getLine(index)?.translateToString(true, 0, columns) ?? '';
  }

  /** All rows as text. */
  get text(): string {
    return Array.from({ length: this.#terminal.rows }, (_, row) => this.row(row)).join('\n');
  }

  /** All cells with their looks. */
  get everyCell(): Cells {
    const { buffer, cols, rows } = this.#terminal;
    return Array.from({ length: rows }, (_, row) => {
      const line = buffer.active.getLine(row);
      return Array.from({ length: cols }, (_unused, column) => cellOf(line?.getCell(column)));
    });
  }
}

function cellOf(cell: xterm.IBufferCell | undefined): Cell {
  if (cell === undefined) return { text: ' ', look: '0' };
  const text = cell.getWidth() === 0 ? '' : cell.getChars() || ' ';
  const look = ['0'];
  if (cell.isBold() !== 0) look.push('1');
  if (cell.isDim() !== 0) look.push('2');
  if (cell.isItalic() !== 0) look.push('3');
  if (cell.isUnderline() !== 0) look.push('4');
  if (cell.isInverse() !== 0) look.push('7');
  if (cell.isFgPalette()) look.push(`38;5;${cell.getFgColor()}`);
  if (cell.isFgRGB()) look.push(`38;2;${channels(cell.getFgColor())}`);
  if (cell.isBgPalette()) look.push(`48;5;${cell.getBgColor()}`);
  if (cell.isBgRGB()) look.push(`48;2;${channels(cell.getBgColor())}`);
  return { text, look: look.join(';') };
}

/** Red, green and blue of a colour. */
function channels(colour: number): string {
  return [colour >> 16, (colour >> 8) & 255, colour & 255].join(';');
}
