import { Observable } from '../polling/core/observable.ts';
import type { TerminalLoan } from '../process/terminal-loan.ts';
import type { BoardEnd, BoardRequest } from '../screen/board-request.ts';
import { printableText } from '../service/text/clean-text.ts';
import type { Board } from './app/board.ts';
import { runKeys } from './app/keymap.ts';
import { leftFrame } from './app/left-screen.ts';
import { reportNoFocus } from './focus/focus-reports.ts';
import type { MountedBoard } from './mount-board.tsx';
import { TerminalTitle } from './notify/terminal-title.ts';
import type { BoardServices } from './services.ts';
import { createCopyText } from './terminal/copy-text.ts';
import { KeyStream, type TerminalInput } from './terminal/key-stream.ts';
import { ScreenStream, type TerminalOutput } from './terminal/screen-stream.ts';

/** What the board is given, and the terminal it runs in. */
export interface BoardOptions extends BoardServices, Pick<BoardRequest, 'keepScreen' | 'onReplaced' | 'signal'> {
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  /** Rows with their colours that stand on the alternate screen already, the cursor hidden; null or absent where none do. */
  readonly painted?: readonly string[] | null;
  /** What erases the row that stands on the terminal until there is something to draw; absent where none does. */
  readonly erasing?: string;
  /** Writes something as soon as a terminal that is frozen goes on, even behind the end of the program. */
  readonly writeLater: (text: string) => void;
  /** Has something done before the process is ended by force. Answers how to take it back. */
  readonly onForcedEnd: (farewell: () => null) => () => void;
  /**
   * Calls the listener whenever the window has changed, even when it is as large as before by now: what it was too small
   * for meanwhile is gone from it. Answers how to stop listening.
   */
  readonly onWindowChange: (listener: () => void) => () => void;
  /** Whether the terminal's window has a title. */
  readonly hasTitle: boolean;
  /** Frames a second at most; as many as a terminal needs when left out. */
  readonly framesPerSecond?: number;
  /** By whom programs that ask something have the terminal meanwhile; absent where none do. */
  readonly terminalLoan?: TerminalLoan;
}

/** A window that was not changed for so long is drawn again, in milliseconds: it changes in many steps under the mouse. */
const windowSettlesMs = 100;

const hideCursor = '\u001b[?25l';

/** Frame ended, bracketed paste and reports of the focus off, the normal screen, the cursor shown. */
const restoreSequence = `\u001b[?2026l\u001b[?2004l${reportNoFocus}\u001b[?1049l\u001b[?25h`;
/** Ends whatever sequence a frozen terminal has seen the beginning of. */
const cancelSequence = '\u0018';

/**
 * Runs the board until it is quit. When it answers, the terminal is as it was; to stop the monitor is for whoever has made it.
 */
