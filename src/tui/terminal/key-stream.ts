import { Readable } from 'node:stream';
import {
  backgroundAhead,
  beginsWithReport,
  isAttributesReport,
  isMouseReport,
  isTornReport,
  readBackground,
  readMouseReport,
} from './reports.ts';
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
  withoutReports,
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

/** How long the rest of a started sequence may take, in milliseconds. */
const sequenceDelayMs = 200;

/** In milliseconds. A paste without further input for this long has ended. */
const pastePauseMs = 1000;

/** In milliseconds. A Ctrl+C waits this long for the keys before it, then overtakes them. */
const interruptDelayMs = 300;

const maxQueued = 100_000;

/** Escape in the kitty protocol. Ink does not wait for more input after it. */
const unambiguousEscape = '\u001b[27u';

/**
 * The stream between terminal and Ink. It passes on one key, grapheme or paste at a time, and the next only after a
 * turn of the event loop, because Ink delivers a whole read as one event (`abc\r`, `jjj`) and two events in one turn
 * see the same state. Emits `interrupt` for a Ctrl+C behind many keys or in an endless paste, `focus` when the terminal
 * reports its focus, `background` when it reports its background, `answered` when no more replies follow, and `mouse`
 * with a report in its place among the keys.
 */
export class KeyStream extends Readable {
  readonly isTTY = true;
  readonly #source: TerminalInput;
  #runKeys: RunKeys;
  #queue: string[] = [];
  /** Handled keys at the start of the queue. Removed in bulk, because shifting is slow. */
  #handedOn = 0;
  #pending = '';
  #paste: UnfinishedPaste | null = null;
  /** The next input may belong to a paste that was ended early. */
  #isPasteCut = false;
  /** Start of a sequence that was passed on because nothing followed in time. */
  #flushed = '';
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
  #isStopped = false;

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
   * Whether the last key can be combined with its repeats. {@link repeats} is their number, so that a held key does not
   * delay later keys.
   */
  merge(isMerged: boolean): void {
    this.#isMerged = isMerged;
  }

  setRunKeys(runKeys: RunKeys): void {
    this.#runKeys = runKeys;
  }

  setTyping(isTyping: boolean): void {
    this.#isTyping = isTyping;
  }

  /** Passes on no more keys. Still reads the terminal's reports. */
  stop(): void {
    this.#isStopped = true;
  }

  /** What the terminal sent for the last key. */
  get sequence(): string {
    return this.#last ?? '';
  }

  get repeats(): number {
    return this.#repeats;
  }

  setRawMode(mode: boolean): this {
    this.#source.setRawMode?.(mode);
    return this;
  }

  /** Keeps the process alive while waiting for input. */
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
    this.#drain();
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
    const late = `${this.#flushed}${chunk}`;
    const lateReport = this.#flushed === escapeByte ? focusReportOf(late) : null;
    const isLate = this.#flushed !== '' && (late.startsWith(pasteStart) || beginsWithReport(late));
    this.#flushed = '';
    if (lateReport === null) this.#take(isLate ? late : chunk);
    else this.emit('focus', lateReport);
    this.#awaitRest();
    if (this.#waiting > maxQueued) this.#holdUp(true);
    this.#drain();
  };

  /** Pending input may be a complete key. */
  #awaitRest(): void {
    // The start of a report is not typed, so its rest may take any time.
    if (this.#pending === '' || isTornReport(this.#pending)) return;
    const delay = /^\u001b[[\]]/.test(this.#pending) ? sequenceDelayMs : escapeDelayMs;
    this.#escapeTimer = setTimeout(this.#flushEscape, delay);
  }

  #take(read: string): void {
    if (this.#paste === null && this.#isPasteCut && isRestOfPaste(read)) this.#paste = new UnfinishedPaste();
    const typed = this.#paste === null ? read : this.#takePaste(this.#paste, read);
    if (typed === null) return;
    if (isTornReport(this.#pending) && !beginsWithReport(this.#pending + typed)) this.#pending = '';
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

  /** Returns the input after the paste, or null if it continues. */
  #takePaste(paste: UnfinishedPaste, read: string): string | null {
    clearTimeout(this.#pasteTimer);
    clearTimeout(this.#interruptTimer);
    const behind = paste.add(read);
    if (behind === null) {
      this.#pasteTimer = setTimeout(this.#endPaste, pastePauseMs);
      // A paste can contain the character, but then more input follows immediately.
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
    this.#drain();
  };

  #interruptSoon(): void {
    clearTimeout(this.#interruptTimer);
    this.#interruptTimer = setTimeout(() => this.emit('interrupt'), interruptDelayMs);
  }

  readonly #flushEscape = (): void => {
    const flushed = this.#pending;
    this.#flushed = /^\u001b(?:\[|\]1{0,2})?$/.test(flushed) ? flushed : '';
    this.#enqueue({ kind: 'sequence', raw: escapeByte });
    const { tokens, rest } = tokenise(flushed.slice(1), this.#runKeys);
    for (const token of tokens) this.#enqueue(token);
    // The second of two Escapes may start a sequence.
    this.#pending = rest;
    this.#awaitRest();
    this.#drain();
  };

  /** The terminal is gone. */
  readonly #onEnd = (): void => {
    this.emit('hangup');
  };

  #enqueue(token: Token): void {
    if (token.kind === 'paste') {
      const { isFocused, text } = withoutReports(token.text);
      if (isFocused !== null) this.emit('focus', isFocused);
      this.#queue.push(`${pasteStart}${text}${pasteEnd}`);
      return;
    }
    const [, before = '', report = ''] = /^(\u001b?)(\u001b\[(?:[IO]|<[\d;]*[Mm]))$/.exec(token.raw) ?? [];
    const background = readBackground(token.raw);
    if (background !== null) this.emit('background', background);
    if (backgroundAhead.test(token.raw)) return;
    if (isAttributesReport(token.raw)) {
      this.emit('answered');
      return;
    }
    const isFocused = focusReportOf(report);
    if (isFocused !== null) this.emit('focus', isFocused);
    if (report !== '') {
      if (before !== '') this.#queue.push(unambiguousEscape);
      if (isFocused === null) this.#queue.push(report);
      return;
    }
    const { raw } = token;
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
    // Ctrl+C did not overtake other keys, so the receiver decides.
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

  #drain(): void {
    if (!this.#wanted || this.#scheduled || this.#waiting === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#waiting === 0 || this.#isStopped || this.destroyed) return;
      if (isMouseReport(this.#queue[this.#handedOn] ?? '')) {
        this.#reportMouse();
        this.#drain();
      } else {
        this.#wanted = false;
        this.push(this.#next());
      }
      if (this.#waiting < maxQueued / 2) this.#holdUp(false);
    });
  }

  #reportMouse(): void {
    this.#isMerged = true;
    this.#last = this.#queue[this.#handedOn];
    const sequence = this.#next() ?? '';
    this.#isMerged = false;
    const report = readMouseReport(sequence, this.#repeats);
    if (report !== null) this.emit('mouse', report);
  }
}

/** A read without a key. */
function isRestOfPaste(read: string): boolean {
  return read.includes(pasteEnd) || (!read.startsWith('\u001b') && read.length >= pastedRun);
}
