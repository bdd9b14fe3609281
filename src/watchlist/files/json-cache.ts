import type { Random } from '../../service/clock/clock.ts';
import { systemCode, toStoreError } from '../errors.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { readWholeFile } from './open-file.ts';

/**
 * The JSON value of a file that can be made anew at any time; undefined when there is none or it is damaged.
 * Rejects with a `StoreError` when it cannot be read.
 */
export async function readJsonCache(path: string): Promise<unknown> {
  try {
    return JSON.parse((await readWholeFile(path)).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === 'ENOENT') return undefined;
    throw toStoreError(error, path);
  }
}

/** Writes a JSON value in one piece, for the user's eyes only (0600). Rejects with a `StoreError`. */
export async function writeJsonCache(path: string, value: unknown, random: Random): Promise<void> {
  try {
    await writeFileAtomically(path, `${JSON.stringify(value)}\n`, random);
  } catch (error) {
    throw toStoreError(error, path);
  }
}
