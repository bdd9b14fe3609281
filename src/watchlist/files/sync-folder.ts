import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { systemCode } from '../errors.ts';

/** What a system answers that cannot sync a folder; there the rename itself has to do. */
const folderSyncUnsupported = new Set(['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EACCES', 'EBADF']);

/** Nothing else than a folder is opened, and nothing is waited for, whatever stands there by now. */
const folderOnly = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Makes a rename, a link or a removal in a folder survive a power cut, where the system can. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, folderOnly);
    await handle.sync();
  } catch (error) {
    if (!folderSyncUnsupported.has(systemCode(error) ?? '')) throw error;
  }
}
