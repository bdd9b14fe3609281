import { useEffect, useMemo, useState } from 'react';
import type { Line } from '../../board/text/line.ts';
import type { Monitor } from '../../polling/core/state.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { HistoryCache, type LoadedHistory } from './history-cache.ts';
import { noTimeline, type TimelineView, timelineText } from './timeline-text.ts';

/**
 * The lines of the selected parcel's timeline, its history read again when its record has news; of its last event alone
 * until the history is read for the first time.
 * @param view the same object while nothing of it changes
 * @param around read ahead, so that the next key finds their histories there
 */
export function useTimeline(
  monitor: Monitor,
  parcel: Parcel | null,
  around: readonly (Parcel | undefined)[],
  view: TimelineView,
): readonly Line[] {
  const histories = useMemo(() => new HistoryCache(monitor), [monitor]);
  const [, setRead] = useState<LoadedHistory | null>(null);
  const neighbours = around.filter((neighbour) => neighbour !== undefined);
  const aroundIds = neighbours.map((neighbour) => neighbour.id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: neighbours count by who they are, not by their records
  useEffect(() => {
    let isWanted = true;
    const prepare = async (neighbour: Parcel): Promise<void> => {
      if (histories.peek(neighbour) === null) await histories.load(neighbour);
    };
    const prepareNeighbours = (): void => {
      for (const neighbour of neighbours) {
        if (isWanted) setImmediate(() => void prepare(neighbour));
      }
    };
    if (parcel === null || histories.isFresh(parcel)) {
      prepareNeighbours();
    } else {
      void histories.load(parcel).then((loaded) => {
        if (isWanted) setRead(loaded);
        prepareNeighbours();
      });
    }
    return () => {
      isWanted = false;
    };
  }, [histories, parcel, aroundIds]);
  const whole = parcel === null ? null : histories.wholeOf(parcel);
  const loaded = parcel === null ? null : histories.peek(parcel);
  return useMemo(() => (whole === null ? noTimeline : timelineText(whole, loaded, view)), [whole, loaded, view]);
}
