import { Console } from 'node:console';
import { EventEmitter } from 'node:events';
import xterm from '@xterm/headless';
import type { TerminalInput } from '../../src/tui/terminal/key-stream.ts';
import { eventually } from './eventually.ts';

// The test runner's console lacks what Ink needs to keep stray output off the screen.
globalThis.console.Console ??= Console;

/** A terminal for tests: its screen can be read, keys can be typed, and it can be resized. */
export interface Screen {
  readonly stdin: TerminalInput & { readonly rawMode: boolean };
  readonly stdout: NodeJS.WriteStream;
  /** All rows as text, without trailing blanks. */
  text(): string;
  /** Position of the cursor, from 0. */
  cursor(): { readonly row: number; readonly column: number };
  /** What was copied to the terminal's clipboard, oldest first. */
  copied(): readonly string[];
  /** Bytes written so far. */
  written(): number;
  /** All output, write by write. */
  writes(): readonly string[];
  /** Link targets on the screen so far. */
  links(): ReadonlySet<string>;
  /** The title of the terminal's window. Empty until one is set. */
  title(): string;
  /** Whether bracketed paste is on. */
  hasBracketedPaste(): boolean;
  /** Types all of this, to be read in one piece. Returns the screen, for chaining. */
  type(keys: string): Screen;
  resize(columns: number, rows: number): void;
  /** Waits until the screen matches. On a timeout, the error shows the screen. */
  waitFor(isShown: (text: string) => boolean | undefined, what?: string): Promise<string>;
  waitForText(text: string): Promise<string>;
  waitUntilGone(text: string): Promise<string>;
  /** Closes the terminal: no more keys arrive, and later writes fail. */
  hangUp(): void;
}

/** Creates a {@link Screen} of this size. */
export function createScreen(columns: number, rows: number): Screen {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0, convertEol: true });
  /** The screen as last read, or null if something has been drawn since. */
  let read: string | null = null;
  const invalidate = (): void => {
    read = null;
  };
  let bytes = 0;
  let isGone = false;
  const writes: string[] = [];
  let title = '';
  terminal.onTitleChange((shown) => {
    title = shown;
  });
  const links = new Set<string>();
  terminal.parser.registerOscHandler(8, (link) => {
    const address = link.slice(link.indexOf(';') + 1);
    if (address !== '') links.add(address);
    return false;
  });
  const copied: string[] = [];
  terminal.parser.registerOscHandler(52, (request) => {
    copied.push(Buffer.from(request.slice(request.indexOf(';') + 1), 'base64').toString('utf8'));
    return true;
  });
  const output = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns,
    rows,
    writable: true,
    write(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
      bytes += Buffer.byteLength(chunk);
      writes.push(String(chunk));
      terminal.write(chunk, invalidate);
      if (isGone) setImmediate(() => output.emit('error', new Error('write EIO')));
      const callback = rest.at(-1);
      if (typeof callback === 'function') queueMicrotask(() => callback());
      return true;
    },
  });
  const input = Object.assign(new EventEmitter(), {
    isTTY: true,
    rawMode: false,
    setEncoding: () => undefined,
    setRawMode(mode: boolean) {
      input.rawMode = mode;
    },
    ref: () => undefined,
    unref: () => undefined,
    resume: () => undefined,
    pause: () => undefined,
  });
  const text = (): string => {
    const buffer = terminal.buffer.active;
    read ??= Array.from({ length: terminal.rows }, (_, row) =>
      (buffer.getLine(buffer.baseY + row)?.translateToString(true, 0, terminal.cols) ?? '').trimEnd(),
    ).join('\n');
    return read;
  };
  const drawn = (): Promise<void> => new Promise((resolve) => terminal.write('', resolve));
  const waitFor = async (isShown: (text: string) => boolean | undefined, what = 'it'): Promise<string> =>
    eventually(async () => {
      await drawn();
      const shown = text();
      if (isShown(shown) !== true) throw new Error(`the screen does not show ${what}:\n${shown}`);
      return shown;
    });
  const screen: Screen = {
    stdin: input,
    stdout: output as unknown as NodeJS.WriteStream,
    text,
    cursor: () => ({ row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX }),
    copied: () => copied,
    written: () => bytes,
    writes: () => writes,
    links: () => links,
    title: () => title,
    hasBracketedPaste: () => terminal.modes.bracketedPasteMode,
    type: (keys) => {
      input.emit('data', keys);
      return screen;
    },
    resize(nextColumns, nextRows) {
      terminal.resize(nextColumns, nextRows);
      invalidate();
      Object.assign(output, { columns: nextColumns, rows: nextRows });
      output.emit('resize');
    },
    waitFor,
    waitForText: (wanted) => waitFor((shown) => shown.includes(wanted), `"${wanted}"`),
    waitUntilGone: (unwanted) => waitFor((shown) => !shown.includes(unwanted), `no "${unwanted}"`),
    hangUp: () => {
      isGone = true;
      input.emit('end');
    },
  };
  return screen;
}
