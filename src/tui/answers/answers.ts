import { useMemo } from 'react';
import { type Arrivals, arrivalLines, arrivalsOf } from '../../board/arrivals.ts';
import { type Statistics, statisticsOf } from '../../board/statistics.ts';
import { statisticsLines } from '../../board/statistics-table.ts';
import type { Board, Choice, OverlayContent } from '../board.ts';
import { overlayBelowHelp } from '../help/keys.ts';
import type { PaneSize } from '../layout.ts';
import { scrollWithin } from '../pane/frame.ts';
import type { UiState } from '../ui-state.ts';

/** Computes the open overlay, again whenever the list or the time changes. */
export function useAnswers(
  ui: UiState,
  parcels: Board['state']['parcels'],
  viewing: Board['viewing'],
): Pick<Board, 'arrivals' | 'statistics'> {
  const open = overlayBelowHelp(ui);
  const arrivals = useMemo(
    (): Arrivals | null => (open === 'arrivals' ? arrivalsOf(parcels, viewing) : null),
    [open, parcels, viewing],
  );
  const { now, zone } = viewing;
  const statistics = useMemo(
    (): Statistics | null =>
      open === 'statistics' ? statisticsOf(parcels, { by: 'courier', since: null, now, zone }) : null,
    [open, parcels, now, zone],
  );
  return { arrivals, statistics };
}

type AnswerSource = Pick<Board, 'arrivals' | 'change' | 'glyphs' | 'statistics' | 'ui' | 'viewing'>;

export function answerOverlay(
  name: 'arrivals' | 'statistics',
  { arrivals, change, glyphs, statistics, ui, viewing }: AnswerSource,
  size: PaneSize,
): OverlayContent {
  const { chosenRow: chosen } = ui;
  const scroll = scrollWithin(0, 0, size.height);
  const choice = (index: number, line: number | null): Choice => ({
    from: line ?? 0,
    to: line === null ? 0 : line + 1,
    why: null,
    run: () => change({ chosenRow: index }),
  });
  if (name === 'arrivals') {
    const texts = {
      title: 'Expected deliveries',
      status: `━ promised, ─ likely · ${arrivals?.dated ?? 0} with a date`,
    };
    if (arrivals === null) return { texts, lines: [], scroll };
    const choices = arrivals.days.map((_, index) => choice(index, index));
    return { texts, choices, lines: arrivalLines(arrivals, { ...viewing, ...size, chosen }), scroll };
  }
  const { delivered = 0, parcels = 0 } = statistics?.all ?? {};
  const texts = { title: 'Couriers', status: `${delivered} of ${parcels} delivered` };
  if (statistics === null) return { texts, lines: [], scroll };
  const { lineOf, lines } = statisticsLines(statistics, { ...size, chosen, glyphs });
  return { texts, choices: statistics.rows.map((_, index) => choice(index, lineOf(index))), lines, scroll };
}
