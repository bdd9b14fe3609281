import { largeWatchlistAdvice } from '../../board/status/large-watchlist.ts';
import type { Monitor } from '../../polling/core/state.ts';
import type { Stores } from '../session/opened-stores.ts';

/** Says on the board, once, that the watchlist has become too long for one file: now, or as soon as it has. No list is too long for a database. */
export function tellOfLargeWatchlist(
  monitor: Pick<Monitor, 'getState' | 'subscribe' | 'notify'>,
  { files }: Pick<Stores, 'files'>,
): void {
  if (files === null) return;
  const look = (): void => {
    const advice = largeWatchlistAdvice(monitor.getState().parcels.length);
    if (advice === null) return;
    // Before the notice, which is a change of the state as well.
    stop();
    monitor.notify(advice);
  };
  const stop = monitor.subscribe(look);
  look();
}
