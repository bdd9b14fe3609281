import { runKeys } from '../keys/keymap.ts';
import { KeyStream, type TerminalInput } from '../terminal/key-stream.ts';
import { interrupt } from '../terminal/tokens.ts';
import type { ReadingBoard } from './reading-board.ts';
import type { SeenAhead } from './seen-ahead.ts';

/** What a board takes over that was looked at while its list was read. */
export interface TakenAhead {
  /** Where its keys come from; null where the terminal was given back meanwhile. */
  readonly keys: KeyStream | null;
  /** Those that waited for the list. */
  readonly kept: readonly string[];
  readonly seen: SeenAhead;
}

/** Hands the keys of a terminal to a board whose list is being read. */
export class EarlyKeys {
  readonly #board: ReadingBoard;
  #keys: KeyStream | null;

  /** @param onInterrupt called for Ctrl+C */
  constructor(source: TerminalInput, board: ReadingBoard, onInterrupt: () => void) {
    this.#board = board;
    const keys = new KeyStream(source, runKeys);
    this.#keys = keys;
    keys.merge((raw) => board.isRepeatable(raw));
    keys.setTyping(board.isTyping);
    keys.once('interrupt', onInterrupt);
    keys.on('readable', () => {
      for (let raw = this.#next(); raw !== null; raw = this.#next()) {
        if (raw === interrupt) onInterrupt();
        else board.press(raw, keys.repeats);
        keys.setTyping(board.isTyping);
      }
    });
    keys.ref();
  }

  #next(): string | null {
    return this.#keys?.read() ?? null;
  }

  /** Hands them on. */
  takeOver(): TakenAhead {
    const keys = this.#keys;
    this.#keys = null;
    keys?.removeAllListeners('readable').removeAllListeners('interrupt');
    keys?.merge(() => false);
    return { keys, ...this.#board.end() };
  }

  /** Leaves the terminal alone, unless they were handed on. */
  stop(): void {
    if (this.#keys !== null) this.#board.end();
    this.#keys?.destroy();
    this.#keys = null;
  }
}
