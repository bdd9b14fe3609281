import { type Instance, render } from 'ink';
import { type ReactNode, useEffect } from 'react';
import { Observable } from '../lib/async.ts';
import type { BoardEnd, BoardRequest } from '../settings/session/context.ts';
import type { Terminal } from '../system/terminal.ts';
import { App, type AppProps } from './app/app.tsx';
import { type KeyedBoard, runKeys } from './app/keymap.ts';
import { finalFrame } from './app/screen.tsx';
import type { BoardServices } from './board.ts';
import { FrameWriter, type TerminalOutput } from './terminal/frame-writer.ts';
import type { Background } from './terminal/input-tokens.ts';
import { KeyStream, type TerminalInput } from './terminal/key-stream.ts';

export interface BoardOptions extends BoardServices, Pick<BoardRequest, 'keepScreen' | 'onReplaced' | 'signal'> {
  readonly terminal: Terminal;
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly writeLater: (text: string) => void;
  /** Leaves Ctrl+C to the child process that uses the terminal. Returns a function that ends this. */
  readonly passInterruptsOn: () => () => void;
  /** Calls the listener after every window change, even if the size stays the same. Returns an unsubscriber. */
  readonly onWindowChange: (listener: () => void) => () => void;
  readonly hasTitle: boolean;
  /** Maximum frames per second. */
  readonly framesPerSecond?: number;
}

/** Twice the repeat rate of a held key, so that a key never waits for the previous frame. */
const defaultFramesPerSecond = 60;

/** How long to wait for further window changes, in milliseconds: resizing with the mouse causes many. */
const resizeDelayMs = 100;

/** How long Ink may take to report an error, in milliseconds. */
const inkErrorDelayMs = 500;

/** Runs the board until it ends, and restores the terminal. The caller stops the monitor. */
export async function runBoard(options: BoardOptions): Promise<BoardEnd> {
  const { monitor, signal, stdin, stdout, terminal } = options;
  if (signal.aborted) return { reason: 'stopped', error: null };
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

  let services: BoardServices = options;
  let background: Background | null = null;
  let hasQueriedBackground = false;
  // Consoles that do not support titles do not support this query either.
  const isBackgroundWanted = (): boolean => services.queriesBackground === true && services.colour && options.hasTitle;
  /** Queries the terminal's background, which decides the theme, when it is first needed. */
  const queryBackground = (): void => {
    if (hasQueriedBackground || !isBackgroundWanted()) return;
    hasQueriedBackground = true;
    terminal.queryBackground();
  };
  const themedServices = (): BoardServices =>
    isBackgroundWanted() && background !== null
      ? { ...services, theme: background === 'light' ? 'light' : undefined }
      : services;
  let lastBoard: KeyedBoard | null = null;
  queryBackground();
  // Must come before the first frame, so that the terminal does not echo typed keys.
  terminal.open(options);
  // Must come before the first frame, which would otherwise say that checks are stopped.
  monitor.start();
  const screen = mount(options, keys, (error) => end('error', error), {
    services: themedServices,
    terminalFocus,
    quit: (reason = 'quit') => end(reason),
    onDrawn: (board) => {
      lastBoard = board;
    },
  });
  keys.on('background', (reported: Background) => {
    if (reported === background) return;
    background = reported;
    screen.draw();
  });
  keys.on('answered', () => terminal.finishQueries());
  let cancelRedraw = (): void => {};
  const stopWatchingWindow = options.onWindowChange(() => {
    cancelRedraw();
    cancelRedraw = options.clock.setTimer(resizeDelayMs, screen.redraw);
  });
  const stopReplacing = options.onReplaced?.((replacement) => {
    services = { ...services, ...replacement };
    queryBackground();
    screen.draw();
  });
  const exit = await ended.promise;
  signal.removeEventListener('abort', onAbort);
  stopWatchingWindow();
  stopReplacing?.();
  cancelRedraw();
  keys.stop();
  if (exit.reason !== 'hangup') await terminal.whenSettled();
  // Must come before Ink is unmounted, so that Ink's last output is dropped.
  terminal.restore();
  screen.unmount();
  keys.destroy();
  if (exit.reason !== 'error' && lastBoard !== null) keepScreen(options, lastBoard);
  return exit;
}

