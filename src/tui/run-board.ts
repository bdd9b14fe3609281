import { Observable } from '../lib/async.ts';
import type { BoardEnd, BoardRequest } from '../settings/session/context.ts';
import type { Terminal } from '../system/terminal.ts';
import { runKeys } from './app/keymap.ts';
import type { BoardServices } from './board.ts';
import type { MountedBoard } from './mount-board.tsx';
import { createCopyText } from './terminal/clipboard.ts';
import type { TerminalOutput } from './terminal/frame-writer.ts';
import { KeyStream, type TerminalInput } from './terminal/key-stream.ts';

export interface BoardOptions extends BoardServices, Pick<BoardRequest, 'keepScreen' | 'onReplaced' | 'signal'> {
  readonly terminal: Terminal;
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly writeLater: (text: string) => void;
  /** Leaves Ctrl+C to a program that has the terminal; answers how to take it back. */
  readonly leaveInterrupts: () => () => void;
  /**
   * Calls the listener whenever the window has changed, even when it is as large as before by now: what it was too small
   * for meanwhile is gone from it. Answers how to stop listening.
   */
  readonly onWindowChange: (listener: () => void) => () => void;
  readonly hasTitle: boolean;
  /** Frames a second at most; as many as a terminal needs when left out. */
  readonly framesPerSecond?: number;
}

/** A window that was not changed for so long is drawn again, in milliseconds: it changes in many steps under the mouse. */
const windowSettlesMs = 100;

/**
 * Runs the board until it is quit. When it resolves, the terminal is restored; the caller stops the monitor.
 */
export async function runBoard(options: BoardOptions): Promise<BoardEnd> {
  const { monitor, signal, stdin, stdout, terminal } = options;
  const keys = new KeyStream(stdin, runKeys);
  const ended = Promise.withResolvers<BoardEnd>();
  const end = (reason: BoardEnd['reason'], error: unknown = null): void => ended.resolve({ reason, error });
  const hangUp = (): void => end('hangup');
  const onAbort = (): void => end('stopped');
  keys.once('hangup', hangUp);
  keys.once('interrupt', () => end('interrupted'));
  // Until a terminal has sent a report it counts as focused: many never send any.
  const terminalFocus = new Observable(true);
  keys.on('focus', (isFocused: boolean) => terminalFocus.set(isFocused));
  // A terminal that is gone refuses what is still written to it; that is no error of ours. For good: it reports the last words later.
  stdout.on('error', hangUp);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  const copyText = createCopyText(options.clipboards, (sequence) => terminal.write(sequence));
  let services: BoardServices = options;
  let mounted = null as MountedBoard | null;
  let isLeaving = false;
  const mount = async (): Promise<void> => {
    const { mountBoard } = await import('./mount-board.tsx');
    if (isLeaving) return;
    mounted = mountBoard({
      framesPerSecond: options.framesPerSecond,
      keys,
      stdout,
      terminal,
      terminalFocus,
      copyText,
      services: () => services,
      quit: (reason = 'quit') => end(reason),
      onError: (error) => end('error', error),
    });
  };
  // Before the first frame, into which the terminal would otherwise echo what is typed ahead.
  terminal.open(options);
  // Before the first frame, which would otherwise say that nothing is checked; the first call waits for a timer behind it.
  monitor.start();
  let cancelRedraw = (): void => {};
  const stopWatchingWindow = options.onWindowChange(() => {
    cancelRedraw();
    cancelRedraw = options.clock.setTimer(windowSettlesMs, () => mounted?.redraw());
  });
  const stopReplacing = options.onReplaced?.((replacement) => {
    services = { ...services, ...replacement };
    mounted?.draw();
  });
  mount().catch((error: unknown) => end('error', error));
  const exit = await ended.promise;
  isLeaving = true;
  signal.removeEventListener('abort', onAbort);
  stopWatchingWindow();
  stopReplacing?.();
  cancelRedraw();
  // Before Ink is taken down, so that its last frame is not shown.
  terminal.giveBack();
  mounted?.unmount();
  keys.destroy();
  if (exit.reason !== 'error' && mounted !== null) keepScreen(options, mounted);
  return exit;
}

function keepScreen({ keepScreen: keep, stdout }: BoardOptions, board: MountedBoard): void {
  const { columns, rows } = stdout;
  if (keep === undefined || columns === undefined || rows === undefined) return;
  const frame = board.left();
  if (frame !== null) keep({ frame, columns, rows });
}
