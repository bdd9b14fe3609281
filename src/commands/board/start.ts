import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cellWidth, fitText } from '../../lib/cells.ts';
import { printableText } from '../../lib/clean-text.ts';
import { type CancelTimer, sleep } from '../../lib/clock.ts';
import { inGlyphs } from '../../lib/paint.ts';
import { nullIfMissing, StoreError } from '../../lib/store-errors.ts';
import type { ProgramPaths } from '../../settings/config-file.ts';
import { type OpenedSession, printNote, type Session } from '../../settings/session/session.ts';
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

/** The machine's zone affects what the screen shows, but is not always in the arguments or environment. */
const machineZone = '/etc/localtime';

/**
 * Saves the last screen for the next start, or removes the saved one if `keepScreen` is false. Never rejects or prints,
 * because the program also starts without it.
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
    const ofKey = apiKey.kind === 'file' ? [apiKey.path] : [];
    const marks = new Map<string, string>();
    for (const path of [paths.config, paths.data, machineZone, ...ofKey]) {
      marks.set(path, pathMark((await nullIfMissing(stat(path))) ?? undefined));
    }
    const { arguments: given, environment, version } = context;
    const fit = startFingerprint({ arguments: given, environment, version, columns, rows });
    const seen = [...marks].map(([path, mark]) => ({ path, mark }));
    const text = savedScreenText({ ...frame, seen }, fit);
    const markOf = (path: string): string => marks.get(path) ?? '';
    const isShown = readSavedScreen(text, { fit, maxRows: rows, now: frame.keptAt, markOf }) !== null;
    if (isShown && Buffer.byteLength(text) <= maxScreenBytes)
      await writeFileAtomically(join(paths.state, savedScreenFile), text, context.random);
  } catch {}
}

/**
 * Removes the saved screen if it is no longer wanted. Never rejects, because the screen would not be shown under other
 * settings anyway.
 */
export async function removeSavedScreen({ state }: Pick<ProgramPaths, 'state'>): Promise<void> {
  await removeFile(join(state, savedScreenFile)).catch(() => undefined);
}
