import { closeSync, constants, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { systemCode } from '../errors.ts';

/** What a system answers that cannot sync a folder; there the rename itself has to do. */
const folderSyncUnsupported = new Set(['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EACCES', 'EBADF']);

/** Nothing else than a folder is opened, and nothing is waited for, whatever stands there by now. */
const folderOnly = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NONBLOCK ?? 0);

const fsyncOf = promisify(fsync);

/** Makes a rename, a link or a removal in a folder survive a power cut, where the system can. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const file = openSync(folder, folderOnly);
    try {
      await fsyncOf(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!folderSyncUnsupported.has(systemCode(error) ?? '')) throw error;
  }
}
