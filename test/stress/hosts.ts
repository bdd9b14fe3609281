import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { shiftClocks } from '../clock/shift-clocks.ts';
import { startCuttingProxy } from '../support/postgres/cutting-proxy.ts';
import { type OpenTerminal, openTerminal } from '../support/pseudo-terminal.ts';
import { makeHome } from './homes.ts';
import { account } from './place.ts';
import { keyOf } from './service.ts';

/** What a host runs, and where. */
interface HostOptions {
  readonly name: string;
  /** A board in a terminal, or a watcher without a screen. */
  readonly kind: 'board' | 'watch';
  /** Path of the built program. */
  readonly cli: string;
  /** Folder for its own home. */
  readonly folder: string;
  readonly serviceUrl: string;
  /** `postgres://…` of the server itself. */
  readonly database: string;
  /** How far ahead its clock is, in milliseconds. */
  readonly clockAheadMs: number;
  /** Whether it believes that it runs on a machine of its own. */
  readonly isOwnMachine: boolean;
}

/** A way in which a host loses the lease. */
export type Loss = 'killed' | 'stopped' | 'silenced' | 'refused';

/** A host with its own connection to the database. */
export interface Host {
  readonly name: string;
  start(): void;
  lose(way: Loss): Promise<void>;
  comeBack(way: Loss): Promise<void>;
  /** Its output, for debugging. */
  said(): string;
  close(): Promise<void>;
}

/** Changes the machine's name in the process that loads it. */
const renaming = (name: string): string =>
  `data:text/javascript,${encodeURIComponent(
    `import os from 'node:os';import { syncBuiltinESMExports } from 'node:module';os.hostname = () => ${JSON.stringify(name)};syncBuiltinESMExports();`,
  )}`;

/** Creates a host. The caller starts its program. */
export async function makeHost(options: HostOptions): Promise<Host> {
  const { cli, clockAheadMs, database, folder, isOwnMachine, kind, name, serviceUrl } = options;
  const proxy = await startCuttingProxy(database);
  const environment = {
    ...(await makeHome(join(folder, name))),
    PARCEL_MONITOR_STORE: proxy.through(database),
    PARCEL_MONITOR_STORE_ACCOUNT: account,
    PARCEL_MONITOR_BASE_URL: serviceUrl,
    PARCEL_MONITOR_API_KEY: keyOf(name),
    ...(isOwnMachine ? { NODE_OPTIONS: `--import=${renaming(name)}` } : {}),
  };
  // Ahead of the machine's clock, which the server uses, regardless of this process's clock.
  shiftClocks(environment, clockAheadMs, 0);
  let child: ChildProcess | null = null;
  let terminal: OpenTerminal | null = null;
  let said = '';
  const start = (): void => {
    if (kind === 'board') {
      terminal = openTerminal(process.execPath, [cli], { environment });
      return;
    }
    child = spawn(process.execPath, [cli, 'watch'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
    });
  };
  const signal = (wanted: NodeJS.Signals): void => {
    const pid = terminal?.pid ?? child?.pid;
    if (pid !== undefined) process.kill(pid, wanted);
  };
  const kill = async (): Promise<void> => {
    const [dying, window] = [child, terminal];
    [child, terminal] = [null, null];
    await window?.close();
    if (dying === null || dying.exitCode !== null || dying.signalCode !== null) return;
    const ended = once(dying, 'exit');
    dying.kill('SIGKILL');
    await ended;
  };
  return {
    name,
    start,
    async lose(way) {
      if (way === 'killed') await kill();
      else if (way === 'stopped') signal('SIGSTOP');
      else if (way === 'silenced') proxy.silence(true);
      else await proxy.refuse(true);
    },
    async comeBack(way) {
      if (way === 'killed') start();
      else if (way === 'stopped') signal('SIGCONT');
      else if (way === 'silenced') proxy.silence(false);
      else await proxy.refuse(false);
    },
    said: () => terminal?.text() ?? said,
    async close() {
      await kill();
      await proxy.close();
    },
  };
}
