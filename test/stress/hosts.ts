import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { shiftClocks } from '../clock/shift-clocks.ts';
import { startCuttingProxy } from '../support/postgres/cutting-proxy.ts';
import { type OpenTerminal, openTerminal } from '../support/pseudo-terminal.ts';
import { createHome } from './homes.ts';
import { account } from './place.ts';
import { keyOf } from './service.ts';

/** What a host runs, and how. */
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
  /** Whether it believes that it is on a machine of its own. */
  readonly hasOwnMachine: boolean;
}

/** How a host is made to lose the lease. */
export type Loss = 'killed' | 'stopped' | 'silenced' | 'refused';

/** A host with its own connection to the database. */
export interface Host {
  readonly name: string;
  start(): void;
  disable(way: Loss): Promise<void>;
  recover(way: Loss): Promise<void>;
  /** Its output, for debugging. */
  output(): string;
  close(): Promise<void>;
}

/** Returns a module that changes the machine's name in the process that loads it. */
const renameMachine = (name: string): string =>
  `data:text/javascript,${encodeURIComponent(
    `import os from 'node:os';import { syncBuiltinESMExports } from 'node:module';os.hostname = () => ${JSON.stringify(name)};syncBuiltinESMExports();`,
  )}`;

/** Creates a host. The caller must start its program. */
export async function createHost(options: HostOptions): Promise<Host> {
  const { cli, clockAheadMs, database, folder, hasOwnMachine, kind, name, serviceUrl } = options;
  const proxy = await startCuttingProxy(database);
  const environment = {
    ...(await createHome(join(folder, name))),
    PARCEL_MONITOR_STORE: proxy.through(database),
    PARCEL_MONITOR_STORE_ACCOUNT: account,
    PARCEL_MONITOR_BASE_URL: serviceUrl,
    PARCEL_MONITOR_API_KEY: keyOf(name),
    ...(hasOwnMachine ? { NODE_OPTIONS: `--import=${renameMachine(name)}` } : {}),
  };
  // Relative to the machine's clock, which the server uses, regardless of this process's clock.
  shiftClocks(environment, clockAheadMs, 0);
  let child: ChildProcess | null = null;
  let terminal: OpenTerminal | null = null;
  let output = '';
  const start = (): void => {
    if (kind === 'board') {
      terminal = openTerminal(process.execPath, [cli], { environment });
      return;
    }
    child = spawn(process.execPath, [cli, 'watch'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
    });
  };
  const signal = (signalName: NodeJS.Signals): void => {
    const pid = terminal?.pid ?? child?.pid;
    if (pid !== undefined) process.kill(pid, signalName);
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
    async disable(way) {
      if (way === 'killed') await kill();
      else if (way === 'stopped') signal('SIGSTOP');
      else if (way === 'silenced') proxy.silence(true);
      else await proxy.refuse(true);
    },
    async recover(way) {
      if (way === 'killed') start();
      else if (way === 'stopped') signal('SIGCONT');
      else if (way === 'silenced') proxy.silence(false);
      else await proxy.refuse(false);
    },
    output: () => terminal?.text() ?? output,
    async close() {
      await kill();
      await proxy.close();
    },
  };
}
