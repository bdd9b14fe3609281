import { chmod, link, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Random } from '../service/clock.ts';
import { fileMode, writeFileAtomically } from './atomic-write.ts';
import { systemCode } from './errors.ts';
import { makeFolder } from './make-folder.ts';
import { syncFolder } from './sync-folder.ts';

/** What a file system says that cannot give a file a second name. */
const linkUnsupported = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES']);

/**
 * Keeps a file as it is under a second name, because it is about to be replaced: costs no space and no time where the
 * file system can link, else it is copied. Creates the folder. Answers whether there is a copy now that was not there
 * before: an older one of that name stays as it is, and no file needs no copy. Throws what the system throws.
 */
export async function keepCopy(path: string, copy: string, random: Random): Promise<boolean> {
  await makeFolder(dirname(copy));
  try {
    await link(path, copy);
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    if (!linkUnsupported.has(code)) throw error;
    await writeFileAtomically(copy, await readFile(path, 'utf8'), random);
  }
  await chmod(copy, fileMode);
  await syncFolder(dirname(copy));
  return true;
}
