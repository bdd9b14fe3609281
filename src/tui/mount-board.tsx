import { type Instance, render } from 'ink';
import { type ReactNode, useEffect } from 'react';
import type { Frame } from '../system/saved-frame.ts';
import type { Terminal } from '../system/terminal.ts';
import { App, type AppProps } from './app/app.tsx';
import { leftFrame } from './app/screen.tsx';
import type { Board } from './board.ts';
import { FrameWriter, type TerminalOutput } from './terminal/frame-writer.ts';
import type { KeyStream } from './terminal/key-stream.ts';

export interface MountOptions
  extends Omit<AppProps, 'isBlank' | 'keys' | 'onDrawn' | 'redraw' | 'services' | 'size' | 'terminal'> {
  readonly keys: KeyStream;
  readonly terminal: Terminal;
  readonly stdout: TerminalOutput;
  /** Frames a second at most; as many as a terminal needs when left out. */
  readonly framesPerSecond?: number | undefined;
  readonly services: () => AppProps['services'];
  readonly onError: (error: unknown) => void;
}

export interface MountedBoard {
  draw(): void;
  redraw(): void;
  /** Takes Ink down. What it still writes is not shown: the terminal was given back. */
  unmount(): void;
  /** The frame that it leaves behind; null while it shows something that is not to be kept. */
  left(): Frame | null;
}

/**
 * Frames a second at most; a board has news rarely, and keys are drawn at once. Twice as many as a held key repeats: with as
 * many, each press would come just behind the frame of the one before, and wait for as long as a frame.
 */
const usualFramesPerSecond = 60;

/** How long Ink may take to report an error, in milliseconds. */
const inkPatienceMs = 500;

/** Ink drops everything without a word when its own drawing fails, even that of an error; this notices. */
function Watched({ onGone, children }: { readonly onGone: () => void; readonly children: ReactNode }) {
  useEffect(() => onGone, [onGone]);
  return children;
}

export function mountBoard({
  framesPerSecond = usualFramesPerSecond,
  keys,
  onError,
  services,
  stdout,
  terminal,
  ...props
}: MountOptions): MountedBoard {
  let isLeaving = false;
  let drawn: Board | null = null;
  const onDrawn = (board: Board): void => {
    drawn = board;
  };
  let goneTimer: NodeJS.Timeout | undefined;
  // An error that Ink has noticed comes with its reason a moment later.
  const onGone = (): void => {
    if (!isLeaving) goneTimer = setTimeout(() => onError(new Error('The screen could not be drawn.')), inkPatienceMs);
  };
  const frames = new FrameWriter(terminal, stdout, () => redraw());
  const app = (isBlank: boolean) => (
    <Watched onGone={onGone}>
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
    </Watched>
  );
  // Not in the midst of handling a key, where React would draw later.
  const redrawSoon = (): void => void setImmediate(redraw);
  let ink: Instance | null = null;
  const draw = (isBlank: boolean): void => {
    ink?.rerender(app(isBlank));
    // What Ink does at once in a window of another size, it does later otherwise.
    frames.emit('resize');
  };
  const drawOver = (): void => {
    if (terminal.isOurs) {
      frames.beforeNext(() => {
        terminal.enter();
        // Where Ink is by then, at the end of those rows, with nothing below. The frame that follows ends the update that begins here.
        terminal.write(`\u001b[?2026l\u001b[?2026h\u001b[?25l\u001b[0m\u001b[${frames.rows};1H\u001b[J`);
      });
    }
    draw(false);
  };
  /**
   * Ink writes the rows that differ from those that it has drawn last. So it is made to draw rows that are not shown, and that
   * all differ from the board's: then it writes all rows.
   */
  const redraw = (): void => {
    if (isLeaving) return;
    // Where another has the terminal, Ink draws all of it by itself when it comes back.
    if (terminal.isOurs) frames.unseen(() => draw(true));
    drawOver();
  };
  frames.unseen(() => {
    ink = render(app(true), {
      stdin: keys as unknown as NodeJS.ReadStream,
      stdout: frames as unknown as NodeJS.WriteStream,
      // The terminal's owner enters it, since a frame of the last time may stand there.
      alternateScreen: false,
      interactive: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      maxFps: framesPerSecond,
    });
  });
  (ink as Instance | null)?.waitUntilExit().catch(onError);
  // Ink itself never draws a frame of the old size in the new window, where its rows would go on in the next ones.
  stdout.on('resize', redraw);
  drawOver();
  return {
    draw: () => {
      if (!isLeaving) ink?.rerender(app(false));
    },
    redraw,
    unmount() {
      isLeaving = true;
      stdout.off('resize', redraw);
      try {
        ink?.unmount();
      } catch {
        // The frame that cannot be drawn is the last one, which is not shown.
      } finally {
        clearTimeout(goneTimer);
      }
    },
    left: () => (drawn === null ? null : leftFrame(drawn)),
  };
}
