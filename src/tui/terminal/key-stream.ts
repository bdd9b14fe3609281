import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import {
  backgroundAhead,
  beginsWithReport,
  escapeByte,
  interrupt,
  isAttributesReport,
  isMouseReport,
  isPaste,
  isTornReport,
  minPasteRun,
  pasteEnd,
  pasteSequence,
  pasteStart,
  type RunKeys,
  readBackground,
  readFocusReport,
  readMouseReport,
  tokenise,
  UnfinishedPaste,
  withoutReports,
} from './input-tokens.ts';

export interface TerminalInput extends Pick<EventEmitter, 'off' | 'on'> {
  setEncoding(encoding: 'utf8'): unknown;
  setRawMode?(mode: boolean): unknown;
  ref?(): unknown;
  unref?(): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** How long a lone Escape may be the beginning of a sequence, in milliseconds. */
const escapeDelayMs = 25;

/** How long to wait for the rest of a sequence, in milliseconds. */
const sequenceDelayMs = 200;

/** A paste ends if no further input arrives for this long, in milliseconds. */
const pastePauseMs = 1000;

/** How long a Ctrl+C waits for the keys before it, in milliseconds, before it overtakes them. */
const interruptDelayMs = 300;

const maxQueued = 100_000;

/** Escape in the kitty protocol, after which Ink does not wait for more input. */
const unambiguousEscape = '\u001b[27u';

/**
 * The stream between the terminal and Ink. It emits one key, grapheme or paste per turn of the event loop, because Ink
 * delivers a whole read as one event (`abc\r`, `jjj`), and two events in the same turn see the same state. Also emits
 * `interrupt` for a Ctrl+C that is stuck behind many keys or inside an endless paste, `focus` and `background` for the
 * terminal's reports, `answered` when the terminal has replied to all queries, `mouse` for mouse reports, in order with
 * the keys, and `hangup` when the terminal is gone.
 */
export class KeyStream extends Readable {
  readonly isTTY = true;
  runKeys: RunKeys;
  /** Whether the user is typing into a field. */
  isTyping = true;
  /** Whether to combine the last key with its queued repeats, so that a held key does not delay later keys. */
  isMerged = false;
  /** Number of presses of the last key. */
  repeats = 1;
  readonly #source: TerminalInput;
  readonly #queue: string[] = [];
  #pending = '';
  #paste: UnfinishedPaste | null = null;
  /** Whether the last paste timed out, so that the next input may still belong to it. */
  #hasPasteTimedOut = false;
  /** Beginning of a sequence that was passed on as keys because its rest did not arrive in time. */
  #flushed = '';
  #wanted = false;
  #scheduled = false;
  #isSourcePaused = false;
  #escapeTimer: NodeJS.Timeout | undefined;
  #pasteTimer: NodeJS.Timeout | undefined;
  #interruptTimer: NodeJS.Timeout | undefined;
  #last: string | undefined;
  #isStopped = false;

