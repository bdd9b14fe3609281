import { Readable } from 'node:stream';
import { type Token, tokenise } from './tokens.ts';

/** The part of a terminal's input stream that is needed. */
export interface TerminalInput {
  readonly isTTY?: boolean | undefined;
  setEncoding(encoding: 'utf8'): unknown;
  setRawMode?(mode: boolean): unknown;
  ref?(): unknown;
  unref?(): unknown;
  on(event: 'data', listener: (chunk: string) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'data', listener: (chunk: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** A lone Escape is told from the start of a sequence by what follows within this time. */
const escapeDelayMs = 25;

/** Escape in the kitty protocol: unlike a bare one, Ink does not wait to see what follows it. */
const unambiguousEscape = '\u001b[27u';

/**
 * The stream between the terminal and Ink: hands on one key, one grapheme or one paste at a time, and the next only
 * after a turn of the event loop. Ink gives one event for a whole read (`abc\r`, `jjj`), and two events in one turn
 * see the same stale state; with this stream neither happens (design.md, decision 3).
 */
export class KeyStream extends Readable {
  readonly isTTY = true;
  readonly #source: TerminalInput;
  readonly #queue: string[] = [];
  #pending = '';
  #wanted = false;
  #scheduled = false;
  #escapeTimer: NodeJS.Timeout | undefined;
  #withheld: (token: Token) => boolean = () => false;

  constructor(source: TerminalInput) {
    super({ objectMode: true, highWaterMark: 1 });
    this.#source = source;
    source.setEncoding('utf8');
    source.on('data', this.#onData);
    source.on('end', this.#onEnd);
    source.on('close', this.#onEnd);
    source.on('error', this.#onEnd);
  }

  /** Holds back tokens that a focused component would take for text; null lets everything pass. */
  withhold(predicate: ((token: Token) => boolean) | null): void {
    this.#withheld = predicate ?? (() => false);
  }

  /** Delegated to the terminal, as Ink asks for it. */
  setRawMode(mode: boolean): this {
    this.#source.setRawMode?.(mode);
    return this;
  }

  /** Keeps the process alive while input is awaited. */
  ref(): this {
    this.#source.ref?.();
    this.#source.resume();
    return this;
  }

  /** Lets the process end although input could come. */
  unref(): this {
    this.#source.unref?.();
    return this;
  }

  /** Text arrives decoded already. */
  override setEncoding(): this {
    return this;
  }

  override _read(): void {
    this.#wanted = true;
    this.#pump();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#escapeTimer);
    this.#source.off('data', this.#onData);
    this.#source.pause();
    callback(error);
  }

  readonly #onData = (chunk: string): void => {
    clearTimeout(this.#escapeTimer);
    const { tokens, rest } = tokenise(chunk, this.#pending);
    this.#pending = rest;
    for (const token of tokens) this.#enqueue(token);
    // A paste may take long to arrive; anything else that is unfinished was a lone Escape.
    if (rest !== '' && !rest.startsWith('\u001b[200')) {
      this.#escapeTimer = setTimeout(this.#flushEscape, escapeDelayMs);
    }
    this.#pump();
  };

  readonly #flushEscape = (): void => {
    const rest = this.#pending;
    this.#pending = '';
    this.#enqueue({ kind: 'sequence', raw: '\u001b' });
    for (const token of tokenise(rest.slice(1)).tokens) this.#enqueue(token);
    this.#pump();
  };

  /** The terminal is gone: no key will ever come. */
  readonly #onEnd = (): void => {
    this.emit('hangup');
  };

  #enqueue(token: Token): void {
    if (this.#withheld(token)) return;
    if (token.kind === 'paste') this.#queue.push(`\u001b[200~${token.text}\u001b[201~`);
    else this.#queue.push(token.raw === '\u001b' ? unambiguousEscape : token.raw);
  }

  #pump(): void {
    if (!this.#wanted || this.#scheduled || this.#queue.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const next = this.#queue.shift();
      if (next === undefined || this.destroyed) return;
      this.#wanted = false;
      this.push(next);
    });
  }
}
