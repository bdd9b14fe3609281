import type { ListRowInput } from '../../board/list/list-row.ts';
import type { ListRow } from '../../board/list/list-rows.ts';
import { rowToRead } from '../../board/list/row-to-read.ts';
import type { Line } from '../../board/text/line.ts';
import { inGlyphs } from '../../board/text/stand-in.ts';
import type { KnownAhead } from '../../screen/board-request.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ShownStage } from '../../watchlist/rules/parcel-stage.ts';
import type { Board, BoardServices, SeenBoard } from '../board.ts';
import { showMessage } from '../footer/messages.ts';
import { isRepeatable, keysOf } from '../keys/keymap.ts';
import { KeptRows } from '../list/kept-rows.ts';
import { withRow } from '../list/state.ts';
import type { PaneContent } from '../pane/frame.ts';
import { scrollWithin } from '../pane/scroll.ts';
import { applyChange, keyContextOf, type UiChange, type UiState } from '../state.ts';
import type { WindowSize } from '../terminal/window-size.ts';
import { HistoryCache } from '../timeline/history-cache.ts';
import { firstFrame } from './first-frame.ts';
import { listOf, openedBoard } from './opened-board.ts';
import { loadInTime } from './opening.ts';
import type { SeenAhead } from './seen-ahead.ts';

/** What a board shows before its watchlist is read. */
export interface AheadOptions extends BoardServices, KnownAhead {}

/** What keys do on it, which is loaded behind its first frame. */
export interface EarlyHandling {
  /** Does what a key means that was pressed so many times in a row; false where that needs the list. */
  handle(board: SeenBoard, change: Board['change'], key: { readonly raw: string; readonly times: number }): boolean;
  /** The board with the help, as far as that is open. */
  covered(
    board: SeenBoard,
    change: Board['change'],
  ): { readonly board: SeenBoard; readonly covering: PaneContent | null };
}

/** What a board needs on which keys are pressed. */
interface ReadingControls extends EarlyHandling {
  /** Puts its frame on the terminal. */
  readonly draw: () => void;
}

const kept = 'The list is still being read. What is pressed now is done when it is there.';

/**
 * A board of which a digest is known and the rows in sight are read, while the whole list is being read: one looks about in it
 * already. What needs the list waits for it, with all that is pressed behind it.
 */
export class ReadingBoard {
  readonly #options: AheadOptions;
  readonly #histories: HistoryCache;
  readonly #asked = new Set<string>();
  readonly #kept: string[] = [];
  #controls: ReadingControls | null = null;
  #ui: UiState;
  #size: WindowSize;
  #listed: { readonly of: UiState; readonly list: ReturnType<typeof listOf> } | null = null;
  #offset = 0;
  #isReading = false;
  #isOver = false;
  /** Whether somebody has pressed anything. */
  #isTouched = false;

  constructor(options: AheadOptions, ui: UiState, size: WindowSize) {
    this.#options = options;
    this.#ui = ui;
    this.#size = size;
    this.#histories = new HistoryCache(options.monitor);
  }

