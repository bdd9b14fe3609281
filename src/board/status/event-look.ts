import type { Tone } from '../../lib/paint.ts';
import { stageTable } from '../../parcels/stages.ts';
import { isProblem, type Stage, stageOfEvent } from '../../service/status.ts';

/** One cell, and its colour. */
interface EventLook {
  readonly symbol: string;
  readonly tone: Tone;
}

/** Stages that give their symbol to an event. Events of other stages have a dot. */
const ownSymbol: ReadonlySet<Stage> = new Set(['out-for-delivery', 'pickup', 'delivered', 'announced', 'expired']);

export const byAir: ReadonlySet<string> = new Set(['IN_TRANSIT_05', 'IN_TRANSIT_08']);

const postponed = 'WAITING_DELIVERY_03';

/** Returns an event's symbol in a timeline. */
export function eventLook(subStatus: string | null): EventLook {
  if (isProblem(subStatus)) return { symbol: '✖', tone: 'attention' };
  if (subStatus === postponed) return { symbol: '✖', tone: 'today' };
  const stage = stageOfEvent(subStatus);
  const { symbol, tone } = stageTable[stage];
  if (ownSymbol.has(stage)) return { symbol, tone };
  return { symbol: byAir.has(subStatus ?? '') ? '✈' : '●', tone };
}
