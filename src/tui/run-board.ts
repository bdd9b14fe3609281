import { Observable } from '../lib/async.ts';
import type { BoardEnd, BoardRequest } from '../settings/session/context.ts';
import type { Terminal } from '../system/terminal.ts';
import { runKeys } from './app/keymap.ts';
import type { BoardServices } from './board.ts';
import type { MountedBoard } from './mount-board.tsx';
import { createCopyText } from './terminal/clipboard.ts';
import type { TerminalOutput } from './terminal/frame-writer.ts';
import { KeyStream, type TerminalInput } from './terminal/key-stream.ts';
import type { Background } from './terminal/reports.ts';

export interface BoardOptions extends BoardServices, Pick<BoardRequest, 'keepScreen' | 'onReplaced' | 'signal'> {
  readonly terminal: Terminal;
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly writeLater: (text: string) => void;
  /** Leaves Ctrl+C to the child process that uses the terminal. Returns a function that ends this. */
  readonly passInterruptsOn: () => () => void;
  /** Calls the listener after every change of the window, even if the size stays the same. Returns an unsubscriber. */
  readonly onWindowChange: (listener: () => void) => () => void;
  readonly hasTitle: boolean;
  /** Maximum frames per second. */
  readonly framesPerSecond?: number;
}

/** How long to wait for further changes of the window, in milliseconds: resizing with the mouse sends many. */
const resizeDelayMs = 100;

/** Runs the board until it ends, and restores the terminal. The caller stops the monitor. */
export async function runBoard(options: BoardOptions): Promise<BoardEnd> {
  const { monitor, signal, stdin, stdout, terminal } = options;
  const keys = new KeyStream(stdin, runKeys);
  const ended = Promise.withResolvers<BoardEnd>();
  const end = (reason: BoardEnd['reason'], error: unknown = null): void => ended.resolve({ reason, error });
  const hangUp = (): void => end('hangup');
  const onAbort = (): void => end('stopped');
  keys.once('hangup', hangUp);
  keys.once('interrupt', () => end('interrupted'));
  // Assumed to be focused until the terminal reports otherwise.
  const terminalFocus = new Observable(true);
  keys.on('focus', (isFocused: boolean) => terminalFocus.set(isFocused));
  // A write to a closed terminal fails. This is not a bug.
  stdout.on('error', hangUp);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  const copyText = createCopyText(options.clipboards, (sequence) => terminal.write(sequence));
  let services: BoardServices = options;
  let background: Background | null = null;
  let isAsked = false;
  let shown: BoardServices = options;
  /** Asks for the background, on which the theme depends, when it is first needed. */
  const showServices = (next: BoardServices): void => {
    // Consoles that do not support titles do not support this query either.
    const isWanted = next.queriesBackground === true && next.colour && options.hasTitle;
    if (isWanted && !isAsked) terminal.askBackground();
    isAsked ||= isWanted;
    services = next;
    shown = isWanted && background !== null ? { ...next, theme: background === 'light' ? 'light' : undefined } : next;
  };
  keys.on('background', (answer: Background) => {
    if (answer === background) return;
    background = answer;
    showServices(services);
    mounted?.draw();
  });
  keys.on('answered', () => terminal.answered());
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
      services: () => shown,
      quit: (reason = 'quit') => end(reason),
      onError: (error) => end('error', error),
    });
  };
  showServices(options);
  // Must come before the first frame, so that the terminal does not echo typed keys.
  terminal.open(options);
  // Must come before the first frame, which would otherwise say that checks are stopped.
  monitor.start();
  let cancelRedraw = (): void => {};
  const stopWatchingWindow = options.onWindowChange(() => {
    cancelRedraw();
    cancelRedraw = options.clock.setTimer(resizeDelayMs, () => mounted?.redraw());
  });
  const stopReplacing = options.onReplaced?.((replacement) => {
    showServices({ ...services, ...replacement });
    mounted?.draw();
  });
  mount().catch((error: unknown) => end('error', error));
  const exit = await ended.promise;
  isLeaving = true;
  signal.removeEventListener('abort', onAbort);
  stopWatchingWindow();
  stopReplacing?.();
  cancelRedraw();
  keys.stop();
  if (exit.reason !== 'hangup') await terminal.whenSettled();
  // Must come before Ink is unmounted, so that its last frame is not shown.
  terminal.restore();
  mounted?.unmount();
  keys.destroy();
  if (exit.reason !== 'error' && mounted !== null) keepScreen(options, mounted);
  return exit;
}

function keepScreen({ keepScreen: keep, stdout }: BoardOptions, board: MountedBoard): void {
  const { columns, rows } = stdout;
  if (keep === undefined || columns === undefined || rows === undefined) return;
  const frame = board.lastFrame();
  if (frame !== null) keep({ frame, columns, rows });
}
