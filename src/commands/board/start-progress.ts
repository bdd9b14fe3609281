import { cellWidth, fitText } from '../../lib/cells.ts';
import { printableText } from '../../lib/clean-text.ts';
import type { CancelTimer } from '../../lib/clock.ts';
import { inGlyphs } from '../../lib/paint.ts';
import type { Session } from '../../settings/session/session.ts';
import type { ReadProgress, WatchlistStore } from '../../store/store.ts';

/** In milliseconds. A shorter start says nothing. */
const patienceMs = 300;
const stepMs = 250;

export interface StartProgress {
  reading(store: Pick<WatchlistStore, 'onReading'>): void;
  away(pauseMs: number): void;
  /** Stays until the first frame replaces it. */
  sorting(): void;
  giveUp(): void;
}

export function createStartProgress({
  configuration,
  context,
  style,
}: Pick<Session, 'configuration' | 'context' | 'style'>): StartProgress {
  const { clock, signal, stdout, tellStart } = context;
  if (tellStart === undefined || !stdout.isTerminal) {
    return { reading: () => undefined, away: () => undefined, sorting: () => undefined, giveUp: () => undefined };
  }
  const { store: choice } = configuration;
  let text: readonly string[] = choice.kind === 'file' ? [] : [`Connecting to ${printableText(choice.address.place)}`];
  let said: readonly string[] = [];
  let cancel: CancelTimer = () => undefined;
  let stopListening = (): void => undefined;
  const say = (): void => {
    if (text === said || text.length === 0) return;
    said = text;
    tellStart(inGlyphs(fitting(text, stdout.columns ?? 80), style.glyphs));
  };
  const sayAgain = (): void => {
    say();
    cancel = clock.setTimer(stepMs, sayAgain);
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
    tellStart(null);
  };
  signal.addEventListener('abort', giveUp, { once: true });
  cancel = clock.setTimer(patienceMs, sayAgain);
  return {
    reading(store) {
      text = readingTexts(null);
      stopListening();
      stopListening =
        store.onReading?.((progress) => {
          text = readingTexts(progress);
        }) ?? stopListening;
    },
    away(pauseMs) {
      const when = `trying again in ${pauseMs / 1_000} s. q quits`;
      const place = choice.kind === 'file' ? 'The watchlist' : printableText(choice.address.place);
      text = [`${place} cannot be reached; ${when}`, `No database; ${when}`, 'No database. q quits'];
    },
    sorting() {
      if (isOver) return;
      stop();
      text = ['Sorting the watchlist'];
      if (said.length > 0) say();
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

/** A row as wide as the window would wrap. */
function fitting(texts: readonly string[], columns: number): string {
  const width = Math.max(1, columns - 1);
  const text = texts.find((one) => cellWidth(one) <= width) ?? texts.at(-1) ?? '';
  return fitText(text, width).trimEnd();
}
