import { type Instance, render } from 'ink';
import { type ReactNode, useEffect } from 'react';
import type { Frame } from '../system/saved-screen.ts';
import type { Terminal } from '../system/terminal.ts';
import { App, type AppProps } from './app/app.tsx';
import type { KeyedBoard } from './app/keymap.ts';
import { finalFrame } from './app/screen.tsx';
import { FrameWriter, type TerminalOutput } from './terminal/frame-writer.ts';
import type { KeyStream } from './terminal/key-stream.ts';

interface MountOptions
  extends Omit<AppProps, 'isBlank' | 'keys' | 'onDrawn' | 'redraw' | 'services' | 'size' | 'terminal'> {
  readonly keys: KeyStream;
  readonly terminal: Terminal;
  readonly stdout: TerminalOutput;
  /** Maximum frames per second. */
  readonly framesPerSecond?: number | undefined;
  readonly services: () => AppProps['services'];
  readonly onError: (error: unknown) => void;
}

/** Twice the repeat rate of a held key, so that a key never waits for the previous frame. */
const defaultFramesPerSecond = 60;

/** How long Ink may take to report an error, in milliseconds. */
const inkErrorDelayMs = 500;

/** Detects that drawing failed, because Ink then unmounts its components without reporting an error. */
function UnmountWatch({ onGone, children }: { readonly onGone: () => void; readonly children: ReactNode }) {
  useEffect(() => onGone, [onGone]);
  return children;
}

export type MountedBoard = ReturnType<typeof mountBoard>;

export function mountBoard({
  framesPerSecond = defaultFramesPerSecond,
  keys,
  onError,
  services,
  stdout,
  terminal,
  ...props
}: MountOptions) {
  let isLeaving = false;
  let drawn: KeyedBoard | null = null;
  const onDrawn = (board: KeyedBoard): void => {
    drawn = board;
  };
  let goneTimer: NodeJS.Timeout | undefined;
  // Ink may report the cause of an error a little later.
  const onGone = (): void => {
    if (!isLeaving) goneTimer = setTimeout(() => onError(new Error('The screen could not be drawn.')), inkErrorDelayMs);
  };
  const frames = new FrameWriter(terminal, stdout, () => redraw());
  const app = (isBlank: boolean) => (
    <UnmountWatch onGone={onGone}>
      <App
        {...props}
        services={services()}
        size={{ columns: frames.columns, rows: frames.rows }}
        isBlank={isBlank}
        keys={keys}
        onDrawn={onDrawn}
        redraw={redrawSoon}
        terminal={terminal}
      />
    </UnmountWatch>
  );
  // Not inside a key handler, where React would delay drawing.
  const redrawSoon = (): void => void setImmediate(redraw);
  let ink: Instance | null = null;
  const draw = (isBlank: boolean): void => {
    ink?.rerender(app(isBlank));
    // Otherwise, Ink would react to a new window size too late.
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
    draw(false);
  };
  /**
   * Ink writes only changed rows. To make it write all of them, first draws a frame in which every row differs, without
   * output.
   */
  const redraw = (): void => {
    if (isLeaving) return;
    // After a different program had the terminal, Ink redraws everything by itself.
    if (terminal.isOurs) frames.discardOutput(() => draw(true));
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
      if (!isLeaving) ink?.rerender(app(false));
    },
    redraw,
    /** Unmounts Ink. Its last output is dropped, because the terminal has been restored. */
    unmount(): void {
      isLeaving = true;
      stdout.off('resize', redraw);
      try {
        ink?.unmount();
      } catch {
        // Drawing failed, but this was the last frame.
      } finally {
        clearTimeout(goneTimer);
      }
    },
    /** Returns the last frame, or null if it must not be saved. */
    lastFrame: (): Frame | null => (drawn === null ? null : finalFrame(drawn)),
  };
}
