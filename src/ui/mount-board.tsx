import { type Instance, render } from 'ink';
import { type ReactNode, useEffect } from 'react';
import { App, type AppProps } from './app/app.tsx';
import type { KeyStream } from './terminal/key-stream.ts';
import type { ScreenStream } from './terminal/screen-stream.ts';

/** What the board is mounted with; what changes later is given with each drawing. */
export interface MountOptions extends Omit<AppProps, 'isBlank' | 'keys' | 'services' | 'size'> {
  readonly keys: KeyStream;
  readonly screen: ScreenStream;
  /** Frames a second at most; as many as a terminal needs when left out. */
  readonly framesPerSecond?: number | undefined;
  /** As they are now. */
  readonly services: () => AppProps['services'];
  /** Called when the screen cannot be drawn any more, with the reason. */
  readonly onError: (error: unknown) => void;
}

/** A board that Ink draws. */
export interface MountedBoard {
  /** Draws it in a window of another size, or with other services. */
  draw(): void;
  /** Draws all of it, whatever stands on the screen. */
  redraw(): Promise<void>;
  /** Takes Ink down; answers whether it has restored the terminal, which it does not when its last frame fails. */
  unmount(): Promise<boolean>;
}

/**
 * Frames a second at most; a board has news rarely, and keys are drawn at once. Twice as many as a held key repeats: with as
 * many, each press would come just behind the frame of the one before, and wait for as long as a frame.
 */
const usualFramesPerSecond = 60;

/** How long Ink may take to report an error, and to leave the screen, in milliseconds. */
const inkPatienceMs = 500;

/** Ink drops everything without a word when its own drawing fails, even that of an error; this notices. */
function Watched({ onGone, children }: { readonly onGone: () => void; readonly children: ReactNode }) {
  useEffect(() => onGone, [onGone]);
  return children;
}

/** Mounts Ink: the one place that does. It takes over what stands on the screen. */
export function mountBoard({
  framesPerSecond = usualFramesPerSecond,
  keys,
  onError,
  screen,
  services,
  ...props
}: MountOptions): MountedBoard {
  let goneTimer: NodeJS.Timeout | undefined;
  // An error that Ink has noticed comes with its reason a moment later.
  const onGone = (): void => {
    goneTimer = setTimeout(() => onError(new Error('The screen cannot be drawn.')), inkPatienceMs);
  };
  const app = (isBlank: boolean) => (
    <Watched onGone={onGone}>
      <App
        {...props}
        services={services()}
        size={{ columns: screen.columns, rows: screen.rows }}
        isBlank={isBlank}
        keys={keys}
      />
    </Watched>
  );
  const ink = render(app(false), {
    stdin: keys as unknown as NodeJS.ReadStream,
    stdout: screen as unknown as NodeJS.WriteStream,
    alternateScreen: true,
    interactive: true,
    // The stream compares frames, with whatever stands on the screen.
    incrementalRendering: false,
    exitOnCtrlC: false,
    maxFps: framesPerSecond,
  });
  const unmounted = ink.waitUntilExit();
  unmounted.catch(onError);
  let isLeaving = false;
  return {
    draw() {
      if (!isLeaving) ink.rerender(app(false));
    },
    // Ink leaves out what it has drawn before; behind a blank frame it has to draw everything.
    async redraw() {
      screen.forget();
      ink.rerender(app(true));
      await ink.waitUntilRenderFlush();
      if (!isLeaving) ink.rerender(app(false));
    },
    async unmount() {
      isLeaving = true;
      try {
        return await hasUnmounted(ink, unmounted);
      } finally {
        clearTimeout(goneTimer);
      }
    },
  };
}

async function hasUnmounted(ink: Instance, unmounted: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, inkPatienceMs, false);
  });
  const settled = unmounted.then(
    () => true,
    // Told by whoever waits for the end of the board.
    () => true,
  );
  try {
    ink.unmount();
    return await Promise.race([settled, tooLong]);
  } catch {
    // The frame that cannot be drawn is the last one: nobody misses it.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
