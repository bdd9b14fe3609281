import type { EpochMs } from '../../lib/clock.ts';
import type { Segment } from '../../lib/paint.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { type StaleReason, staleReason } from '../../parcels/parcel-stage.ts';
import { stageTable } from '../../parcels/stages.ts';
import { eventLook } from './event-look.ts';

/** One-cell signs before the stage's glyph. */
export const rowSigns = {
  selected: '▌',
  marked: '■',
  unread: '•',
} as const;

export type Freshness = 'fresh' | 'checking' | StaleReason;

/** `checking`: a call is in progress. A rejected parcel has its own stage. */
export function freshness(parcel: Parcel, now: EpochMs, checking: boolean): Freshness {
  if (checking) return 'checking';
  if (parcel.registration === 'rejected') return 'fresh';
  return staleReason(parcel, now) ?? 'fresh';
}

interface FreshnessLook {
  /** One cell. */
  readonly sign: string;
  readonly word: string;
  /** Shown after the status if the column of ages is hidden. */
  readonly remark: string;
}

export const freshnessLooks: Readonly<Record<Freshness, FreshnessLook>> = {
  fresh: { sign: ' ', word: '', remark: '' },
  checking: { sign: '↻', word: 'now', remark: '' },
  failed: { sign: '✗', word: 'failed', remark: 'check failed' },
  late: { sign: '◔', word: 'late', remark: 'check late' },
  doubtful: { sign: '≋', word: 'old?', remark: 'may be old' },
};

interface LegendEntry {
  readonly sign: Segment;
  readonly meaning: string;
}

export interface LegendGroup {
  readonly title: string;
  readonly entries: readonly LegendEntry[];
}

export function legend(): readonly LegendGroup[] {
  const accented = (text: string, meaning: string): LegendEntry => ({
    sign: { text, tone: 'accent', bold: true },
    meaning,
  });
  const event = (subStatus: string, meaning: string): LegendEntry => {
    const { sign, tone } = eventLook(subStatus);
    return { sign: { text: sign, tone }, meaning };
  };
  const plain = (text: string, meaning: string): LegendEntry => ({ sign: { text }, meaning });
  return [
    {
      title: 'Signs: where a parcel is',
      entries: Object.values(stageTable).map(({ legend: meaning, sign, tone }) => ({
        sign: { text: sign, tone, bold: true },
        meaning,
      })),
    },
    {
      title: 'Signs: rows',
      entries: [
        accented(rowSigns.selected, 'Selected'),
        accented(rowSigns.marked, 'Marked'),
        accented(rowSigns.unread, 'New'),
        plain(freshnessLooks.checking.sign, 'Being checked now'),
        plain(freshnessLooks.failed.sign, 'The last check failed; the data may be old'),
        plain(freshnessLooks.late.sign, 'The check is late; the data may be old'),
        plain(freshnessLooks.doubtful.sign, 'The service could not reach the courier; the data may be old'),
      ],
    },
    {
      title: 'Signs: timeline',
      entries: [
        event('IN_TRANSIT_02', 'The parcel moved; on the bar: where it is'),
        event('IN_TRANSIT_08', 'By air'),
        event('DELIVERY_FAILED_04', 'A problem; yellow: the delivery is postponed'),
        plain('┆ 2 d', 'No event for two days'),
        plain('├ DHL', 'From here up, DHL has the parcel'),
        plain('→', 'What you can do now'),
      ],
    },
    {
      title: 'Signs: times',
      entries: [
        plain('Last', 'Time since the newest event: m minutes, h hours, d days, y years'),
        plain('~', 'No time zone: times can be hours off, ages are certain'),
        plain('±', 'The time contradicts its zone'),
        plain('×3', 'The same event was reported three times'),
      ],
    },
  ];
}
