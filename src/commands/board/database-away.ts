import { sleep } from '../../lib/clock.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { type OpenedSession, say } from '../../settings/session/session.ts';
import type { Backing } from './backing.ts';
import type { StartProgress } from './start-progress.ts';

/** In milliseconds; each pause is twice the one before. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

const isAway = (error: unknown): boolean => error instanceof StoreError && error.kind === 'cut-off';

/**
 * Reads the settings again before each try. Returns null when q or a signal
 * ended it. Throws any other failure of `open`.
 */
export async function openWhenReachable(
  first: OpenedSession,
  progress: Pick<StartProgress, 'away'>,
  open: (session: OpenedSession) => Promise<Backing>,
): Promise<Backing | null> {
  const { context } = first;
  const quit = new AbortController();
  const ended = AbortSignal.any([context.signal, quit.signal]);
  let session = first;
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await open(session);
      } catch (error) {
        if (ended.aborted && pauseMs > firstPauseMs) return null;
        if (!isAway(error)) throw error;
        if (context.tellStart === undefined && pauseMs === firstPauseMs) say(context, (error as StoreError).message);
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
