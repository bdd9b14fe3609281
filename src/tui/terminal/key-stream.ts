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
  minPasteRun,
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

/** How long to wait for the rest of a sequence, in milliseconds. */
const sequenceDelayMs = 200;

/** A paste ends if no further input arrives for this long, in milliseconds. */
const pastePauseMs = 1000;

/** How long a Ctrl+C waits for the keys before it, in milliseconds. Then it overtakes them. */
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
  readonly #source: TerminalInput;
  #runKeys: RunKeys;
  #queue: string[] = [];
  /** Number of handled keys at the start of the queue. They are removed in bulk, because `shift` is slow. */
  #consumed = 0;
  #pending = '';
  #paste: UnfinishedPaste | null = null;
  /** Whether the last paste timed out, so that the next input may still belong to it. */
  #hasPasteTimedOut = false;
  /** Beginning of a sequence that was passed on as keys because its rest did not arrive in time. */
  #flushed = '';
  #repeats = 1;
  #wanted = false;
  #scheduled = false;
  #isSourcePaused = false;
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
   * Combines the last key with its queued repeats, so that a held key does not delay later keys. {@link repeats} is
   * their number.
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

  /** Stops emitting keys, but still reads the terminal's reports. */
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
    if (this.#waiting > maxQueued) this.#pauseSource(true);
    this.#drain();
  };

  /** Starts a timer, because the pending input may be complete, such as a single Escape. */
  #awaitRest(): void {
    // Users do not type the beginning of a report, so its rest may take any time.
    if (this.#pending === '' || isTornReport(this.#pending)) return;
    const delay = /^\u001b[[\]]/.test(this.#pending) ? sequenceDelayMs : escapeDelayMs;
    this.#escapeTimer = setTimeout(this.#flushEscape, delay);
  }

  #take(read: string): void {
    if (this.#paste === null && this.#hasPasteTimedOut && isRestOfPaste(read)) this.#paste = new UnfinishedPaste();
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
    this.#enqueue({ kind: 'paste', text: paste.text() });
    return after;
  }

  readonly #endPaste = (): void => {
    const text = this.#paste?.text() ?? '';
    this.#paste = null;
    this.#hasPasteTimedOut = true;
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
    // The second of two Escapes may begin a sequence.
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
    return this.#queue.length - this.#consumed;
  }

  #next(): string | undefined {
    const next = this.#queue[this.#consumed];
    const afterEscape = this.#isTyping ? undefined : /^\u001b([^\u001b[O])$/su.exec(next ?? '')?.[1];
    if (afterEscape !== undefined) {
      this.#queue[this.#consumed] = afterEscape;
      this.#repeats = 1;
      return unambiguousEscape;
    }
    this.#consumed += 1;
    this.#repeats = 1;
    // This Ctrl+C arrived in order, so its binding decides what to do.
    if (next === interrupt) clearTimeout(this.#interruptTimer);
    if (this.#isMerged && next === this.#last) {
      while (this.#queue[this.#consumed] === next) {
        this.#consumed += 1;
        this.#repeats += 1;
      }
    }
    if (next !== this.#last) this.#isMerged = false;
    this.#last = next;
    if (this.#consumed >= this.#queue.length / 2) {
      this.#queue = this.#queue.slice(this.#consumed);
      this.#consumed = 0;
    }
    return next;
  }

  #pauseSource(isPaused: boolean): void {
    if (isPaused === this.#isSourcePaused) return;
    this.#isSourcePaused = isPaused;
    if (isPaused) this.#source.pause();
    else this.#source.resume();
  }

  #drain(): void {
    if (!this.#wanted || this.#scheduled || this.#waiting === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#waiting === 0 || this.#isStopped || this.destroyed) return;
      if (isMouseReport(this.#queue[this.#consumed] ?? '')) {
        this.#reportMouse();
        this.#drain();
      } else {
        this.#wanted = false;
        this.push(this.#next());
      }
      if (this.#waiting < maxQueued / 2) this.#pauseSource(false);
    });
  }

  #reportMouse(): void {
    this.#isMerged = true;
    this.#last = this.#queue[this.#consumed];
    const sequence = this.#next() ?? '';
    this.#isMerged = false;
    const report = readMouseReport(sequence, this.#repeats);
    if (report !== null) this.emit('mouse', report);
  }
}

/** Whether a read is more likely the rest of a paste than a key. */
function isRestOfPaste(read: string): boolean {
  return read.includes(pasteEnd) || (!read.startsWith('\u001b') && read.length >= minPasteRun);
}
