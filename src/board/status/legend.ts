import type { EpochMs } from '../../lib/clock.ts';
import type { Segment } from '../../lib/paint.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { type StaleReason, staleReason } from '../../parcels/parcel-stage.ts';
import { stageTable } from '../../parcels/stages.ts';
import { eventLook } from '../journey.ts';

/** Symbols of one cell in front of the stage's symbol. */
export const rowSymbols = {
  selected: '▌',
  marked: '■',
  unread: '•',
} as const;

export type Freshness = 'fresh' | 'checking' | StaleReason;

/** `checking`: a call is in progress. A rejected parcel counts as fresh, because its stage already says so. */
export function freshness(parcel: Parcel, now: EpochMs, checking: boolean): Freshness {
  if (checking) return 'checking';
  if (parcel.registration === 'rejected') return 'fresh';
  return staleReason(parcel, now) ?? 'fresh';
}

interface FreshnessLook {
  /** One cell. */
  readonly symbol: string;
  readonly word: string;
  /** Shown after the status if no column shows `word`. */
  readonly remark: string;
}

export const freshnessLooks: Readonly<Record<Freshness, FreshnessLook>> = {
  fresh: { symbol: ' ', word: '', remark: '' },
  checking: { symbol: '↻', word: 'now', remark: '' },
  failed: { symbol: '✗', word: 'failed', remark: 'check failed' },
  late: { symbol: '◔', word: 'late', remark: 'check late' },
  doubtful: { symbol: '≋', word: 'old?', remark: 'may be old' },
};

interface LegendEntry {
  readonly symbol: Segment;
  readonly meaning: string;
}

export interface LegendGroup {
  readonly title: string;
  readonly entries: readonly LegendEntry[];
}

export function legend(): readonly LegendGroup[] {
  const accented = (text: string, meaning: string): LegendEntry => ({
    symbol: { text, tone: 'accent', bold: true },
    meaning,
  });
  const event = (subStatus: string, meaning: string): LegendEntry => {
    const { symbol, tone } = eventLook(subStatus);
    return { symbol: { text: symbol, tone }, meaning };
  };
  const plain = (text: string, meaning: string): LegendEntry => ({ symbol: { text }, meaning });
  return [
    {
      title: 'Symbols: where a parcel is',
      entries: Object.values(stageTable).map(({ legend: meaning, symbol, tone }) => ({
        symbol: { text: symbol, tone, bold: true },
        meaning,
      })),
    },
    {
      title: 'Symbols: rows',
      entries: [
        accented(rowSymbols.selected, 'Selected'),
        accented(rowSymbols.marked, 'Marked'),
        accented(rowSymbols.unread, 'New'),
        plain(freshnessLooks.checking.symbol, 'Being checked now'),
        plain(freshnessLooks.failed.symbol, 'The last check failed; the data may be out of date'),
        plain(freshnessLooks.late.symbol, 'The check is late; the data may be out of date'),
        plain(freshnessLooks.doubtful.symbol, 'The service could not reach the courier; the data may be out of date'),
      ],
    },
    {
      title: 'Symbols: timeline',
      entries: [
        event('IN_TRANSIT_02', 'The parcel moved; on the bar: where it is'),
        event('IN_TRANSIT_08', 'By air'),
        event('DELIVERY_FAILED_04', 'A problem; yellow: the delivery is postponed'),
        plain('┆ 2 d', 'No event for two days'),
        plain('├ DHL', 'From here up, events were reported by DHL'),
        plain('→', 'What you can do now'),
      ],
    },
    {
      title: 'Symbols: times',
      entries: [
        plain('Last', 'Time since the newest event: m minutes, h hours, d days, y years'),
        plain('~', 'No time zone: times may be hours off; age ranges allow for it'),
        plain('±', 'The time contradicts its zone'),
        plain('×3', 'The same event was reported three times'),
      ],
    },
  ];
}
