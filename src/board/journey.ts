import type { Line, Tone } from '../lib/paint.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStage, shownStage } from '../parcels/parcel-stage.ts';
import { type ShownStage, stageTable } from '../parcels/stages.ts';
import { isProblem, type Stage, stageOfEvent } from '../service/status.ts';

/** Progress of the journey from 0 to 1. It reflects events, not the remaining time. */
const stageStations: Readonly<Partial<Record<Stage, number>>> = {
  announced: 0,
  'in-transit': 0.5,
  'out-for-delivery': 0.85,
  pickup: 0.85,
  delivered: 1,
};

const subStatusStations: Readonly<Record<string, number>> = {
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
export function station(parcel: Parcel): number | null {
  const stage = parcelStage(parcel);
  if (stage === 'delivered' || stage === 'announced') return stageStations[stage] ?? null;
  const subStatuses = [parcel.record?.transitSubStatus, parcel.lastEvent?.subStatus];
  for (const subStatus of subStatuses) {
    if (subStatus && Object.hasOwn(subStatusStations, subStatus)) return subStatusStations[subStatus] ?? null;
  }
  return stageStations[stage] ?? (stage === 'attention' && parcel.lastEvent !== null ? 0.5 : null);
}

/** Symbols on the bar that are more telling than a dot. */
const stageSymbols: Readonly<Partial<Record<ShownStage, string>>> = {
  attention: '✖',
  closed: '✖',
  'out-for-delivery': stageTable['out-for-delivery'].symbol,
  pickup: stageTable.pickup.symbol,
};

export function journeySymbol(parcel: Parcel, stage: ShownStage): string {
  const subStatus = parcel.record?.transitSubStatus ?? parcel.lastEvent?.subStatus ?? '';
  const isFlying = stage === 'in-transit' && byAir.has(subStatus);
  return isFlying ? '✈' : (stageSymbols[stage] ?? '●');
}

export const hasJourney = ({ record }: Parcel): boolean =>
  record !== null && (record.shipFrom !== null || record.shipTo !== null);

/** `CN ●━━━✈──── DE` with `width` cells between the countries. Empty if no country is known. */
export function journeyBar(parcel: Parcel, width: number): Line {
  if (!hasJourney(parcel)) return [];
  const from = { text: `${parcel.record?.shipFrom ?? '?'} ` };
  const to = { text: ` ${parcel.record?.shipTo ?? '?'}` };
  const part = station(parcel);
  if (part === null || width < 1) return [from, { text: '─'.repeat(Math.max(0, width)), dim: true }, to];
  const before = Math.round(part * (width - 1));
  const stage = shownStage(parcel);
  const tone: Tone = stageTable[stage].tone;
  return [
    from,
    { text: before === 0 ? '' : `●${'━'.repeat(before - 1)}`, tone },
    { text: journeySymbol(parcel, stage), tone, bold: true },
    { text: '─'.repeat(width - 1 - before), dim: true },
    to,
  ];
}

interface EventLook {
  /** One cell wide. */
  readonly symbol: string;
  readonly tone: Tone;
}

/** Stages whose events have the symbol of the stage. Other events have a dot. */
const stagesWithSymbol: ReadonlySet<Stage> = new Set([
  'out-for-delivery',
  'pickup',
  'delivered',
  'announced',
  'expired',
]);

const byAir: ReadonlySet<string> = new Set(['IN_TRANSIT_05', 'IN_TRANSIT_08']);

const postponed = 'WAITING_DELIVERY_03';

/** Returns the symbol of an event in a timeline. */
export function eventLook(subStatus: string | null): EventLook {
  if (isProblem(subStatus)) return { symbol: '✖', tone: 'attention' };
  if (subStatus === postponed) return { symbol: '✖', tone: 'today' };
  const stage = stageOfEvent(subStatus);
  const { symbol, tone } = stageTable[stage];
  if (stagesWithSymbol.has(stage)) return { symbol, tone };
  return { symbol: byAir.has(subStatus ?? '') ? '✈' : '●', tone };
}
