import { scanCostWords } from '../../board/scan/scan-cost.ts';
import type { CallCost } from '../../polling/gate/call-cost.ts';
import { openGate } from '../session/gate.ts';
import type { Session } from '../session/session.ts';

/** What adding costs, and what of that the user's own budget covers this month, behind what it is about; nothing where it is free. */
export async function priceWords(session: Session, cost: CallCost): Promise<string> {
  return cost.registrations === 0 ? '' : ` (${scanCostWords(cost, await registrationsLeft(session))})`;
}

/** The same of what is at most so much. */
export async function mostPriceWords(session: Session, cost: CallCost): Promise<string> {
  return ` (in all at most ${scanCostWords(cost, await registrationsLeft(session))})`;
}

/** Null without a limit. */
async function registrationsLeft(session: Session): Promise<number | null> {
  if (session.configuration.budget.registrationsPerMonth === null) return null;
  const gate = await openGate(session);
  await gate.recall();
  return gate.budget.registrationsLeft();
}
