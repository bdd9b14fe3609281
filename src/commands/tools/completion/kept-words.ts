import { join } from 'node:path';
import type { Parcel } from '../../../watchlist/model/parcel.ts';
import { Backups } from '../../../watchlist/store/backups.ts';
import { createWatchlistFormat } from '../../../watchlist/store/formats.ts';
import { glanceAtNames } from '../../../watchlist/store/glance.ts';
import { Trash } from '../../../watchlist/store/trash.ts';
import type { ProgramPaths } from '../../configuration/paths.ts';
import type { CommandContext } from '../../session/context.ts';
import { bareWord, type OfferedWord } from './expected-words.ts';
import { inDatabase, numberWords } from './watched-names.ts';

/** The backups of the watchlist, newest first, without a look into them. */
export async function backupWords(
  { clock, random }: CommandContext,
  { data }: ProgramPaths,
): Promise<readonly OfferedWord[]> {
  const backups = new Backups({ folder: join(data, 'backups'), clock, random, format: createWatchlistFormat() });
  return (await backups.list()).map(({ name }) => bareWord(name));
}

/** What was removed and is not watched again, latest first; with the courier where a number was removed under several. */
export async function removedWords(context: CommandContext, paths: ProgramPaths): Promise<readonly OfferedWord[]> {
  const removed = await inDatabase(context, async ({ recovery }) =>
    (await recovery.trashed()).map(({ parcel }) => parcel),
  );
  return numberWords(removed ?? (await removedInFiles(context, paths)));
}

async function removedInFiles(
  { clock, random }: CommandContext,
  { data, watchlist }: ProgramPaths,
): Promise<readonly Parcel[]> {
  const format = createWatchlistFormat();
  const trash = new Trash({ folder: join(data, 'trash'), historyFolder: join(data, 'history'), clock, random, format });
  const watched = new Set((await glanceAtNames(watchlist)).map(({ id }) => id));
  return (await trash.list()).flatMap(({ parcel }) => (watched.has(parcel.id) ? [] : [parcel]));
}
