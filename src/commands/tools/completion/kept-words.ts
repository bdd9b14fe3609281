import { join } from 'node:path';
import { isWord } from '../../../service/text/word.ts';
import { Backups } from '../../../watchlist/store/backups.ts';
import { createWatchlistFormat } from '../../../watchlist/store/formats.ts';
import { glanceAtNames } from '../../../watchlist/store/glance.ts';
import { Trash } from '../../../watchlist/store/trash.ts';
import type { ProgramPaths } from '../../configuration/paths.ts';
import type { CommandContext } from '../../session/context.ts';
import type { OfferedWord } from './expected-words.ts';
import { removedInDatabase } from './watched-names.ts';

/** The backups of the watchlist, newest first, without a look into them. */
export async function backupWords(
  { clock, random }: CommandContext,
  { data }: ProgramPaths,
): Promise<readonly OfferedWord[]> {
  const backups = new Backups({ folder: join(data, 'backups'), clock, random, format: createWatchlistFormat() });
  return (await backups.list()).map(({ name }) => ({ word: name, about: '' }));
}

/** What was removed and is not watched again, latest first; with the courier where a number was removed under several. */
export async function removedWords(context: CommandContext, paths: ProgramPaths): Promise<readonly OfferedWord[]> {
  const { clock, random } = context;
  const { data, watchlist } = paths;
  const inDatabase = await removedInDatabase(context);
  const format = createWatchlistFormat();
  const trash = new Trash({ folder: join(data, 'trash'), historyFolder: join(data, 'history'), clock, random, format });
  const watched = inDatabase === null ? new Set((await glanceAtNames(watchlist)).map(({ id }) => id)) : new Set();
  const removed = (inDatabase ?? (await trash.list())).map(({ parcel }) => parcel);
  const missing = removed.filter(({ id, trackNo }) => !watched.has(id) && isWord(trackNo) && !trackNo.startsWith('-'));
  const alike = Map.groupBy(missing, ({ trackNo }) => trackNo);
  return missing.map(({ courierCode, label, trackNo }) => ({
    word: (alike.get(trackNo)?.length ?? 0) > 1 && courierCode !== null ? `${trackNo}@${courierCode}` : trackNo,
    about: label ?? '',
  }));
}
