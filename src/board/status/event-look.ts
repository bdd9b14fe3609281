import type { Tone } from '../../lib/paint.ts';
import { stageTable } from '../../parcels/stages.ts';
import { isProblem, type Stage, stageOfEvent } from '../../service/status.ts';

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

export const byAir: ReadonlySet<string> = new Set(['IN_TRANSIT_05', 'IN_TRANSIT_08']);

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