  /** Reads what the first frame shows; false where the digest does not do for that. */
  async readFirst(): Promise<boolean> {
    const { selected: outline, selection } = this.#list();
    // However the window lies about what is selected.
    await this.#readRows(selection.row - this.#size.rows, selection.row + this.#size.rows);
    const selected = outline === null ? null : this.#options.digest.whole(outline);
    if ((selected === null) !== (outline === null) || (selected !== null && !isOfItself(selected))) return false;
    if (selected !== null) await loadInTime(this.#options.clock, this.#histories, selected);
    return true;
  }

  /**
   * Its rows in the window; null where that has no room for it.
   * @param isToBeWhole null, too, where a row of the list is yet to be read
   */
  frame(isToBeWhole = false): readonly string[] | null {
    const { digest, glyphs } = this.#options;
    const seen = this.#board();
    const { board, covering } = this.#controls?.covered(seen, this.#change) ?? { board: seen, covering: null };
    const rows = board.list.rows.map((row): ListRow => {
      const parcel = row.kind === 'parcel' ? digest.whole(row.parcel) : null;
      return parcel === null ? row : { kind: 'parcel', parcel };
    });
    const toRead = this.#toRead(board);
    if (isToBeWhole && toRead.size > 0) return null;
    const frame = firstFrame({ ...board, list: { ...board.list, rows } }, { covering, kept: new RowsToRead(toRead) });
    return frame?.map((row) => inGlyphs(row, glyphs)) ?? null;
  }

  /** Takes keys from now on. */
  begin(controls: ReadingControls): void {
    this.#controls = controls;
  }

  /** Takes a key, as the terminal sends it, that was pressed so many times in a row. */
  press(raw: string, times: number): void {
    this.#isTouched = true;
    const isDone =
      this.#kept.length === 0 && this.#controls?.handle(this.#board(), this.#change, { raw, times }) === true;
    if (!isDone) {
      for (let time = 0; time < times; time += 1) this.#kept.push(raw);
      showMessage({ change: this.#change }, kept);
    }
    this.#draw();
    void this.#readInSight();
  }

  /** Whether many of a key in a row are done as one. */
  isRepeatable(raw: string): boolean {
    return this.#kept.length === 0 && isRepeatable(keyContextOf(this.#ui), raw);
  }

  /** Whether a line is being typed. */
  get isTyping(): boolean {
    return keysOf(keyContextOf(this.#ui)).text !== undefined;
  }

  /** The window has another size. */
  resize(size: WindowSize): void {
    this.#size = size;
    this.#draw();
    void this.#readInSight();
  }

  /** Ends it: nothing is drawn any more. Answers how it was looked at, and the keys that wait for the list. */
  end(): { readonly seen: SeenAhead; readonly kept: readonly string[] } {
    this.#isOver = true;
    const { list, selection } = this.#board();
    const ui = { ...this.#ui, message: null, ...(this.#isTouched ? withRow(selection) : {}) };
    const rowsAbove = Math.max(0, selection.row - list.offset);
    return { seen: { ui, rowsAbove }, kept: this.#kept };
  }

  #draw(): void {
    if (!this.#isOver) this.#controls?.draw();
  }

  readonly #change = (change: UiChange): void => {
    this.#ui = applyChange(this.#ui, change);
  };

  /** What is selected far down is looked for in all of the list: once, until something changes. */
  #list(): ReturnType<typeof listOf> {
    if (this.#listed?.of !== this.#ui) {
      this.#listed = { of: this.#ui, list: listOf(this.#options.digest.arrangement, this.#ui) };
    }
    return this.#listed.list;
  }

  #board(): SeenBoard {
    const { digest, monitor, notices, now, polling, zone } = this.#options;
    const { counts, needs, read, usual, whole } = digest;
    const list = this.#list();
    const selected = list.selected === null ? null : whole(list.selected);
    const state = { ...monitor.getState(), notices, polling };
    const opened = {
      ...{ ...list, counted: counts, needs: () => needs, now, offset: this.#offset },
      ...{ selected, state, ui: this.#ui, usual, zone },
    };
    // Where it takes no time to have parcels read, none is said to be needed for the list.
    const services = read === undefined ? this.#options : { ...this.#options, badge: 'READING' as const };
    const board = openedBoard(services, opened, this.#histories, this.#size);
    this.#offset = board.list.offset;
    if (selected !== null || list.selected === null) return board;
    return { ...board, timeline: { lines: [], scroll: scrollWithin(0, 0, board.timeline.scroll.rows) } };
  }

  /** The parcels in sight that are yet to be read, by their ids with their stage. */
  #toRead({ list, listed: { arrangement, rows } }: SeenBoard): ReadonlyMap<string, ShownStage> {
    const found = new Map<string, ShownStage>();
    for (const [index, row] of list.rows.entries()) {
      if (row.kind === 'heading' || this.#options.digest.whole(row.parcel) !== null) continue;
      const heading = rows.at(rows.headingAbove(list.offset + index));
      const group = arrangement.groups.find(({ key }) => heading?.kind === 'heading' && key === heading.key);
      found.set(row.parcel.id, group?.stages[0] ?? 'unknown');
    }
    return found;
  }

  /** Reads what is in sight and was not read yet, and what one comes to next; draws what has come. */
  async #readInSight(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (!this.#isOver && (await this.#readNext())) this.#draw();
    } catch {
      // The whole reading says what is wrong.
    } finally {
      this.#isReading = false;
    }
  }

  /** Answers whether there was something to read. */
  async #readNext(): Promise<boolean> {
    const board = this.#board();
    const { list, selection } = board;
    const height = Math.max(1, list.rows.length);
    const half = Math.ceil(height / 2);
    if (this.#outlines(list.offset - half, list.offset + height + half).length > 0)
      return await this.#readRows(list.offset - height, list.offset + 2 * height);
    const { selected } = board;
    if (selection.parcelId === null || selected === null || !isOfItself(selected)) return false;
    if (this.#histories.peek(selected) !== null) return false;
    await this.#histories.load(selected);
    return true;
  }

  /** The parcels between two rows that nobody has asked for. */
  #outlines(from: number, to: number): readonly Parcel[] {
    const rows = this.#list().listed.rows.slice(Math.max(0, from), to);
    return rows.flatMap((row) => (row.kind === 'parcel' && !this.#asked.has(row.parcel.id) ? [row.parcel] : []));
  }

  async #readRows(from: number, to: number): Promise<boolean> {
    const outlines = this.#outlines(from, to);
    for (const { id } of outlines) this.#asked.add(id);
    await this.#options.digest.read?.(outlines);
    return outlines.length > 0;
  }
}

/** Writes rows of a list of which some are yet to be read. */
class RowsToRead extends KeptRows {
  readonly #toRead: ReadonlyMap<string, ShownStage>;

  /** @param toRead the stages of those, by their ids */
  constructor(toRead: ReadonlyMap<string, ShownStage>) {
    super();
    this.#toRead = toRead;
  }

  override row(parcel: Parcel, input: ListRowInput): Line {
    const stage = this.#toRead.get(parcel.id);
    if (stage === undefined) return super.row(parcel, input);
    return rowToRead(parcel, { selected: input.selected === true, stage, width: input.columns.width });
  }
}

/** The events of one that became another parcel are found by what the whole list says of it. */
const isOfItself = ({ historyId }: Parcel): boolean => historyId === undefined;
