import xterm from '@xterm/headless';

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
}
