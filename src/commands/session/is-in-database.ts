import { nonEmpty } from '../../process/environment.ts';
import { glanceAtStore } from '../../watchlist/store/glance.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import { meansFiles } from '../configuration/store-address.ts';
import type { CommandContext } from './context.ts';
import { sessionPaths } from './session.ts';

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
