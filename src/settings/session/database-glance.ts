import { glanceAtStore } from '../../store/glance.ts';
import { nonEmpty } from '../../system/environment.ts';
import type { GlobalOptions } from '../configuration.ts';
import { meansFiles } from '../store-address.ts';
import type { CommandContext } from './context.ts';
import { inSession } from './open-session.ts';
import { sessionPaths } from './session.ts';
import type { Stores } from './stores.ts';

/** Whether the watchlist is in a database, without a look at any other setting. */
export async function isInDatabase(
  context: CommandContext,
  globals: Pick<GlobalOptions, 'config' | 'store'>,
): Promise<boolean> {
  const named =
    nonEmpty(globals.store) ??
    nonEmpty(context.environment['PARCEL_MONITOR_STORE']) ??
    (await glanceAtStore(sessionPaths(context, globals).config));
  return named != null && !meansFiles(named);
}

/** Asks a database something beside which nothing is printed. Rejects with a `StoreError` and a `UsageError`. */
export async function glanceAtDatabase<Answer>(
  context: CommandContext,
  globals: GlobalOptions,
  look: (stores: Stores) => Promise<Answer>,
): Promise<Answer> {
  const quiet = { ...context, stderr: { ...context.stderr, write: () => undefined } };
  return await inSession(quiet, globals, async (session) => await look(await session.stores('read')));
}
