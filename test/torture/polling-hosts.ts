import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { shiftClocks } from '../clock/shift-clocks.ts';
import { keyOf } from '../soak/gate.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/postgres/cutting-proxy.ts';
import { type OpenTerminal, openTerminal } from '../support/pseudo-terminal.ts';

/** What a host runs, and where. */
export interface HostOptions {
  readonly name: string;
  /** A board in a terminal, or a watcher without a screen. */
  readonly kind: 'board' | 'watch';
  /** Path of the built program. */
  readonly cli: string;
  /** Folder in which it gets a home of its own. */
  readonly folder: string;
  readonly serviceUrl: string;
  /** `postgres://…` of the server itself. */
  readonly database: string;
  readonly account: string;
  /** How far ahead its clock is, in milliseconds. */
  readonly clockAheadMs: number;
  /** Whether it takes itself for another machine than the other hosts. */
  readonly isOwnMachine: boolean;
}

/** A host that has a way of its own to the database. */
export interface Host {
  readonly name: string;
  readonly proxy: CuttingProxy;
  /** Starts the program, when it does not run. */
  start(): void;
  signal(signal: NodeJS.Signals): void;
  /** Ends the program at once, and waits for that. */
  kill(): Promise<void>;
  /** What it wrote, for who has to find out what went wrong. */
  said(): string;
  close(): Promise<void>;
}

/** Names the machine otherwise, in the process that loads it only. */
const renaming = (name: string): string =>
  `data:text/javascript,${encodeURIComponent(
    `import os from 'node:os';import { syncBuiltinESMExports } from 'node:module';os.hostname = () => ${JSON.stringify(name)};syncBuiltinESMExports();`,
  )}`;

/** Makes a host; its program is started by the caller. */
export async function makeHost(options: HostOptions): Promise<Host> {
  const { account, cli, clockAheadMs, database, folder, isOwnMachine, kind, name, serviceUrl } = options;
  const proxy = await startCuttingProxy(database);
  const home = join(folder, name);
  await mkdir(join(home, 'tmp'), { recursive: true });
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    ...{ LANG: 'C.UTF-8', TERM: 'xterm-256color', CI: 'false', TZ: 'UTC' },
    ...{ HOME: home, TMPDIR: join(home, 'tmp'), XDG_CONFIG_HOME: join(home, 'config') },
    XDG_DATA_HOME: join(home, 'data'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
    PARCEL_MONITOR_STORE: proxy.through(database),
    PARCEL_MONITOR_STORE_ACCOUNT: account,
    PARCEL_MONITOR_BASE_URL: serviceUrl,
    PARCEL_MONITOR_API_KEY: keyOf(name),
    ...(isOwnMachine ? { NODE_OPTIONS: `--import=${renaming(name)}` } : {}),
  };
  // Ahead of the machine's clock, on which the server is, whatever this process's own says.
  shiftClocks(environment, clockAheadMs, 0);
  let child: ChildProcess | null = null;
  let terminal: OpenTerminal | null = null;
  let said = '';
  const pid = (): number | undefined => terminal?.pid ?? child?.pid;
  const signal = (of: NodeJS.Signals): void => {
    const known = pid();
    if (known !== undefined) process.kill(known, of);
  };
  const kill = async (): Promise<void> => {
    const [dying, window] = [child, terminal];
    if (dying === null && window === null) return;
    const ended = dying === null ? window?.exit : once(dying, 'exit');
    if (dying?.exitCode == null && dying?.signalCode == null) {
      signal('SIGKILL');
      await ended;
    }
    child = null;
    terminal = null;
    await window?.close();
  };
  return {
    name,
    proxy,
    start() {
      if (kind === 'board') {
        terminal = openTerminal(process.execPath, [cli], { environment });
        return;
      }
      child = spawn(process.execPath, [cli, 'watch'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4_000);
      });
    },
    signal,
    kill,
    said: () => terminal?.text() ?? said,
    async close() {
      await kill();
      await proxy.close();
    },
  };
}

/** Ways in which a host loses the lease, and how it comes back. */
export const losses = {
  killed: { lose: (host: Host) => host.kill(), comeBack: async (host: Host) => host.start() },
  stopped: {
    lose: async (host: Host) => host.signal('SIGSTOP'),
    comeBack: async (host: Host) => host.signal('SIGCONT'),
  },
  silenced: {
    lose: async (host: Host) => host.proxy.silence(true),
    comeBack: async (host: Host) => host.proxy.silence(false),
  },
  refused: { lose: (host: Host) => host.proxy.refuse(true), comeBack: (host: Host) => host.proxy.refuse(false) },
} satisfies Record<
  string,
  { readonly lose: (host: Host) => Promise<void>; readonly comeBack: (host: Host) => Promise<void> }
>;

/** Name of a way to lose the lease. */
export type Loss = keyof typeof losses;
