import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small disk that tests can really fill up and write-protect. */
export interface SmallDisk {
  readonly path: string;
  /** Uses all free bytes. */
  fill(): Promise<void>;
  /** Frees what `fill` used. */
  free(): Promise<void>;
  protect(isReadOnly: boolean): Promise<void>;
  remove(): Promise<void>;
}

/** Mounts a disk of a megabyte, or returns null if that is not permitted. */
export async function mountSmallDisk(): Promise<SmallDisk | null> {
  const path = await mkdtemp(join(tmpdir(), 'parcel-monitor-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]);
  } catch {
    await rm(path, { recursive: true, maxRetries: 5 });
    return null;
  }
  const filler = join(path, 'filler');
  return {
    path,
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (let size = 65_536; size >= 1; size /= 2) while (await hasRoom(file, size));
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    async protect(isReadOnly) {
      await run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path]);
    },
    async remove() {
      await run('umount', [path]);
      await rm(path, { recursive: true, maxRetries: 5 });
    },
  };
}

async function hasRoom(file: { appendFile(data: Buffer): Promise<void> }, size: number): Promise<boolean> {
  return await file.appendFile(Buffer.alloc(size)).then(
    () => true,
    () => false,
  );
}

/**
 * Mounts a file over a file, or a folder over a folder. Returns a function that undoes this, or null if it is not
 * permitted.
 */
export async function mountOver(source: string, target: string): Promise<(() => Promise<void>) | null> {
  try {
    await run('mount', ['--bind', source, target]);
  } catch {
    return null;
  }
  return async () => {
    await run('umount', [target]);
  };
}

/** Makes a file immutable, even for root, or mutable again. Returns whether that is possible here. */
export async function setImmutable(path: string, isImmutable: boolean): Promise<boolean> {
  return await run('chattr', [isImmutable ? '+i' : '-i', path]).then(
    () => true,
    () => false,
  );
}

/** User and group ID of the unprivileged user. */
export const nobody = 65_534;

/**
 * Runs an ECMAScript module, as the unprivileged user from its comment `drop` on, and returns its output. Requires
 * root.
 */
export async function runAsNobody(script: string): Promise<string> {
  const drop = `process.setgroups([]); process.setgid(${nobody}); process.setuid(${nobody});`;
  // Imports are loaded before that, because only root may be able to read the clone.
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '--eval',
    `${script.replace('/*drop*/', drop)}`,
  ]);
  return stdout;
}
