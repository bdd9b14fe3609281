import { join } from 'node:path';
import { systemWords } from '../../../service/failures/system-words.ts';
import { StoreError, systemCode } from '../../../watchlist/errors.ts';
import { writeFileAtomically } from '../../../watchlist/files/atomic-write.ts';
import { resolvePath } from '../../../watchlist/files/resolve-path.ts';
import { type KeyPlace, KeyPlaceError, type KeyPlaceTools } from './key-place.ts';

/** The file beside `config.json`, so that the settings can be shown and shared without the key. */
export const keyFileName = 'api-key';

/** A file of its own that only its user can read. */
export function keyFile({ configFolder, platform, random }: KeyPlaceTools): KeyPlace {
  const path = join(configFolder, keyFileName);
  return {
    id: 'file',
    title: platform === 'win32' ? 'A file in your own folder' : 'A file that only you can read',
    asksOnTerminal: false,
    detail: () =>
      platform === 'win32'
        ? `${path}, not encrypted; your account's folder keeps other users out, but not administrators`
        : `${path}, mode 0600, not encrypted`,
    unusable: async () => null,
    async keep({ key }) {
      try {
        await writeFileAtomically(await resolvePath(path), `${key}\n`, random);
      } catch (error) {
        throw new KeyPlaceError(`The key was not stored in ${path}. ${whyNot(error)}`, { cause: error });
      }
      return { apiKeyFile: keyFileName };
    },
  };
}

function whyNot(error: unknown): string {
  if (error instanceof StoreError) return error.message;
  const code = systemCode(error);
  if (code === null) throw error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full: free some space, or choose another place.';
  return `The folder cannot be written${systemWords(code)}. Check its owner and mode, or choose another place.`;
}
