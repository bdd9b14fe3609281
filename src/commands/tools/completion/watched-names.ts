import type { FilteredNames } from '../../../board/filter/filter-terms.ts';
import { StoreError } from '../../../watchlist/errors.ts';
import { glanceAtNames } from '../../../watchlist/store/glance.ts';
import type { TrashedParcel } from '../../../watchlist/store/trash.ts';
import type { ProgramPaths } from '../../configuration/paths.ts';
import type { CommandContext } from '../../session/context.ts';
import { UsageError } from '../../session/errors.ts';
import { glanceAtDatabase } from '../../session/glance-at-database.ts';
import { isInDatabase } from '../../session/is-in-database.ts';
import type { Stores } from '../../session/opened-stores.ts';

const globals = { ascii: false, color: true };

/** What the watched parcels are called; none where a database does not answer soon. Rejects with a `StoreError` about files. */
export async function watchedNames(context: CommandContext, paths: ProgramPaths): Promise<readonly FilteredNames[]> {
  if (!(await isInDatabase(context, {}))) return await glanceAtNames(paths.watchlist);
  return await inDatabase(context, async ({ store }) => (await store.read()).parcels);
}

/** Removed parcels in the trash of a database; null where the watchlist is in files. */
export async function removedInDatabase(context: CommandContext): Promise<readonly TrashedParcel[] | null> {
  if (!(await isInDatabase(context, {}))) return null;
  return await inDatabase(context, ({ recovery }) => recovery.trashed());
}

/** A completion does not complain. */
async function inDatabase<Item>(
  context: CommandContext,
  look: (stores: Stores) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  try {
    return await glanceAtDatabase(context, globals, look);
  } catch (error) {
    if (error instanceof StoreError || error instanceof UsageError) return [];
    throw error;
  }
}
