import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { EpochMs } from '../../../src/lib/clock.ts';
import { findAccount } from '../../../src/store/postgres/database.ts';
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { makeTables, openDatabase } from '../../store/postgres/test-database.ts';
import { bundledScript } from '../../support/bundled-script.ts';
import { eventually } from '../../support/eventually.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/postgres/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';

const script = bundledScript(fileURLToPath(new URL('../database-host.ts', import.meta.url)));

/** Short, but longer than a busy machine may suspend a process. */
const leaseMs = 2_000;

let database: TestDatabase;
let folder = '';
const started: PollingHost[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  await makeTables(database.address);
  folder = await mkdtemp(join(tmpdir(), 'parcel-monitor-'));
});
afterEach(async () => {
  for (const { process: child, closed } of started.splice(0)) {
    child.kill('SIGKILL');
    await closed;
  }
  await rm(folder, { recursive: true, force: true });
});

interface Call {
  readonly host: string;
  readonly beganAt: EpochMs;
  readonly fence: number;
}

/** Reads all calls, sorted by start, because a suspended host writes its line late. */
async function calls(): Promise<readonly Call[]> {
  const text = await readFile(join(folder, 'calls'), 'utf8').catch(() => '');
  // Skips a partly written line.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [host = '', beganAt, fence] = line.split(' ');
      return { host, beganAt: Number(beganAt), fence: Number(fence) };
    })
    .sort((a, b) => a.beganAt - b.beganAt);
}

interface PollingHost {
  readonly name: string;
  readonly process: ChildProcess;
  readonly closed: Promise<unknown>;
  readonly proxy: CuttingProxy;
  /** The last line that it printed. */
  state(): string;
  calls(): Promise<number>;
}

async function startHost(name: string): Promise<PollingHost> {
  const proxy = await startCuttingProxy(database.address);
  onTestFinished(() => proxy.close());
  const args = [script, proxy.through(database.address), join(folder, 'calls'), name, String(leaseMs)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let lastLine = '';
  child.stdout.on('data', (data: Buffer) => {
    lastLine = data.toString().trim().split('\n').at(-1) ?? lastLine;
  });
  const host: PollingHost = {
    name,
    process: child,
    proxy,
    closed: new Promise((resolve) => child.once('close', resolve)),
    state: () => lastLine,
    calls: async () => (await calls()).filter((call) => call.host === name).length,
  };
  started.push(host);
  return host;
}

async function waitForCalls(host: PollingHost, count: number): Promise<void> {
  const target = (await host.calls()) + count;
  await eventually(async () => expect(await host.calls()).toBeGreaterThanOrEqual(target));
}

async function addFiveParcels(): Promise<void> {
  const opened = openDatabase(database.address);
  const account = await findAccount(opened, 'home', '');
  const store = createPostgresStore({ database: opened, account });
  const known = await store.read();
  const parcels = ['RB1CN', 'RB2CN', 'RB3CN', 'RB4CN', 'RB5CN'].map((trackNo) =>
    parcelOf(trackNo, { registration: 'registered', nextPollAt: '2026-01-01T00:00:00.000Z' }),
  );
  const writes = parcels.map((parcel) => ({ id: parcel.id, parcel }));
  expect((await store.write(writes, known, Date.now())).isWritten).toBe(true);
}

/** The ways in which a host loses its lease and comes back. */
const losses = {
  'is stopped for a while': {
    lose: ({ process: child }: PollingHost) => void child.kill('SIGSTOP'),
    comeBack: ({ process: child }: PollingHost) => void child.kill('SIGCONT'),
  },
  'is cut off by a network that swallows everything': {
    lose: ({ proxy }: PollingHost) => proxy.silence(true),
    comeBack: ({ proxy }: PollingHost) => proxy.silence(false),
  },
};

describe('several hosts with clocks two hours apart', () => {
  it.each(Object.entries(losses))(
    'poll one at a time, even if one %s while another takes over',
    async (_what, loss) => {
      await addFiveParcels();
      const attic = await startHost('attic');
      await eventually(() => expect(attic.state()).toBe('polls'));
      const nas = await startHost('nas');
      await eventually(() => expect(nas.state()).toBe('follows attic'));
      await waitForCalls(attic, 3);
      await loss.lose(attic);
      await eventually(() => expect(nas.state()).toBe('polls'));
      await waitForCalls(nas, 5);
      const backAt = Date.now();
      await loss.comeBack(attic);
      await eventually(() => expect(attic.state()).toBe('follows nas'));
      await waitForCalls(nas, 10);
      const all = await calls();
      expect(all.filter(({ host, beganAt }) => host === 'attic' && beganAt >= backAt)).toEqual([]);
      expect(all.map(({ fence }) => fence)).toEqual(all.map(({ fence }) => fence).sort((a, b) => a - b));
      // Each fence belongs to one host.
      const holders = Map.groupBy(all, ({ fence }) => fence);
      for (const [, sent] of holders) expect(new Set(sent.map(({ host }) => host)).size).toBe(1);
    },
  );

  it('take over when the polling host is killed, and immediately when it exits', async () => {
    await addFiveParcels();
    const hosts = await Promise.all(['attic', 'nas', 'shed'].map(startHost));
    for (const last of [false, true]) {
      await eventually(() => expect(hosts.filter((host) => host.state() === 'polls').length).toBe(1));
      const at = hosts.findIndex((host) => host.state() === 'polls');
      const [poller] = hosts.splice(at, 1);
      if (poller === undefined) throw new Error('no host polls');
      await waitForCalls(poller, 5);
      poller.process.kill(last ? 'SIGTERM' : 'SIGKILL');
      await poller.closed;
    }
    const all = await calls();
    expect(all.map(({ fence }) => fence)).toEqual(all.map(({ fence }) => fence).sort((a, b) => a - b));
    expect(new Set(all.map(({ fence }) => fence)).size).toBeGreaterThanOrEqual(2);
  });
});