function keepScreen({ keepScreen: keep, stdout }: BoardOptions, board: KeyedBoard): void {
  const { columns, rows } = stdout;
  if (keep === undefined || columns === undefined || rows === undefined) return;
  const frame = finalFrame(board);
  if (frame !== null) keep({ frame, columns, rows });
}

/** Detects a failure to draw: Ink then unmounts its components without reporting an error. */
function UnmountWatch({ onUnmount, children }: { readonly onUnmount: () => void; readonly children: ReactNode }) {
  useEffect(() => onUnmount, [onUnmount]);
  return children;
}

interface MountOptions extends Pick<AppProps, 'onDrawn' | 'quit' | 'terminalFocus'> {
  readonly services: () => BoardServices;
}

function mount(
  { framesPerSecond = defaultFramesPerSecond, stdout, terminal }: BoardOptions,
  keys: KeyStream,
  onError: (error: unknown) => void,
  { services, ...props }: MountOptions,
) {
  let isUnmounting = false;
  let errorTimer: NodeJS.Timeout | undefined;
  // Ink may report the cause of an error a little later.
  const onGone = (): void => {
    if (!isUnmounting)
      errorTimer = setTimeout(() => onError(new Error('The screen could not be drawn.')), inkErrorDelayMs);
  };
  const frames = new FrameWriter(terminal, stdout, () => redraw());
  // Later, because React delays drawing inside a key handler.
  const redrawSoon = (): void => void setImmediate(redraw);
  const app = (isBlank: boolean) => (
    <UnmountWatch onUnmount={onGone}>
      <App
        {...props}
        services={services()}
        size={{ columns: frames.columns, rows: frames.rows }}
        isBlank={isBlank}
        keys={keys}
        redraw={redrawSoon}
        terminal={terminal}
      />
    </UnmountWatch>
  );
  let ink: Instance | null = null;
  const drawAll = (isBlank: boolean): void => {
    ink?.rerender(app(isBlank));
    // Without this, Ink would notice a new window size too late.
    frames.emit('resize');
  };
  const drawOver = (): void => {
    if (terminal.isOurs) {
      frames.beforeNext(() => {
        terminal.enter();
        // Moves the cursor to where Ink expects it, after its last row. The next frame completes this update.
        terminal.write(`\u001b[?2026l\u001b[?2026h\u001b[?25l\u001b[0m\u001b[${frames.rows};1H\u001b[J`);
      });
    }
    drawAll(false);
  };
  /**
   * Ink writes only changed rows. To make it write all of them, first draws a frame in which every row differs, without
   * output.
   */
  const redraw = (): void => {
    if (isUnmounting) return;
    // After a different program had the terminal, Ink redraws everything by itself.
    if (terminal.isOurs) frames.discardOutput(() => drawAll(true));
    drawOver();
  };
  frames.discardOutput(() => {
    ink = render(app(true), {
      stdin: keys as unknown as NodeJS.ReadStream,
      stdout: frames as unknown as NodeJS.WriteStream,
      // `Terminal` switches to the alternate screen, because the saved screen may already be visible there.
      alternateScreen: false,
      interactive: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      maxFps: framesPerSecond,
    });
  });
  (ink as Instance | null)?.waitUntilExit().catch(onError);
  // Ink must never draw a frame of the old size into the new window.
  stdout.on('resize', redraw);
  drawOver();
  return {
    draw: (): void => {
      if (!isUnmounting) ink?.rerender(app(false));
    },
    redraw,
    /** Unmounts Ink. Its last output is dropped, because the terminal has been restored. */
    unmount(): void {
      isUnmounting = true;
      stdout.off('resize', redraw);
      try {
        ink?.unmount();
      } catch {
        // Drawing failed, but this was the last frame.
      } finally {
        clearTimeout(errorTimer);
      }
    },
  };
}
