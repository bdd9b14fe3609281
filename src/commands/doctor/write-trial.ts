import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../service/clock/clock.ts';
import { systemCode } from '../../watchlist/errors.ts';
import { removeLeftOvers } from '../../watchlist/files/left-overs.ts';
import { fileMode } from '../../watchlist/files/ownership.ts';
import { removeFile } from '../../watchlist/files/remove-file.ts';
import { tempPath } from '../../watchlist/files/temp-name.ts';
import type { CommandContext } from '../session/context.ts';

const name = 'parcel-monitor-trial';

/** Where a trial in a folder is made: a temp of ours, so that it is recognised when the program was killed. */
export const trialPath = (folder: string, random: Random): string => tempPath(join(folder, name), random);

/**
 * Writes a file into a folder and removes it again, and what trials left there that were killed: the folder may be the
 * user's own, which nothing else tidies up. Throws what the system throws when the folder cannot be written.
 */
export async function tryToWrite(
  folder: string,
  { clock, random }: Pick<CommandContext, 'clock' | 'random'>,
): Promise<void> {
  const trial = trialPath(folder, random);
  const file = await open(trial, 'wx', fileMode);
  try {
    await file.writeFile('trial');
  } finally {
    await file.close();
    await removeFile(trial);
  }
  try {
    await removeLeftOvers(folder, clock.now(), (left) => left === name);
  } catch (error) {
    // A folder that can be written need not let itself be listed.
    if (systemCode(error) === null) throw error;
  }
}
