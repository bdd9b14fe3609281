import { Readable } from 'node:stream';
import {
  escapeByte,
  focusReportOf,
  interrupt,
  pastedRun,
  pasteEnd,
  pasteStart,
  type RunKeys,
  type Token,
  tokenise,
  UnfinishedPaste,
  withoutFocusReports,
} from './tokens.ts';

export interface TerminalInput {
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

const escapeDelayMs = 25;

/** A sequence that has begun is no key by itself, so that its end may take longer. */
const sequenceDelayMs = 200;

/** A paste of which nothing came for so long has ended, although its end is not marked. */
const pastePauseMs = 1000;

/** How long the keys before a Ctrl+C may take; then it overtakes them. */
const interruptDelayMs = 300;

const mostQueued = 100_000;

/** Escape in the kitty protocol: unlike a bare one, Ink does not wait to see what follows it. */
const unambiguousEscape = '\u001b[27u';

/**
 * The stream between the terminal and Ink: hands on one key, one grapheme or one paste at a time, and the next only
 * after a turn of the event loop. Ink gives one event for a whole read (`abc\r`, `jjj`), and two events in one turn
 * see the same stale state; with this stream neither happens.
 *
 * Emits `interrupt` for a Ctrl+C that would have to wait: behind many keys, or in a paste that does not end; `focus`, with
 * whether it has it, when the terminal reports its focus. A report is no key, wherever it comes.
 */
export class KeyStream extends Readable {
  readonly isTTY = true;
  readonly #source: TerminalInput;
  readonly #runKeys: RunKeys;
  #queue: string[] = [];
  /** Keys of the queue that are handed on already; cut off now and then, because to shift each away takes long. */
  #handedOn = 0;
  #pending = '';
  #paste: UnfinishedPaste | null = null;
  /** What comes next may be the rest of a paste that was ended early. */
  #isPasteCut = false;
  /** What came last is an Escape, handed on as a key because nothing followed it in time. */
  #isEscapeFlushed = false;
  #repeats = 1;
  #wanted = false;
  #scheduled = false;
  #isHeldUp = false;
  #escapeTimer: NodeJS.Timeout | undefined;
  #pasteTimer: NodeJS.Timeout | undefined;
  #interruptTimer: NodeJS.Timeout | undefined;
  #last: string | undefined;
  #isMerged = false;
  #isTyping = true;

