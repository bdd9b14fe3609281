import type { Tone } from '../../lib/paint.ts';
import { stageTable } from '../../parcels/stages.ts';
import { isProblem, type Stage, stageOfEvent } from '../../service/status.ts';

/** One cell, and its colour. */
interface EventLook {
  readonly sign: string;
  readonly tone: Tone;
}

/** Stages that give their sign to an event; events of other stages have a dot. */
const ownSign: ReadonlySet<Stage> = new Set(['out-for-delivery', 'pickup', 'delivered', 'announced', 'expired']);

export const byAir: ReadonlySet<string> = new Set(['IN_TRANSIT_05', 'IN_TRANSIT_08']);

const postponed = 'WAITING_DELIVERY_03';

/** Returns the sign of an event in a timeline. */
export function eventLook(subStatus: string | null): EventLook {
  if (isProblem(subStatus)) return { sign: '✖', tone: 'attention' };
  if (subStatus === postponed) return { sign: '✖', tone: 'today' };
  const stage = stageOfEvent(subStatus);
  const { sign, tone } = stageTable[stage];
  if (ownSign.has(stage)) return { sign, tone };
  return { sign: byAir.has(subStatus ?? '') ? '✈' : '●', tone };
}
