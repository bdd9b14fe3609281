import type { Random } from '../../service/clock/clock.ts';
import { isJsonObject } from '../../service/text/json.ts';
import { toStoreError } from '../errors.ts';
import { readJsonCache, writeJsonCache } from '../files/json-cache.ts';

/** Port to what a board remembers of how it was looked at last. Methods reject with a `StoreError`. */
export interface ViewMemory {
  /** The name of the time mode that was chosen last; null when none was, or when it cannot be read. */
  timeMode(): Promise<string | null>;
  keepTimeMode(timeMode: string): Promise<void>;
}

/** Remembers in a file (`view.json`, mode 0600). A damaged file counts as none; of several boards, the last one counts. */
export function createFileViewMemory(path: string, random: Random): ViewMemory {
  return {
    async timeMode() {
      // Without it the board looks as it does at first; what is wrong with the folder is told by what needs it.
      const value = await readJsonCache(path).catch(() => null);
      const timeMode = isJsonObject(value) ? value['timeMode'] : null;
      return typeof timeMode === 'string' ? timeMode : null;
    },
    async keepTimeMode(timeMode) {
      try {
        await writeJsonCache(path, { version: 1, timeMode }, random);
      } catch (error) {
        throw toStoreError(error, path);
      }
    },
  };
}
