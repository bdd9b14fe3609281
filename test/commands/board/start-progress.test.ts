import { describe, expect, it, onTestFinished } from 'vitest';
import { createStartProgress } from '../../../src/commands/board/start-progress.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import type { ReadProgress } from '../../../src/store/store.ts';
import { createCliUser } from '../../support/cli-user.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { realClock } from '../../support/real-clock.ts';

const place = 'postgres://ann@nas/parcels';

/** A start in a window, the rows that it shows, and a slow store. */
function begin({ columns = 80, isTerminal = true, kind = 'database', glyphs = 'symbols' } = {}) {
  const clock = createFakeClock();
  const stop = new AbortController();
  const said: (string | null)[] = [];
  const listeners = new Set<(progress: ReadProgress) => void>();
  const progress = createStartProgress({
    configuration: { store: { kind, address: { place } } },
    context: {
      clock,
      signal: stop.signal,
      stdout: { columns, isTerminal },
      showStart: (text: string | null) => said.push(text),
    },
    style: { glyphs },
  } as unknown as Parameters<typeof createStartProgress>[0]);
  return {
    clock,
    progress,
    said,
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

describe('the start of a board', () => {
  it('shows after 300 ms what it waits for, and updates the progress four times a second', async () => {
    const { clock, progress, read, said, store } = begin();
    await clock.advance(299);
    expect(said).toEqual([]);
    await clock.advance(1);
    expect(said).toEqual([`Connecting to ${place}`]);
    progress.reading(store);
    await clock.advance(250);
    read(1_024);
    await clock.advance(250);
    read(2_048);
    read(40_000);
    await clock.advance(249);
    expect(said.slice(1)).toEqual(['Reading the watchlist', 'Reading the watchlist: 1,024 of 100,000 parcels']);
    await clock.advance(1000);
    progress.sorting();
    expect(said.slice(3)).toEqual(['Reading the watchlist: 40,000 of 100,000 parcels', 'Sorting the watchlist']);
    expect(clock.timers()).toBe(0);
  });

  it('shows nothing if it is faster', async () => {
    const { clock, listeners, progress, read, said, store } = begin();
    progress.reading(store);
    read(1_024);
    await clock.advance(299);
    progress.sorting();
    await clock.advance(10_000);
    expect([said, listeners.size, clock.timers()]).toEqual([[], 0, 0]);
  });

  it('clears its text when it fails or is interrupted, and shows nothing more', async () => {
    for (const end of ['failure', 'interrupt']) {
      const { clock, progress, said, stop } = begin();
      await clock.advance(300);
      if (end === 'failure') progress.giveUp();
      else stop.abort();
      progress.sorting();
      await clock.advance(10_000);
      expect(said, end).toEqual([`Connecting to ${place}`, null]);
    }
  });

  it('updates its progress while the board reads its watchlist, until the screen opens', async () => {
    const user = await createCliUser();
    onTestFinished(() => user.remove());
    await user.run(['add', 'RB100000005CN']);
    const said: (string | null)[] = [];
    let saidBefore: readonly (string | null)[] = [];
    const clock: Clock = {
      ...realClock,
      setTimer: (delayMs, callback) => {
        if (delayMs > 300) return realClock.setTimer(delayMs, callback);
        const turn = setImmediate(callback);
        return () => clearImmediate(turn);
      },
    };
    const { ended } = user.begin([], clock, {
      showStart: (text) => said.push(text),
      async showBoard() {
        saidBefore = [...said];
        return { reason: 'quit', error: null };
      },
    });
    expect(await ended).toBe(0);
    expect(saidBefore).toEqual(['Reading the watchlist', 'Sorting the watchlist']);
  });

  it('fits its text into the window, in ASCII if needed', async () => {
    const narrow = begin({ columns: 40 });
    narrow.progress.reading(narrow.store);
    narrow.read(40_000);
    await narrow.clock.advance(300);
    expect(narrow.said).toEqual(['40,000 of 100,000 parcels read']);
    const ascii = begin({ columns: 21, glyphs: 'ascii' });
    await ascii.clock.advance(300);
    expect(ascii.said).toEqual(['Connecting to postg>']);
  });

  it('shows nothing for files before they are read, and nothing without a terminal', async () => {
    const files = begin({ kind: 'file' });
    await files.clock.advance(1_000);
    expect(files.said).toEqual([]);
    files.progress.reading({});
    await files.clock.advance(250);
    expect(files.said).toEqual(['Reading the watchlist']);
    const piped = begin({ isTerminal: false });
    await piped.clock.advance(1_000);
    expect([piped.said, piped.clock.timers()]).toEqual([[], 0]);
  });
});
