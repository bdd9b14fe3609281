import { BudgetKeeper } from '../../polling/gate/budget.ts';
import { toStoreError } from '../../watchlist/errors.ts';
import { type Session, say } from './session.ts';
import { openMeter } from './stores.ts';

/** The user's budget. A meter that fails costs no answer; standard error tells of it, once. */
export function openBudget(session: Session): BudgetKeeper {
  const { configuration, context } = session;
  const told = new Set<string>();
  return new BudgetKeeper({
    meter: openMeter(session),
    budget: configuration.budget,
    clock: context.clock,
    onTotals: () => {},
    onTrouble: (error) => {
      if (error === null) return;
      const { message } = toStoreError(error, 'the query meter');
      if (!told.has(message)) say(context, message);
      told.add(message);
    },
  });
}
