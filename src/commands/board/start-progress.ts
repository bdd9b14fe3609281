import { cellWidth, fitText } from '../../lib/cells.ts';
import { printableText } from '../../lib/clean-text.ts';
import { type CancelTimer, sleep } from '../../lib/clock.ts';
import { inGlyphs } from '../../lib/paint.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { type OpenedSession, printNote, type Session } from '../../settings/session/session.ts';
import type { ReadProgress, WatchlistStore } from '../../store/store.ts';

/** Nothing is shown if the board starts faster than this. */
const patienceMs = 300;
const stepMs = 250;

export type StartProgress = ReturnType<typeof createStartProgress>;

/** Shows the progress of a slow start on one line of the terminal. */
export function createStartProgress({
  configuration,
  context,
  style,
}: Pick<Session, 'configuration' | 'context' | 'style'>) {
  const { clock, signal, stdout, showStart } = context;
  if (showStart === undefined || !stdout.isTerminal) {
    const nothing = () => undefined;
    return { reading: nothing, away: nothing, sorting: nothing, giveUp: nothing };
  }
  const { store: choice } = configuration;
  let text: readonly string[] = choice.kind === 'file' ? [] : [`Connecting to ${printableText(choice.address.place)}`];
  let lines: readonly string[] = [];
  let cancel: CancelTimer = () => undefined;
  let stopListening = (): void => undefined;
  const show = (): void => {
    if (text === lines || text.length === 0) return;
    lines = text;
    showStart(inGlyphs(fittingText(text, stdout.columns ?? 80), style.glyphs));
  };
  const showAgain = (): void => {
    show();
    cancel = clock.setTimer(stepMs, showAgain);
  };
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    cancel();
    stopListening();
    signal.removeEventListener('abort', giveUp);
  };
  const giveUp = (): void => {
    stop();
    showStart(null);
  };
  signal.addEventListener('abort', giveUp, { once: true });
  cancel = clock.setTimer(patienceMs, showAgain);
  return {
    reading(store: Pick<WatchlistStore, 'onReading'>): void {
      text = readingTexts(null);
      stopListening();
      stopListening =
        store.onReading?.((progress) => {
          text = readingTexts(progress);
        }) ?? stopListening;
    },
    away(pauseMs: number): void {
      const retry = `Retrying in ${pauseMs / 1_000} s; q quits`;
      const place = choice.kind === 'file' ? 'the watchlist' : printableText(choice.address.place);
      text = [`Cannot reach ${place}. ${retry}`, `No database. ${retry}`, 'No database. q quits'];
    },
    /** This line stays until the first frame replaces it. */
    sorting(): void {
      if (isOver) return;
      stop();
      text = ['Sorting the watchlist'];
      if (lines.length > 0) show();
    },
    giveUp,
  };
}

function readingTexts(progress: ReadProgress | null): readonly string[] {
  const what = 'Reading the watchlist';
  if (progress === null) return [what];
  const counted = (count: number): string => count.toLocaleString('en');
  const parcels = `${counted(progress.read)} of ${counted(progress.total)} parcels`;
  return [`${what}: ${parcels}`, `${parcels} read`];
}

/** Returns a line that is narrower than the window, because a line of the full width would wrap. */
function fittingText(texts: readonly string[], columns: number): string {
  const width = Math.max(1, columns - 1);
  const text = texts.find((one) => cellWidth(one) <= width) ?? texts.at(-1) ?? '';
  return fitText(text, width).trimEnd();
}

/** Each pause is twice as long as the one before. */
const firstPauseMs = 1_000;
const maxPauseMs = 30_000;

const isUnreachable = (error: unknown): boolean => error instanceof StoreError && error.kind === 'cut-off';

/**
 * Retries while the store cannot be reached, and reads the settings again before each retry. Returns null if the user
 * quits or a signal arrives. Throws any other error from `open`.
 */
export async function openWhenReachable<Opened>(
  first: OpenedSession,
  progress: Pick<StartProgress, 'away'>,
  open: (session: OpenedSession) => Promise<Opened>,
): Promise<Opened | null> {
  const { context } = first;
  const quit = new AbortController();
  const ended = AbortSignal.any([context.signal, quit.signal]);
  let session = first;
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      try {
        return await open(session);
      } catch (error) {
        if (ended.aborted && pauseMs > firstPauseMs) return null;
        if (!isUnreachable(error)) throw error;
        if (context.showStart === undefined && pauseMs === firstPauseMs)
          printNote(context, (error as StoreError).message);
      }
      progress.away(pauseMs);
      context.onStartQuit?.(() => quit.abort());
      if (!(await sleep(context.clock, pauseMs, ended))) return null;
      const key = await session.apiKey().catch(() => null);
      if (session !== first) await session.close();
      session = await session.reread(() => key);
    }
  } finally {
    context.onStartQuit?.(null);
  }
}
