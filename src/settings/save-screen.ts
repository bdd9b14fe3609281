import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing } from '../lib/store-errors.ts';
import { removeFile, writeFileAtomically } from '../store/file/atomic-write.ts';
import { pathMark } from '../system/environment.ts';
import {
  type LastScreen,
  maxScreenBytes,
  mayOpenBoard,
  readSavedScreen,
  savedScreenFile,
  savedScreenText,
  startFingerprint,
} from '../system/saved-screen.ts';
import type { ProgramPaths } from './config-file.ts';
import type { Session } from './session/session.ts';

/** The machine's zone affects what the screen shows, but is not always in the arguments or environment. */
const machineZone = '/etc/localtime';

type SavedScreenContext = Pick<Session, 'configuration' | 'context' | 'paths'>;

/**
 * Saves the last screen for the next start, or removes the saved one if `keepScreen` is false. Never rejects or prints,
 * because the program also starts without it.
 * @param screen null if the screen showed something other than the board
 */
export async function saveScreen(session: SavedScreenContext, screen: LastScreen | null): Promise<void> {
  try {
    if (!session.configuration.keepScreen) await removeFile(pathOf(session));
    else if (screen !== null) await keep(session, screen);
  } catch {}
}

/**
 * Removes the saved screen if it is no longer wanted. Never rejects, because the screen would not be shown under other
 * settings anyway.
 */
export async function removeSavedScreen({ state }: Pick<ProgramPaths, 'state'>): Promise<void> {
  await removeFile(join(state, savedScreenFile)).catch(() => undefined);
}

const pathOf = ({ paths }: SavedScreenContext): string => join(paths.state, savedScreenFile);

async function keep(session: SavedScreenContext, { frame, columns, rows }: LastScreen): Promise<void> {
  const { context, paths } = session;
  if (context.platform === 'win32' || !mayOpenBoard(context.arguments)) return;
  const marks = new Map<string, string>();
  const { apiKey } = session.configuration;
  // In a database, the key decides whose parcels are shown.
  const ofKey = apiKey.kind === 'file' ? [apiKey.path] : [];
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
    await writeFileAtomically(pathOf(session), text, context.random);
}