  constructor(source: TerminalInput, runKeys: RunKeys) {
    super({ objectMode: true, highWaterMark: 1 });
    this.#source = source;
    this.runKeys = runKeys;
    source.setEncoding('utf8');
    source.on('data', this.#onData);
    // The terminal is gone.
    for (const event of ['end', 'close', 'error']) source.on(event, () => this.emit('hangup'));
  }

  /** Stops emitting keys, but still reads the terminal's reports. */
  stop(): void {
    this.#isStopped = true;
  }

  /** What the terminal sent for the last key. */
  get sequence(): string {
    return this.#last ?? '';
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
    const joinedInput = `${this.#flushed}${chunk}`;
    const isLateReport =
      beginsWithReport(joinedInput) || (this.#flushed === escapeByte && readFocusReport(joinedInput) !== null);
    const isLate = this.#flushed !== '' && (isPaste(joinedInput) || isLateReport);
    this.#flushed = '';
    this.#process(isLate ? joinedInput : chunk);
    this.#awaitRest();
    if (this.#queue.length > maxQueued) {
      this.#isSourcePaused = true;
      this.#source.pause();
    }
    this.#drain();
  };

  /** Starts a timer, because the pending input may be complete, such as a single Escape. */
  #awaitRest(): void {
    // Users do not type the beginning of a report, so its rest may arrive at any time.
    if (this.#pending === '' || isTornReport(this.#pending)) return;
    const delay = /^\u001b[[\]]/.test(this.#pending) ? sequenceDelayMs : escapeDelayMs;
    this.#escapeTimer = setTimeout(this.#flushEscape, delay);
  }

  #process(read: string): void {
    if (this.#paste === null && this.#hasPasteTimedOut && isRestOfPaste(read)) this.#paste = new UnfinishedPaste();
    const typed = this.#paste === null ? read : this.#takePaste(this.#paste, read);
    if (typed === null) return;
    if (isTornReport(this.#pending) && !beginsWithReport(this.#pending + typed)) this.#pending = '';
    const { tokens, rest } = tokenise(typed, this.runKeys, this.#pending);
    for (const token of tokens) this.#enqueue(token);
    this.#pending = isPaste(rest) ? '' : rest;
    if (!isPaste(rest)) return;
    this.#hasPasteTimedOut = false;
    this.#paste = new UnfinishedPaste();
    this.#takePaste(this.#paste, rest.slice(pasteStart.length));
  }

  /** Returns the input after the paste, or null if the paste continues. */
  #takePaste(paste: UnfinishedPaste, read: string): string | null {
    clearTimeout(this.#pasteTimer);
    clearTimeout(this.#interruptTimer);
    const after = paste.add(read);
    if (after === null) {
      this.#pasteTimer = setTimeout(this.#endPaste, pastePauseMs);
      // A paste can contain a Ctrl+C, but then more input follows immediately.
      if (read.endsWith(interrupt)) this.#interruptSoon();
      return null;
    }
    this.#paste = null;
    this.#hasPasteTimedOut = false;
    this.#enqueue(pasteSequence(paste.text()));
    return after;
  }

  readonly #endPaste = (): void => {
    const paste = pasteSequence(this.#paste?.text() ?? '');
    this.#paste = null;
    this.#hasPasteTimedOut = true;
    this.#enqueue(paste);
    this.#drain();
  };

  #interruptSoon(): void {
    clearTimeout(this.#interruptTimer);
    this.#interruptTimer = setTimeout(() => this.emit('interrupt'), interruptDelayMs);
  }

  readonly #flushEscape = (): void => {
    const flushed = this.#pending;
    this.#flushed = /^\u001b(?:\[|\]1{0,2})?$/.test(flushed) ? flushed : '';
    this.#enqueue(escapeByte);
    const { tokens, rest } = tokenise(flushed.slice(1), this.runKeys);
    for (const token of tokens) this.#enqueue(token);
    // The second of two Escapes may begin a sequence.
    this.#pending = rest;
    this.#awaitRest();
    this.#drain();
  };

  #enqueue(token: string): void {
    if (isPaste(token)) {
      const { isFocused, text } = withoutReports(token);
      if (isFocused !== null) this.emit('focus', isFocused);
      this.#queue.push(text);
      return;
    }
    const [, before = '', report = ''] = /^(\u001b?)(\u001b\[(?:[IO]|<[\d;]*[Mm]))$/.exec(token) ?? [];
    const background = readBackground(token);
    if (background !== null) this.emit('background', background);
    if (backgroundAhead.test(token)) return;
    if (isAttributesReport(token)) {
      this.emit('answered');
      return;
    }
    const isFocused = readFocusReport(report);
    if (isFocused !== null) this.emit('focus', isFocused);
    if (report !== '') {
      if (before !== '') this.#queue.push(unambiguousEscape);
      if (isFocused === null) this.#queue.push(report);
      return;
    }
    if (token === interrupt) this.#interruptSoon();
    this.#queue.push(token === escapeByte ? unambiguousEscape : token);
  }

  #next(): string | undefined {
    const next = this.#queue.shift();
    this.repeats = 1;
    const afterEscape = this.isTyping ? undefined : /^\u001b([^\u001b[O])$/su.exec(next ?? '')?.[1];
    if (afterEscape !== undefined) {
      this.#queue.unshift(afterEscape);
      return unambiguousEscape;
    }
    // This Ctrl+C arrived in order, so its binding decides what to do.
    if (next === interrupt) clearTimeout(this.#interruptTimer);
    if (this.isMerged && next === this.#last) {
      const otherIndex = this.#queue.findIndex((key) => key !== next);
      this.repeats += this.#queue.splice(0, otherIndex === -1 ? this.#queue.length : otherIndex).length;
    }
    if (next !== this.#last) this.isMerged = false;
    this.#last = next;
    return next;
  }

  #drain(): void {
    if (!this.#wanted || this.#scheduled || this.#queue.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#queue.length === 0 || this.#isStopped || this.destroyed) return;
      if (isMouseReport(this.#queue[0] ?? '')) {
        this.#reportMouse();
        this.#drain();
      } else {
        this.#wanted = false;
        this.push(this.#next());
      }
      if (this.#isSourcePaused && this.#queue.length < maxQueued / 2) {
        this.#isSourcePaused = false;
        this.#source.resume();
      }
    });
  }

  #reportMouse(): void {
    this.isMerged = true;
    this.#last = this.#queue[0];
    const sequence = this.#next() ?? '';
    this.isMerged = false;
    const report = readMouseReport(sequence, this.repeats);
    if (report !== null) this.emit('mouse', report);
  }
}

/** Whether a read is more likely the rest of a paste than a key. */
function isRestOfPaste(read: string): boolean {
  return read.includes(pasteEnd) || (!read.startsWith('\u001b') && read.length >= minPasteRun);
}
