import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../service/clock.ts';
import { removeLeftOverTemps, uniquePart } from '../../watchlist/atomic-write.ts';
import { systemCode } from '../../watchlist/errors.ts';
import { folderMode } from '../../watchlist/make-folder.ts';
import type { CommandContext } from '../context.ts';

const ownName = /^\.parcel-monitor-trial\.[0-9a-z]+\.tmp$/;

/** The name of a trial's folder: that of a temp, so that it is tidied up with them when the program was killed. */
export const trialName = (random: Random): string => `.parcel-monitor-trial.${uniquePart(random)}.tmp`;

/**
 * Writes a file into a folder and removes it again, and what trials left there that were killed: the folder may be the
 * user's own, which nothing else tidies up. Throws what the system throws when the folder cannot be written.
 */
export async function tryToWrite(
  folder: string,
  { clock, random }: Pick<CommandContext, 'clock' | 'random'>,
): Promise<void> {
  const trial = join(folder, trialName(random));
  await mkdir(trial, { mode: folderMode });
  try {
    await writeFile(join(trial, 'file'), 'trial');
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
  try {
    await removeLeftOverTemps(folder, clock.now(), ownName);
  } catch (error) {
    // A folder that can be written need not let itself be listed.
    if (systemCode(error) === null) throw error;
  }
}
