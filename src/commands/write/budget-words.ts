import { openGate } from '../session/gate.ts';
import type { Session } from '../session/session.ts';

/** How many registrations the user's own budget leaves this month, behind a cost; nothing without one. */
export async function budgetWords(session: Session): Promise<string> {
  if (session.configuration.budget.registrationsPerMonth === null) return '';
  const gate = await openGate(session);
  await gate.recall();
  return `; your budget has ${gate.budget.registrationsLeft()} left this month`;
}
