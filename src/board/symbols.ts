import type { EpochMs } from '../lib/clock.ts';
import type { Line, Segment, Tone } from '../lib/paint.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStage, type StaleReason, shownStage, staleReason } from '../parcels/parcel-state.ts';
import { type ShownStage, stageTable } from '../parcels/stages.ts';
import { isProblem, type Stage, stageOfEvent } from '../service/status.ts';

/** Progress of the journey from 0 to 1. It reflects events, not the remaining time. */
const stageProgress: Readonly<Partial<Record<Stage, number>>> = {
  announced: 0,
  'in-transit': 0.5,
  'out-for-delivery': 0.85,
  pickup: 0.85,
  delivered: 1,
};

const subStatusProgress: Readonly<Record<string, number>> = {
  IN_TRANSIT_04: 0.3,
  IN_TRANSIT_05: 0.35,
  IN_TRANSIT_08: 0.45,
  IN_TRANSIT_06: 0.6,
  IN_TRANSIT_07: 0.75,
  WAITING_DELIVERY_03: 0.85,
  DELIVERY_FAILED_01: 0.85,
  DELIVERY_FAILED_02: 0.85,
  DELIVERY_FAILED_03: 0.85,
  DELIVERY_FAILED_04: 0.85,
  ABNORMAL_01: 0.85,
  ABNORMAL_05: 0.85,
  ABNORMAL_06: 0,
};

/** Returns the progress from 0 to 1, based on events, or null if unknown. */
export function journeyProgress(parcel: Parcel): number | null {
  const stage = parcelStage(parcel);
  if (stage === 'delivered' || stage === 'announced') return stageProgress[stage] ?? null;
  const subStatuses = [parcel.record?.transitSubStatus, parcel.lastEvent?.subStatus];
  for (const subStatus of subStatuses) {
    if (subStatus && Object.hasOwn(subStatusProgress, subStatus)) return subStatusProgress[subStatus] ?? null;
  }
  return stageProgress[stage] ?? (stage === 'attention' && parcel.lastEvent !== null ? 0.5 : null);
}

/** Symbols on the bar that say more than a dot. */
const stageSymbols: Readonly<Partial<Record<ShownStage, string>>> = {
  attention: '✖',
  closed: '✖',
  'out-for-delivery': stageTable['out-for-delivery'].symbol,
  pickup: stageTable.pickup.symbol,
};

export function journeySymbol(parcel: Parcel, stage: ShownStage): string {
  const subStatus = parcel.record?.transitSubStatus ?? parcel.lastEvent?.subStatus ?? '';
  const isFlying = stage === 'in-transit' && airSubStatuses.has(subStatus);
  return isFlying ? '✈' : (stageSymbols[stage] ?? '●');
}

export const hasJourney = ({ record }: Parcel): boolean =>
  record !== null && (record.shipFrom !== null || record.shipTo !== null);

/** `CN ●━━━✈──── DE` with `width` cells between the countries. Empty if no country is known. */
export function journeyBar(parcel: Parcel, width: number): Line {
  if (!hasJourney(parcel)) return [];
  const from = { text: `${parcel.record?.shipFrom ?? '?'} ` };
  const to = { text: ` ${parcel.record?.shipTo ?? '?'}` };
  const progress = journeyProgress(parcel);
  if (progress === null || width < 1) return [from, { text: '─'.repeat(Math.max(0, width)), dim: true }, to];
  const passedCells = Math.round(progress * (width - 1));
  const stage = shownStage(parcel);
  const tone: Tone = stageTable[stage].tone;
  return [
    from,
    { text: passedCells === 0 ? '' : `●${'━'.repeat(passedCells - 1)}`, tone },
    { text: journeySymbol(parcel, stage), tone, bold: true },
    { text: '─'.repeat(width - 1 - passedCells), dim: true },
    to,
  ];
}

/** Stages whose events have the symbol of the stage. Other events have a dot. */
const stagesWithSymbol: ReadonlySet<Stage> = new Set([
  'out-for-delivery',
  'pickup',
  'delivered',
  'announced',
  'expired',
]);

const airSubStatuses: ReadonlySet<string> = new Set(['IN_TRANSIT_05', 'IN_TRANSIT_08']);

const postponedSubStatus = 'WAITING_DELIVERY_03';

/** Returns the symbol of an event in a timeline, one cell wide. */
export function eventLook(subStatus: string | null): { readonly symbol: string; readonly tone: Tone } {
  if (isProblem(subStatus)) return { symbol: '✖', tone: 'attention' };
  if (subStatus === postponedSubStatus) return { symbol: '✖', tone: 'today' };
  const stage = stageOfEvent(subStatus);
  const { symbol, tone } = stageTable[stage];
  if (stagesWithSymbol.has(stage)) return { symbol, tone };
  return { symbol: airSubStatuses.has(subStatus ?? '') ? '✈' : '●', tone };
}

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
  const accentEntry = (text: string, meaning: string): LegendEntry => ({
    symbol: { text, tone: 'accent', bold: true },
    meaning,
  });
  const eventEntry = (subStatus: string, meaning: string): LegendEntry => {
    const { symbol, tone } = eventLook(subStatus);
    return { symbol: { text: symbol, tone }, meaning };
  };
  const plainEntry = (text: string, meaning: string): LegendEntry => ({ symbol: { text }, meaning });
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
        accentEntry(rowSymbols.selected, 'Selected'),
        accentEntry(rowSymbols.marked, 'Marked'),
        accentEntry(rowSymbols.unread, 'New'),
        plainEntry(freshnessLooks.checking.symbol, 'Being checked now'),
        plainEntry(freshnessLooks.failed.symbol, 'The last check failed; the data may be out of date'),
        plainEntry(freshnessLooks.late.symbol, 'The check is late; the data may be out of date'),
        plainEntry(
          freshnessLooks.doubtful.symbol,
          'The service could not reach the courier; the data may be out of date',
        ),
      ],
    },
    {
      title: 'Symbols: timeline',
      entries: [
        eventEntry('IN_TRANSIT_02', 'The parcel moved; on the bar: where it is'),
        eventEntry('IN_TRANSIT_08', 'By air'),
        eventEntry('DELIVERY_FAILED_04', 'A problem; yellow: the delivery is postponed'),
        plainEntry('┆ 2 d', 'No event for two days'),
        plainEntry('├ DHL', 'From here up, events were reported by DHL'),
        plainEntry('→', 'What you can do now'),
      ],
    },
    {
      title: 'Symbols: times',
      entries: [
        plainEntry('Last', 'Time since the newest event: m minutes, h hours, d days, y years'),
        plainEntry('~', 'No time zone: times may be hours off; age ranges allow for it'),
        plainEntry('±', 'The time contradicts its zone'),
        plainEntry('×3', 'The same event was reported three times'),
      ],
    },
  ];
}