  constructor(source: TerminalInput, runKeys: RunKeys) {
    super({ objectMode: true, highWaterMark: 1 });
    this.#source = source;
    this.#runKeys = runKeys;
    source.setEncoding('utf8');
    source.on('data', this.#onData);
    source.on('end', this.#onEnd);
    source.on('close', this.#onEnd);
    source.on('error', this.#onEnd);
  }

  /**
   * Whether the key that was handed on last does, with a longer way, what many of it do: then those that follow it in a row are
   * handed on as one, and {@link repeats} tells how many it stands for. So a key that was held down does not keep those behind
   * it waiting.
   */
  merge(isMerged: boolean): void {
    this.#isMerged = isMerged;
  }

  setTyping(isTyping: boolean): void {
    this.#isTyping = isTyping;
  }

  get repeats(): number {
    return this.#repeats;
  }

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

  unref(): this {
    this.#source.unref?.();
    return this;
  }

  override setEncoding(): this {
    return this;
  }

  override _read(): void {
    this.#wanted = true;
    this.#pump();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#escapeTimer);
    clearTimeout(this.#pasteTimer);
    clearTimeout(this.#interruptTimer);
    this.#source.off('data', this.#onData);
    this.#source.pause();
    callback(error);
  }

  readonly #onData = (chunk: string): void => {
    clearTimeout(this.#escapeTimer);
    const late = this.#isEscapeFlushed ? `${escapeByte}${chunk}` : '';
    const lateReport = focusReportOf(late);
    this.#isEscapeFlushed = false;
    if (lateReport === null) this.#take(late.startsWith(pasteStart) ? late : chunk);
    else this.emit('focus', lateReport);
    this.#awaitRest();
    if (this.#waiting > mostQueued) this.#holdUp(true);
    this.#pump();
  };

  /** What is pending may be a key by itself. */
  #awaitRest(): void {
    if (this.#pending === '') return;
    const delay = this.#pending.startsWith(`${escapeByte}[`) ? sequenceDelayMs : escapeDelayMs;
    this.#escapeTimer = setTimeout(this.#flushEscape, delay);
  }

  #take(read: string): void {
    if (this.#paste === null && this.#isPasteCut && isRestOfPaste(read)) this.#paste = new UnfinishedPaste();
    const typed = this.#paste === null ? read : this.#takePaste(this.#paste, read);
    if (typed === null) return;
    const { tokens, rest } = tokenise(typed, this.#runKeys, this.#pending);
    for (const token of tokens) this.#enqueue(token);
    if (!rest.startsWith(pasteStart)) {
      this.#pending = rest;
      return;
    }
    this.#pending = '';
    this.#isPasteCut = false;
    this.#paste = new UnfinishedPaste();
    this.#takePaste(this.#paste, rest.slice(pasteStart.length));
  }

  /** Answers what stands behind the paste; null when it goes on. */
  #takePaste(paste: UnfinishedPaste, read: string): string | null {
    clearTimeout(this.#pasteTimer);
    clearTimeout(this.#interruptTimer);
    const behind = paste.add(read);
    if (behind === null) {
      this.#pasteTimer = setTimeout(this.#endPaste, pastePauseMs);
      // Pasted text may hold the character, but then it goes on at once.
      if (read.endsWith(interrupt)) this.#interruptSoon();
      return null;
    }
    this.#paste = null;
    this.#isPasteCut = false;
    this.#enqueue({ kind: 'paste', text: paste.text() });
    return behind;
  }

  readonly #endPaste = (): void => {
    const text = this.#paste?.text() ?? '';
    this.#paste = null;
    this.#isPasteCut = true;
    this.#enqueue({ kind: 'paste', text });
    this.#pump();
  };

  #interruptSoon(): void {
    clearTimeout(this.#interruptTimer);
    this.#interruptTimer = setTimeout(() => this.emit('interrupt'), interruptDelayMs);
  }

  readonly #flushEscape = (): void => {
    const flushed = this.#pending;
    this.#isEscapeFlushed = flushed === escapeByte;
    this.#enqueue({ kind: 'sequence', raw: escapeByte });
    const { tokens, rest } = tokenise(flushed.slice(1), this.#runKeys);
    for (const token of tokens) this.#enqueue(token);
    // Of two Escapes the second may begin something.
    this.#pending = rest;
    this.#awaitRest();
    this.#pump();
  };

  /** The terminal is gone: no key will ever come. */
  readonly #onEnd = (): void => {
    this.emit('hangup');
  };

  #enqueue(token: Token): void {
    if (token.kind === 'paste') {
      const { isFocused, text } = withoutFocusReports(token.text);
      if (isFocused !== null) this.emit('focus', isFocused);
      this.#queue.push(`${pasteStart}${text}${pasteEnd}`);
      return;
    }
    const [, isEscapeBefore = '', sequence = ''] = /^(\u001b?)(\u001b\[[IO])$/.exec(token.raw) ?? [];
    const report = focusReportOf(sequence);
    if (report !== null) this.emit('focus', report);
    if (report !== null && isEscapeBefore === '') return;
    const raw = report === null ? token.raw : escapeByte;
    if (raw === interrupt) this.#interruptSoon();
    this.#queue.push(raw === escapeByte ? unambiguousEscape : raw);
  }

  get #waiting(): number {
    return this.#queue.length - this.#handedOn;
  }

  #next(): string | undefined {
    const next = this.#queue[this.#handedOn];
    const behindEscape = this.#isTyping ? undefined : /^\u001b([^\u001b[O])$/su.exec(next ?? '')?.[1];
    if (behindEscape !== undefined) {
      this.#queue[this.#handedOn] = behindEscape;
      this.#repeats = 1;
      return unambiguousEscape;
    }
    this.#handedOn += 1;
    this.#repeats = 1;
    // It has not been overtaken, so that whoever gets it decides.
    if (next === interrupt) clearTimeout(this.#interruptTimer);
    if (this.#isMerged && next === this.#last) {
      while (this.#queue[this.#handedOn] === next) {
        this.#handedOn += 1;
        this.#repeats += 1;
      }
    }
    if (next !== this.#last) this.#isMerged = false;
    this.#last = next;
    if (this.#handedOn >= this.#queue.length / 2) {
      this.#queue = this.#queue.slice(this.#handedOn);
      this.#handedOn = 0;
    }
    return next;
  }

  #holdUp(isHeldUp: boolean): void {
    if (isHeldUp === this.#isHeldUp) return;
    this.#isHeldUp = isHeldUp;
    if (isHeldUp) this.#source.pause();
    else this.#source.resume();
  }

  #pump(): void {
    if (!this.#wanted || this.#scheduled || this.#waiting === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#waiting === 0 || this.destroyed) return;
      this.#wanted = false;
      this.push(this.#next());
      if (this.#waiting < mostQueued / 2) this.#holdUp(false);
    });
  }
}

/** A read that is no key press. */
function isRestOfPaste(read: string): boolean {
  return read.includes(pasteEnd) || (!read.startsWith('\u001b') && read.length >= pastedRun);
}
