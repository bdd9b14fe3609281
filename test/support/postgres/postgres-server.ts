/** Our own PostgreSQL server, with the binaries from npm, for tests, stress runs and measurements. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath, platform } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findBinaries, type ServerUser, serverUser } from './binaries.ts';

const run = promisify(execFile);
const reaperProgram = fileURLToPath(new URL('reaper.ts', import.meta.url));

/** How a server is started. */
export interface PostgresServerOptions {
  /**
   * Waits for the disk at every commit, like a server in production. Otherwise a crash of the machine may lose a
   * commit, but a crash of the server does not.
   */
  readonly isDurable?: boolean;
  /** Parent of the server's folder. Defaults to the system's folder for temporary files. */
  readonly folder?: string;
  /** Becomes a replica of that server, which is stopped while its data is copied. */
  readonly replicaOf?: PostgresServer;
  /** Additional settings for `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Size of its write-ahead log files, in megabytes: a power of two. Defaults to 16. */
  readonly walSegmentMb?: number;
}

/** A server that runs until it is stopped or the process that started it has ended, in any way. */
export interface PostgresServer {
  readonly port: number;
  /** Folder of its data, log and socket. */
  readonly folder: string;
  /** Returns the address of a database on it for its administrator `tester`, who needs no password. */
  address(database?: string): string;
  /** Its process ID, or null if it is not running. */
  pid(): number | null;
  /** Ends it as a power cut would (`SIGKILL` to it and all its processes), or normally. */
  end(how: 'kill' | 'orderly'): Promise<void>;
  /** Starts it again at the same port with the same data, and waits until it accepts connections. */
  start(): Promise<void>;
  /** The contents of its log. */
  log(): Promise<string>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** Creates an empty database cluster and starts a server for it, which listens only on loopback. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const user = await serverUser();
  const folder = await mkdtemp(join(options.folder ?? tmpdir(), 'parcel-monitor-postgres-'));
  const reaper = startReaper(folder);
  try {
    if (user !== null) await chown(folder, user.uid, user.gid);
    await chmod(folder, 0o755);
    const binaries = await findBinaries(user, folder);
    const data = join(folder, 'data');
    // A test run shifts the clocks of Node's processes. The server has the machine's clock.
    const env = { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'], LC_ALL: 'C', TZ: 'UTC' };
    const spawning = { ...user, env, cwd: folder };
    if (options.replicaOf === undefined) {
      await run(
        binaries.initdb,
        // A locale that does not depend on the system, so that the sort order is the same everywhere.
        [
          ...['-D', data, '-U', 'tester', '-A', 'trust', '--no-sync', '--no-instructions', '--encoding=UTF8'],
          `--wal-segsize=${options.walSegmentMb ?? 16}`,
          ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        ],
        spawning,
      );
    } else await copyData(options.replicaOf, data, user);
    const running: { child: ChildProcess | null; port: number } = { child: null, port: await freePort() };
    const launch = async (): Promise<boolean> => {
      const log = await open(join(folder, 'log'), 'a');
      const settings = Object.entries({ ...settingsFor(options, folder, running.port), ...options.settings });
      const child = spawn(
        binaries.postgres,
        ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        // Not in the terminal's group: Ctrl-C is for the tests, which end it afterwards.
        { ...spawning, stdio: ['ignore', log.fd, log.fd], detached: true },
      );
      const end = once(child, 'exit');
      child.once('exit', () => {
        if (running.child === child) running.child = null;
      });
      await log.close();
      running.child = child;
      while (child.exitCode === null && child.signalCode === null) {
        if (await isReady(data, child.pid)) return true;
        await Promise.race([pause(15), end]);
      }
      running.child = null;
      return false;
    };
    const server: PostgresServer = {
      get port() {
        return running.port;
      },
      folder,
      address: (database = 'postgres') => `postgres://tester@127.0.0.1:${running.port}/${database}`,
      pid: () => running.child?.pid ?? null,
      log: () => readFile(join(folder, 'log'), 'utf8'),
      async start() {
        if (running.child !== null) return;
        // The previous server's shared memory is free only when all of its processes have ended.
        for (let tries = 0; tries < 100; tries += 1) {
          if (await launch()) return;
          await pause(100);
        }
        throw new Error(`PostgreSQL did not restart:\n${(await server.log()).slice(-2_000)}`);
      },
      async end(how) {
        const { child } = running;
        if (child === null) return;
        running.child = null;
        const end = once(child, 'exit');
        if (platform === 'win32') {
          await run(binaries.pgCtl, ['stop', '-D', data, '-m', how === 'kill' ? 'immediate' : 'fast']);
        } else if (how === 'kill') {
          // The whole group, because none of its processes may finish anything.
          process.kill(-(child.pid ?? 0), 'SIGKILL');
        } else {
          child.kill('SIGINT');
        }
        await end;
      },
      async stop() {
        await server.end('kill');
        await removeFolder(folder);
        reaper.stdin?.end();
      },
    };
    // Another process may have taken the port in between.
    for (let tries = 1; !(await launch()); tries += 1) {
      if (tries >= 5) throw new Error(`PostgreSQL did not start:\n${(await server.log()).slice(-2_000)}`);
      running.port = await freePort();
    }
    return server;
  } catch (error) {
    // The reaper ends the server and removes the folder.
    reaper.stdin?.end();
    throw error;
  }
}

function settingsFor(
  { isDurable = false, replicaOf }: PostgresServerOptions,
  folder: string,
  port: number,
): Readonly<Record<string, string>> {
  const flag = isDurable ? 'on' : 'off';
  return {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // A socket's path can have about a hundred characters at most.
    unix_socket_directories: platform === 'win32' || folder.length > 80 ? '' : folder,
    fsync: flag,
    full_page_writes: flag,
    max_connections: '300',
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    jit: 'off',
    ...(replicaOf === undefined ? {} : { primary_conninfo: `host=127.0.0.1 port=${replicaOf.port} user=tester` }),
  };
}

/** npm has no `pg_basebackup`. Copying the files while the server is stopped is equivalent. */
async function copyData(primary: PostgresServer, data: string, user: ServerUser | null): Promise<void> {
  await primary.end('orderly');
  try {
    await cp(join(primary.folder, 'data'), data, { recursive: true });
  } finally {
    await primary.start();
  }
  await writeFile(join(data, 'standby.signal'), '');
  await chmod(data, 0o700);
  if (user === null) return;
  for (const name of ['.', ...(await readdir(data, { recursive: true }))])
    await chown(join(data, name), user.uid, user.gid);
}

/** The server writes to its pid file when it is ready for connections. */
async function isReady(data: string, pid: number | undefined): Promise<boolean> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n').map((line) => line.trim()),
    () => [],
  );
  return lines[0] === String(pid) && lines[7] === 'ready';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

/** Starts a process that cleans up even if this one is killed, which it notices through the pipe between them. */
function startReaper(folder: string): ChildProcess {
  const reaper = spawn(execPath, [reaperProgram, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'] },
  });
  reaper.unref();
  // Like the reaper, the pipe must not keep this process alive. It is a socket, although its type is only a stream.
  if (reaper.stdin !== null && 'unref' in reaper.stdin && typeof reaper.stdin.unref === 'function')
    reaper.stdin.unref();
  return reaper;
}

/** Processes of a killed server may still be writing files. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
