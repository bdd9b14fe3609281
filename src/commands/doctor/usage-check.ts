import { join } from 'node:path';
import type { Budget } from '../../polling/gate/budget.ts';
import { StoreError } from '../../watchlist/errors.ts';
import { createFileUsageMeter } from '../../watchlist/state/usage-meter.ts';
import type { ProgramPaths } from '../configuration/paths.ts';
import type { Check } from '../output/schemas.ts';
import type { CommandContext } from '../session/context.ts';
import { ok, warn } from './check.ts';
import { usageText } from './usage-text.ts';

/** Looks at how much of the service was used, and whether the budget for it is used up. */
export async function checkUsage(context: CommandContext, paths: ProgramPaths, budget: Budget): Promise<Check> {
  try {
    const totals = await createFileUsageMeter(join(paths.state, 'meter.json'), context).read();
    const found = usageText(totals, budget);
    const isSpent =
      totals.today.queries >= (budget.queriesPerDay ?? Number.POSITIVE_INFINITY) ||
      totals.month.registrations >= (budget.registrationsPerMonth ?? Number.POSITIVE_INFINITY);
    return isSpent
      ? warn(
          'usage',
          found,
          'Your budget is used up: checks resume with the next day or month; or raise it in config.json.',
        )
      : ok('usage', found);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return warn('usage', 'cannot be read', error.message);
  }
}
