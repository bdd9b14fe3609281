import { describe, expect, it, onTestFinished } from 'vitest';
import { createStartProgress } from '../../../src/commands/board/start.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import type { ReadProgress } from '../../../src/store/store.ts';
import { createCliUser } from '../../support/cli-user.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { realClock } from '../../support/real-clock.ts';

const place = 'postgres://ann@nas/parcels';

/** Starts the progress line of a board in a window, with a slow store, and records what it shows. */
function begin({ columns = 80, isTerminal = true, kind = 'database', glyphs = 'symbols' } = {}) {
  const clock = createFakeClock();
  const stop = new AbortController();
  const shown: (string | null)[] = [];
  const listeners = new Set<(progress: ReadProgress) => void>();
  const progress = createStartProgress({
    configuration: { store: { kind, address: { place } } },
    context: {
      clock,
      signal: stop.signal,
      stdout: { columns, isTerminal },
      showStartProgress: (text: string | null) => shown.push(text),
    },
    style: { glyphs },
  } as unknown as Parameters<typeof createStartProgress>[0]);
  return {
    clock,
    progress,
    shown,
    stop,
    listeners,
    store: {
      onReading: (listener: (progress: ReadProgress) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    read: (read: number, total = 100_000) => {
      for (const listener of listeners) listener({ read, total });
    },
  };
}

describe('the progress line of a starting board', () => {
  it('appears after 300 ms, says what the board is waiting for, and is updated four times a second', async () => {
    const { clock, progress, read, shown, store } = begin();
    await clock.advance(299);
    expect(shown).toEqual([]);
    await clock.advance(1);
    expect(shown).toEqual([`Connecting to ${place}`]);
    progress.showReading(store);
    await clock.advance(250);
    read(1_024);
    await clock.advance(250);
    read(2_048);
    read(40_000);
    await clock.advance(249);
    expect(shown.slice(1)).toEqual(['Reading the watchlist', 'Reading the watchlist: 1,024 of 100,000 parcels']);
    await clock.advance(1000);
    progress.showSorting();
    expect(shown.slice(3)).toEqual(['Reading the watchlist: 40,000 of 100,000 parcels', 'Sorting the watchlist']);
    expect(clock.timers()).toBe(0);
  });

  it('does not appear if the start is faster', async () => {
    const { clock, listeners, progress, read, shown, store } = begin();
    progress.showReading(store);
    read(1_024);
    await clock.advance(299);
    progress.showSorting();
    await clock.advance(10_000);
    expect([shown, listeners.size, clock.timers()]).toEqual([[], 0, 0]);
  });

  it('is cleared when the start fails or is interrupted, and does not appear again', async () => {
    for (const end of ['failure', 'interrupt']) {
      const { clock, progress, shown, stop } = begin();
      await clock.advance(300);
      if (end === 'failure') progress.dismiss();
      else stop.abort();
      progress.showSorting();
      await clock.advance(10_000);
      expect(shown, end).toEqual([`Connecting to ${place}`, null]);
    }
  });

  it('is updated while the board reads its watchlist, until the screen opens', async () => {
    const user = await createCliUser();
    onTestFinished(() => user.remove());
    await user.run(['add', 'RB100000005CN']);
    const shown: (string | null)[] = [];
    let shownBeforeScreen: readonly (string | null)[] = [];
    const clock: Clock = {
      ...realClock,
      setTimer: (delayMs, callback) => {
        if (delayMs > 300) return realClock.setTimer(delayMs, callback);
        const immediate = setImmediate(callback);
        return () => clearImmediate(immediate);
      },
    };
    const { ended } = user.start([], clock, {
      showStartProgress: (text) => shown.push(text),
      async showBoard() {
        shownBeforeScreen = [...shown];
        return { reason: 'quit', error: null };
      },
    });
    expect(await ended).toBe(0);
    expect(shownBeforeScreen).toEqual(['Reading the watchlist', 'Sorting the watchlist']);
  });

  it('fits into the window, in ASCII if necessary', async () => {
    const narrow = begin({ columns: 40 });
    narrow.progress.showReading(narrow.store);
    narrow.read(40_000);
    await narrow.clock.advance(300);
    expect(narrow.shown).toEqual(['40,000 of 100,000 parcels read']);
    const ascii = begin({ columns: 21, glyphs: 'ascii' });
    await ascii.clock.advance(300);
    expect(ascii.shown).toEqual(['Connecting to postg>']);
  });

  it('does not appear before files are read, and never without a terminal', async () => {
    const files = begin({ kind: 'file' });
    await files.clock.advance(1_000);
    expect(files.shown).toEqual([]);
    files.progress.showReading({});
    await files.clock.advance(250);
    expect(files.shown).toEqual(['Reading the watchlist']);
    const piped = begin({ isTerminal: false });
    await piped.clock.advance(1_000);
    expect([piped.shown, piped.clock.timers()]).toEqual([[], 0]);
  });
});
