import type { Stage } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage, shownStage } from '../../watchlist/rules/parcel-stage.ts';
import { stageLooks } from '../status/stage-look.ts';
import { counted } from '../text/counted.ts';
import type { Line, Tone } from '../text/line.ts';

/** Stations of a journey as parts of its length. They name what has happened, never how long the rest takes. */
const stageStations: Readonly<Partial<Record<Stage, number>>> = {
  announced: 0,
  'in-transit': 0.5,
  'out-for-delivery': 0.85,
  pickup: 0.85,
  delivered: 1,
};

/** Sub-statuses that place a parcel more exactly than its stage. */
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

/** How far a parcel has come, 0 to 1, judged by what has happened to it; null when nothing says so. */
export function station(parcel: Parcel): number | null {
  const stage = parcelStage(parcel);
  if (stage === 'delivered' || stage === 'announced') return stageStations[stage] ?? null;
  const subStatuses = [parcel.record?.transitSubStatus, parcel.lastEvent?.subStatus];
  for (const subStatus of subStatuses) {
    if (subStatus && Object.hasOwn(subStatusStations, subStatus)) return subStatusStations[subStatus] ?? null;
  }
  return stageStations[stage] ?? (stage === 'attention' && parcel.lastEvent !== null ? 0.5 : null);
}

/**
 * The route `CN ━━━━●━━ DE   6 days`, with `barWidth` cells of bar. Empty without countries; whole days since the pick-up
 * only when the service counts them.
 */
export function routeLine(parcel: Parcel, barWidth: number): Line {
  const { record } = parcel;
  if (record === null) return [];
  const line: Line = record.shipFrom === null && record.shipTo === null ? [] : bar(parcel, barWidth);
  if (record.transitDays === null || record.transitDays < 1) return line;
  const days = { text: counted(record.transitDays, 'day'), dim: true };
  return line.length === 0 ? [days] : [...line, { text: '   ' }, days];
}

function bar(parcel: Parcel, width: number): Line {
  const [done, open, dot] = ['━', '─', '●'];
  const from = { text: `${parcel.record?.shipFrom ?? '?'} ` };
  const to = { text: ` ${parcel.record?.shipTo ?? '?'}` };
  const part = station(parcel);
  if (part === null || width < 1) return [from, { text: open.repeat(Math.max(0, width)), dim: true }, to];
  const before = Math.round(part * (width - 1));
  const tone: Tone = stageLooks[shownStage(parcel)].tone;
  return [
    from,
    { text: done.repeat(before), tone },
    { text: dot, tone, bold: true },
    { text: open.repeat(width - 1 - before), dim: true },
    to,
  ];
}