export async function runBoard(options: BoardOptions): Promise<BoardEnd> {
  const { monitor, signal, stdin, stdout } = options;
  const keys = new KeyStream(stdin, runKeys);
  const screen = new ScreenStream(stdout, options.glyphs, options.painted ?? null, options.erasing);
  const title = new TerminalTitle(options.hasTitle ? (sequence) => void screen.write(sequence) : null);
  const ended = Promise.withResolvers<BoardEnd>();
  const end = (reason: BoardEnd['reason'], error: unknown = null): void => ended.resolve({ reason, error });
  const hangUp = (): void => end('hangup');
  const onAbort = (): void => end('stopped');
  keys.once('hangup', hangUp);
  keys.once('interrupt', () => end('interrupted'));
  // Until a terminal has sent a report it counts as focused: many never send any.
  const terminalFocus = new Observable(true);
  keys.on('focus', (isFocused: boolean) => terminalFocus.set(isFocused));
  // A terminal that is gone refuses what is still written to it; that is no error of ours.
  screen.on('error', hangUp);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  let isLent = false;
  const lend = async (work: () => Promise<void>): Promise<void> => {
    screen.write(title.takeRestoration());
    isLent = true;
    // What is typed now is for somebody else.
    stdin.pause();
    try {
      await work();
    } finally {
      isLent = false;
      stdin.resume();
      title.showAgain();
    }
  };
  const told = async (program: string, work: () => Promise<void>): Promise<void> => {
    screen.write(`parcel-monitor: ${printableText(program)} runs here, and may ask something. Ctrl+C stops it.\n`);
    await work();
  };
  const lendTo = (program: string, work: () => Promise<void>): Promise<void> => lend(() => told(program, work));
  const startRedraw = (): void => void redraw().catch((error: unknown) => end('error', error));
  const copyText = createCopyText(options.clipboards, (sequence) => void screen.write(sequence));
  let services: BoardServices = options;
  let mounted: MountedBoard | null = null;
  let isLeaving = false;
  let drawn: Board | null = null;
  const onDrawn = (board: Board): void => {
    drawn = board;
  };
  const draw = (): void => mounted?.draw();
  const redraw = async (): Promise<void> => {
    // A frame behind the last one would take the terminal once more.
    if (isLeaving || isLent) return;
    // After a suspension Ink leaves the cursor as the shell had it.
    screen.write(hideCursor);
    screen.forget();
    await mounted?.redraw();
  };
  // Registered before Ink's own listener, so that Ink never draws a frame of the old size in the new window: its lines
  // would wrap and scroll the screen away from what Ink believes is there.
  screen.on('resize', draw);
  /** Without a wait; Ink may have done it already. */
  const restore = (): void => {
    const sequence = `${screen.takeErasing()}${restoreSequence}${title.takeRestoration()}`;
    if (screen.isWaiting) options.writeLater(`${cancelSequence}${sequence}`);
    else stdout.write(sequence);
    keys.setRawMode(false);
  };
  const forgetForcedEnd = options.onForcedEnd(() => {
    restore();
    return null;
  });
  const mount = async (): Promise<void> => {
    const { mountBoard } = await import('./mount-board.tsx');
    if (isLeaving) return;
    mounted = mountBoard({
      framesPerSecond: options.framesPerSecond,
      keys,
      screen,
      title,
      terminalFocus,
      copyText,
      lend,
      lendTo,
      onDrawn,
      services: () => services,
      terminalLoan: options.terminalLoan ?? null,
      quit: (reason = 'quit') => end(reason),
      redraw: startRedraw,
      onError: (error) => end('error', error),
    });
  };
  // Before the first frame, into which the terminal would otherwise echo what is typed ahead.
  keys.setRawMode(true);
  // Before the first frame, which would otherwise say that nothing is checked; the first call waits for a timer behind it.
  monitor.start();
  let cancelRedraw = (): void => {};
  const stopWatchingWindow = options.onWindowChange(() => {
    cancelRedraw();
    cancelRedraw = options.clock.setTimer(windowSettlesMs, startRedraw);
  });
  screen.on('behind', () => {
    title.showAgain();
    startRedraw();
  });
  const stopReplacing = options.onReplaced?.((replacement) => {
    services = { ...services, ...replacement };
    if (mounted !== null) mounted.draw();
  });
  mount().catch((error: unknown) => end('error', error));
  const exit = await ended.promise;
  isLeaving = true;
  signal.removeEventListener('abort', onAbort);
  stopWatchingWindow();
  stopReplacing?.();
  cancelRedraw();
  const wasBehind = screen.isBehind;
  if (!(await hasUnmounted(mounted)) || wasBehind || screen.isBehind) restore();
  else {
    stdout.write(title.takeRestoration());
    keys.setRawMode(false);
  }
  // Not before, since a frame may have been on its way.
  if (exit.reason !== 'error') keepScreen(options, screen, drawn);
  forgetForcedEnd();
  keys.destroy();
  screen.close();
  return exit;
}

function keepScreen({ keepScreen: keep, stdout }: BoardOptions, screen: ScreenStream, board: Board | null): void {
  const rows = screen.lastRows();
  const frame = board === null || rows === null ? null : leftFrame(board, rows);
  const { columns, rows: height } = stdout;
  if (frame !== null && columns !== undefined && height !== undefined) keep?.({ frame, columns, rows: height });
}

/** Whether Ink has restored the terminal; not where it was never there. */
const hasUnmounted = async (mounted: MountedBoard | null): Promise<boolean> => (await mounted?.unmount()) ?? false;
