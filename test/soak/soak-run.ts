import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { between, pick, seededRandom } from '../../src/sandbox/seeded-random.ts';
import { testClockEnvironment } from '../clock/clock-shift.ts';
import { startPostgresServer } from '../support/postgres/postgres-server.ts';
import { CallLog } from './call-log.ts';
import { type Circumstances, numberMaker } from './circumstances.ts';
import { addAll, runAtRandom } from './command-actions.ts';
import { openDatabaseLook, soakAccount } from './database-look.ts';
import { type Gate, keyOf, openGate } from './gate.ts';
import { Ledger } from './ledger.ts';
import { sitAtBoards } from './life-of-boards.ts';
import { LogFollower } from './log-follower.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { foreignField, lookAtStore } from './store-look.ts';
import { StoreWatch } from './store-watch.ts';
import { Tally } from './tally.ts';
import { createWeather } from './weather.ts';

/** What to soak, and for how long. */
export interface SoakOptions {
  /** Path of the built program. */
  readonly cli: string;
  readonly seed: number;
  /** Files of one user, or a database that four hosts share; the files by default. */
  readonly store?: 'file' | 'postgres';
  /** How many times faster than life the sandbox's parcels move. */
  readonly speed: number;
  /** About how long a person waits between two things that they do, in milliseconds. */
  readonly paceMs: number;
  /** Whether it is time to end, by what was done so far. */
  readonly isOver: (tally: Tally) => boolean;
  /** Takes a line about what must not be. */
  readonly tell: (line: string) => void;
  /** Takes what there is when it begins, to report on the way. */
  readonly onStart?: (tally: Tally, log: CallLog) => void;
}

/** How it went. */
export interface SoakReport {
  readonly tally: Tally;
  readonly log: CallLog;
  /** Calls that the sandbox has counted itself. */
  readonly callsCounted: number;
  readonly parcelsAtEnd: number;
}

/** How many hosts share a database. */
const hostCount = 4;
const parcelsAtStart = 24;
const markedParcels = 3;

