import type { FilteredNames } from '../../../board/filter/filter-terms.ts';
import { isWord } from '../../../service/text/word.ts';
import { glanceAtNames } from '../../../watchlist/store/glance.ts';
import type { ProgramPaths } from '../../configuration/paths.ts';
import type { CommandContext } from '../../session/context.ts';
import { glanceAtDatabase } from '../../session/glance-at-database.ts';
import { isInDatabase } from '../../session/is-in-database.ts';
import type { Stores } from '../../session/opened-stores.ts';
import type { OfferedWord } from './expected-words.ts';

/** What the watched parcels are called. Rejects with a `StoreError`, and with a `UsageError` about a database. */
export async function watchedNames(context: CommandContext, paths: ProgramPaths): Promise<readonly FilteredNames[]> {
  return (
    (await inDatabase(context, async ({ store }) => (await store.read()).parcels)) ??
    (await glanceAtNames(paths.watchlist))
  );
}

/** What a database answers; null where the watchlist is in files. Rejects as {@link watchedNames}. */
export async function inDatabase<Answer>(
  context: CommandContext,
  look: (stores: Stores) => Promise<Answer>,
): Promise<Answer | null> {
  return (await isInDatabase(context, {}))
    ? await glanceAtDatabase(context, { ascii: false, color: true }, look)
    : null;
}

/** Numbers that are plain words, with their courier where several have the same one, or where it is being typed. */
export function numberWords(
  parcels: readonly Pick<FilteredNames, 'courierCode' | 'label' | 'trackNo'>[],
  typed = '',
): readonly OfferedWord[] {
  const known = parcels.filter(({ trackNo }) => isWord(trackNo) && !trackNo.startsWith('-'));
  const alike = Map.groupBy(known, ({ trackNo }) => trackNo.toUpperCase());
  return known.map(({ courierCode, label, trackNo }) => {
    const isAmbiguous = (alike.get(trackNo.toUpperCase())?.length ?? 0) > 1 || typed.includes('@');
    return { word: isAmbiguous && courierCode !== null ? `${trackNo}@${courierCode}` : trackNo, about: label ?? '' };
  });
}
