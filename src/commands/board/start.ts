import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cellWidth, fitText } from '../../lib/cells.ts';
import { printableText } from '../../lib/clean-text.ts';
import { type CancelTimer, sleep } from '../../lib/clock.ts';
import { inGlyphs } from '../../lib/paint.ts';
import { nullIfMissing, StoreError } from '../../lib/store-errors.ts';
import type { ProgramPaths } from '../../settings/config-file.ts';
import { printNote } from '../../settings/session/output.ts';
import type { OpenedSession, Session } from '../../settings/session/session.ts';
import { removeFile, writeFileAtomically } from '../../store/file/atomic-write.ts';
import type { ReadProgress, WatchlistStore } from '../../store/store.ts';
import { pathMark } from '../../system/environment.ts';
import {
  type LastScreen,
  maxScreenBytes,
  mayOpenBoard,
  readSavedScreen,
  savedScreenFile,
  savedScreenText,
  startFingerprint,
} from '../../system/saved-screen.ts';

/** A start that is faster than this shows no progress. */
const progressDelayMs = 300;
const redrawMs = 250;

export type StartProgress = ReturnType<typeof createStartProgress>;

/** Shows the progress of a slow start on one line of the terminal. */
export function createStartProgress({
  configuration,
  context,
  style,
}: Pick<Session, 'configuration' | 'context' | 'style'>) {
  const { clock, signal, stdout, showStartProgress } = context;
  if (showStartProgress === undefined || !stdout.isTerminal) {
    const noop = () => undefined;
    return { showReading: noop, showUnreachable: noop, showSorting: noop, dismiss: noop };
  }
  const { store: choice } = configuration;
  let texts: readonly string[] = choice.kind === 'file' ? [] : [`Connecting to ${printableText(choice.address.place)}`];
  let shownTexts: readonly string[] = [];
  let cancel: CancelTimer = () => undefined;
  let stopListening = (): void => undefined;
  const show = (): void => {
    if (texts === shownTexts || texts.length === 0) return;
    shownTexts = texts;
    showStartProgress(inGlyphs(fitToWidth(texts, stdout.columns ?? 80), style.glyphs));
  };
  const redraw = (): void => {
    show();
    cancel = clock.setTimer(redrawMs, redraw);
  };
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    cancel();
    stopListening();
    signal.removeEventListener('abort', dismiss);
  };
  const dismiss = (): void => {
    stop();
    showStartProgress(null);
  };
  signal.addEventListener('abort', dismiss, { once: true });
  cancel = clock.setTimer(progressDelayMs, redraw);
  return {
    showReading(store: Pick<WatchlistStore, 'onReading'>): void {
      texts = readingTexts(null);
      stopListening();
      stopListening =
        store.onReading?.((progress) => {
          texts = readingTexts(progress);
        }) ?? stopListening;
    },
    showUnreachable(pauseMs: number): void {
      const retry = `Retrying in ${pauseMs / 1_000} s; q quits`;
      const place = choice.kind === 'file' ? 'the watchlist' : printableText(choice.address.place);
      texts = [`Cannot reach ${place}. ${retry}`, `No database. ${retry}`, 'No database. q quits'];
    },
    /** This line stays until the first frame replaces it. */
    showSorting(): void {
      if (isStopped) return;
      stop();
      texts = ['Sorting the watchlist'];
      if (shownTexts.length > 0) show();
    },
    dismiss,
  };
}

function readingTexts(progress: ReadProgress | null): readonly string[] {
  const what = 'Reading the watchlist';
  if (progress === null) return [what];
  const formatCount = (count: number): string => count.toLocaleString('en');
  const parcels = `${formatCount(progress.read)} of ${formatCount(progress.total)} parcels`;
  return [`${what}: ${parcels}`, `${parcels} read`];
}

/** Returns a line that is narrower than the window, because a line of the full width would wrap. */
function fitToWidth(texts: readonly string[], columns: number): string {
  const width = Math.max(1, columns - 1);
  const text = texts.find((text) => cellWidth(text) <= width) ?? texts.at(-1) ?? '';
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
  firstSession: OpenedSession,
  progress: Pick<StartProgress, 'showUnreachable'>,
  open: (session: OpenedSession) => Promise<Opened>,
): Promise<Opened | null> {
  const { context } = firstSession;
  const quit = new AbortController();
  const stopSignal = AbortSignal.any([context.signal, quit.signal]);
  let session = firstSession;
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      try {
        return await open(session);
      } catch (error) {
        if (stopSignal.aborted && pauseMs > firstPauseMs) return null;
        if (!isUnreachable(error)) throw error;
        if (context.showStartProgress === undefined && pauseMs === firstPauseMs)
          printNote(context, (error as StoreError).message);
      }
      progress.showUnreachable(pauseMs);
      context.onStartQuit?.(() => quit.abort());
      if (!(await sleep(context.clock, pauseMs, stopSignal))) return null;
      const key = await session.apiKey().catch(() => null);
      if (session !== firstSession) await session.close();
      session = await session.reload(() => key);
    }
  } finally {
    context.onStartQuit?.(null);
  }
}

/** The system's time zone affects what the screen shows, but is not always in the arguments or environment. */
const localTimeFile = '/etc/localtime';

/**
 * Saves the last screen for the next start, or removes the saved one if `keepScreen` is false. Never rejects or prints,
 * because the program can start without it.
 * @param screen null if the screen showed something other than the board
 */
export async function saveScreen(
  { configuration, context, paths }: Pick<Session, 'configuration' | 'context' | 'paths'>,
  screen: LastScreen | null,
): Promise<void> {
  if (!configuration.keepScreen) return await removeSavedScreen(paths);
  if (screen === null || context.platform === 'win32' || !mayOpenBoard(context.arguments)) return;
  try {
    const { columns, frame, rows } = screen;
    const { apiKey } = configuration;
    // In a database, the key decides whose parcels are shown.
    const keyFiles = apiKey.kind === 'file' ? [apiKey.path] : [];
    const marks = new Map<string, string>();
    for (const path of [paths.config, paths.data, localTimeFile, ...keyFiles]) {
      marks.set(path, pathMark((await nullIfMissing(stat(path))) ?? undefined));
    }
    const { arguments: commandLine, environment, version } = context;
    const fingerprint = startFingerprint({ arguments: commandLine, environment, version, columns, rows });
    const seen = [...marks].map(([path, mark]) => ({ path, mark }));
    const text = savedScreenText({ ...frame, seen }, fingerprint);
    const markOf = (path: string): string => marks.get(path) ?? '';
    const isShown = readSavedScreen(text, { fit: fingerprint, maxRows: rows, now: frame.keptAt, markOf }) !== null;
    if (isShown && Buffer.byteLength(text) <= maxScreenBytes)
      await writeFileAtomically(join(paths.state, savedScreenFile), text, context.random);
  } catch {}
}

/**
 * Never rejects, because the next start ignores a screen that was saved under different settings.
 */
export async function removeSavedScreen({ state }: Pick<ProgramPaths, 'state'>): Promise<void> {
  await removeFile(join(state, savedScreenFile)).catch(() => undefined);
}