/** Boards, commands, a script that follows the change log, and bad weather on one store until it is over; then everything is looked at once more. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { isOver, paceMs, seed, speed, store = 'file', tell } = options;
  const home = await mkdtemp(join(tmpdir(), 'parcel-monitor-soak-'));
  const server = store === 'postgres' ? await startPostgresServer() : null;
  const database = server === null ? null : await openDatabaseLook(server.address());
  const cli = await ownCopy(options.cli, home);
  const tally = new Tally(tell);
  const log = new CallLog();
  const ledger = new Ledger(() => Date.now());
  options.onStart?.(tally, log);
  const environment = await makeHome(home);
  const hosts = await Promise.all(
    Array.from({ length: server === null ? 0 : hostCount }, async (_, index) => {
      const folder = join(home, `host-${index}`);
      await mkdir(folder);
      return {
        ...(await makeHome(folder)),
        PARCEL_MONITOR_STORE: server?.address() ?? '',
        // Each process has a key of its own here, by which the gate knows it.
        PARCEL_MONITOR_STORE_ACCOUNT: soakAccount,
      };
    }),
  );
  const sandbox = await startSandboxProcess(cli, environment, { speed, seed });
  const weather = await createWeather(seededRandom(seed, 'weather'), () => gate, sandbox, tally);
  const gate: Gate = await openGate({
    sandboxUrl: sandbox.baseUrl,
    sandboxKey: sandbox.key,
    log,
    isSpoilt: () => weather.isFoul(),
    complain: (words) => tally.fail('calls that must not be', words),
  });
  const freshNumber = numberMaker(seededRandom(seed, 'numbers'));
  const labels = (function* () {
    for (let count = 1; ; count += 1) yield `L${count}`;
  })();
  const marked = Array.from({ length: markedParcels }, freshNumber);
  const circumstances: Circumstances = {
    cli,
    home,
    ledger,
    log,
    tally,
    marked,
    lookAtStore: async () => await (database === null ? lookAtStore(home, marked) : database.look()),
    environment: (who) => ({
      ...(hosts[Number(/\d+$/.exec(who)?.[0] ?? 0) % hostCount] ?? environment),
      PARCEL_MONITOR_BASE_URL: gate.baseUrl,
      PARCEL_MONITOR_API_KEY: keyOf(who),
    }),
    freshNumber,
    freshLabel: () => labels.next().value ?? '',
  };
  const watch = new StoreWatch(circumstances);
  const follower = new LogFollower({ soak: circumstances, isOver, paceMs, random: seededRandom(seed, 'log') });
  /** Does something again and again until it is over. */
  const again = async (work: () => Promise<number>): Promise<void> => {
    while (!isOver(tally)) {
      const paceMs = await work();
      const until = Date.now() + paceMs;
      while (Date.now() < until && !isOver(tally)) await delay(Math.min(250, Math.max(1, until - Date.now())));
    }
  };
  try {
    await fill(circumstances);
    const commandRandom = seededRandom(seed, 'commands');
    await Promise.all([
      sitAtBoards({
        soak: circumstances,
        watch,
        isOver,
        paceMs,
        random: seededRandom(seed, 'short'),
        isPatient: false,
      }),
      sitAtBoards({ soak: circumstances, watch, isOver, paceMs, random: seededRandom(seed, 'long'), isPatient: true }),
      again(async () => {
        await runAtRandom(circumstances, commandRandom);
        return between(commandRandom, 1, 5) * paceMs;
      }),
      follower.follow(),
      again(async () => (await weather.turn()) * Math.min(1, paceMs / 1000)),
    ]);
    if (weather.isFoul()) await weather.turn();
    await follower.compare();
    const parcelsAtEnd = await watch.lookForTheLastTime();
    return { tally, log, callsCounted: await sandbox.calls(), parcelsAtEnd };
  } finally {
    await gate.close();
    await sandbox.close();
    await database?.close();
    await server?.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A board loads parts of the program while it runs; a build meanwhile would pull them away. */
async function ownCopy(cli: string, home: string): Promise<string> {
  await cp(dirname(cli), join(home, 'program', 'dist'), { recursive: true });
  await writeFile(join(home, 'program', 'package.json'), '{"type":"module"}');
  return join(home, 'program', 'dist', 'cli.js');
}

async function makeHome(home: string): Promise<Readonly<Record<string, string>>> {
  const folder = (name: string): string => join(home, name);
  await mkdir(join(folder('config'), 'parcel-monitor'), { recursive: true });
  await writeFile(
    join(folder('config'), 'parcel-monitor', 'config.json'),
    JSON.stringify({ service: { timeoutSeconds: 2 } }),
  );
  await mkdir(folder('tmp'));
  return {
    ...testClockEnvironment(),
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    CI: 'false',
    TZ: pick(seededRandom(home.length, 'zone'), ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']),
    HOME: home,
    TMPDIR: folder('tmp'),
    XDG_CONFIG_HOME: folder('config'),
    XDG_DATA_HOME: folder('data'),
    XDG_STATE_HOME: folder('state'),
    XDG_CACHE_HOME: folder('cache'),
  };
}

/** Adds the first parcels, and what another version of the program might have kept beside them. */
async function fill(soak: Circumstances): Promise<void> {
  const others = Array.from({ length: parcelsAtStart - soak.marked.length }, soak.freshNumber);
  const trackNos = [...soak.marked, ...others];
  await addAll(soak, trackNos);
  if (!(await stat(join(soak.home, 'data')).catch(() => null))) return;
  const path = join(soak.home, 'data', 'parcel-monitor', 'watchlist.json');
  const document = JSON.parse(await readFile(path, 'utf8')) as {
    readonly parcels: readonly { readonly trackNo: string }[];
  };
  const { name, value } = foreignField;
  const parcels = document.parcels.map((parcel) =>
    soak.marked.includes(parcel.trackNo) ? { ...parcel, [name]: value } : parcel,
  );
  await writeFile(path, JSON.stringify({ ...document, parcels, [name]: value }, null, 2));
}
