import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/lib/clock.ts';
import { pick, pickWeighted } from '../../src/sandbox/seeded-random.ts';
import { type Circumstances, someOf, usualParcels } from './circumstances.ts';
import type { Change } from './ledger.ts';

/** How a command went. */
interface Run {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when it was killed. */
  readonly code: number | null;
}

/** A command that a person or a script runs beside the board. */
interface Command {
  readonly weight: number;
  readonly act: (soak: Circumstances, random: Random) => Promise<void>;
}

/** Codes that mean the program is in order: done; service refuses or is gone; number rejected or not there any more. */
const fineCodes: readonly number[] = [0, 3, 4, 5];
/** What a spoilt service makes a command end with 1 for. */
const spoiltService = /The service has no operation|The answer of .* is larger|The service refused/;
const killedShare = 0.12;
const livesAtMostMs = 900;

/** Runs a command; it is killed now and then. */
async function run(soak: Circumstances, random: Random, args: readonly string[], input = ''): Promise<Run> {
  soak.tally.count('commands run');
  const who = `command-${soak.tally.of('commands run')}`;
  const child = spawn(process.execPath, [soak.cli, ...args], { env: { ...soak.environment(who) } });
  child.stdin.on('error', () => {
    // It ended without reading.
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (random() < killedShare) {
    void delay(random() * livesAtMostMs).then(() => child.kill('SIGKILL'));
  }
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === null) {
    soak.tally.count('commands killed');
    soak.log.forgetSince(Date.now() - 3000);
  } else if (!fineCodes.includes(code) && !(code === 1 && spoiltService.test(stderr))) {
    soak.tally.fail('commands that failed', `${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
  }
  if (/This is a bug|\n\s+at /.test(stderr)) {
    soak.tally.fail('commands that failed', `${args.join(' ')} said: ${stderr.trim()}`);
  }
  return { stdout, stderr, code };
}

/** Makes a change of numbers that is over when the work is. */
async function changing(
  soak: Circumstances,
  what: string,
  trackNos: readonly string[],
  work: (change: Change) => Promise<void>,
): Promise<void> {
  const change = soak.ledger.begin(trackNos, what);
  try {
    await work(change);
  } finally {
    change.end();
  }
}

/** Whether a command has said what became of a number: a line that is printed counts, whatever happened after it. */
const tells = ({ stdout }: Run, trackNo: string, words = /.*/): boolean =>
  stdout.split('\n').some((line) => new RegExp(`^${trackNo}(?:@\\S+)?  `).test(line) && words.test(line));

async function add(soak: Circumstances, random: Random, count: number): Promise<void> {
  const trackNos = Array.from({ length: count }, () => soak.freshNumber());
  const label = count === 1 && random() < 0.5 ? soak.freshLabel() : null;
  await changing(soak, 'add', trackNos, async (change) => {
    soak.log.expect(Date.now(), 4);
    const args = count === 1 ? ['add', ...trackNos] : ['add', '-'];
    const outcome = await run(
      soak,
      random,
      label === null ? args : [...args, '--label', label],
      count === 1 ? '' : `${trackNos.join('\n')}\n`,
    );
    for (const trackNo of trackNos) {
      if (outcome.code !== 0 && !tells(outcome, trackNo)) continue;
      change.isThere(trackNo, label);
      soak.tally.count('adds acknowledged');
    }
  });
}

async function remove(soak: Circumstances, random: Random): Promise<void> {
  const there = soak.ledger.numbers('there').filter((trackNo) => !soak.marked.includes(trackNo));
  if (there.length < usualParcels / 2) return;
  const trackNos = someOf(random, there, there.length > usualParcels ? 6 : 2);
  const isRemote = random() < 0.25;
  soak.log.forget(trackNos);
  await changing(soak, 'remove', trackNos, async (change) => {
    const outcome = await run(soak, random, ['remove', ...trackNos, ...(isRemote ? ['--remote'] : [])]);
    for (const trackNo of trackNos) {
      if (!tells(outcome, trackNo, /removed|deleted/)) continue;
      change.isGone(trackNo);
      soak.tally.count('removals acknowledged');
    }
  });
}

async function restore(soak: Circumstances, random: Random): Promise<void> {
  const gone = soak.ledger.numbers('gone');
  if (gone.length === 0) return;
  const trackNo = pick(random, gone);
  soak.log.forget([trackNo]);
  await changing(soak, 'restore', [trackNo], async (change) => {
    const outcome = await run(soak, random, ['restore', '--parcel', trackNo]);
    if (tells(outcome, trackNo, /restored/)) change.isThere(trackNo);
  });
}

async function label(soak: Circumstances, random: Random): Promise<void> {
  const trackNo = pick(random, soak.ledger.numbers('there'));
  const words = soak.freshLabel();
  soak.ledger.noteLabel(words, trackNo);
  await changing(soak, 'edit --label', [trackNo], async (change) => {
    const outcome = await run(soak, random, ['edit', trackNo, '--label', words]);
    if (!tells(outcome, trackNo, /changed/)) return;
    change.isThere(trackNo, words);
    soak.tally.count('labels acknowledged');
  });
}

async function archive(soak: Circumstances, random: Random): Promise<void> {
  const trackNo = pick(random, soak.ledger.numbers('there'));
  soak.log.forget([trackNo]);
  await run(soak, random, ['edit', trackNo, random() < 0.4 ? '--archive' : '--restore']);
}

async function ask(soak: Circumstances, random: Random, args: readonly string[]): Promise<void> {
  soak.log.expect(Date.now() + 3000, 4);
  await run(soak, random, args);
}

async function listJson(soak: Circumstances, random: Random): Promise<void> {
  const { code, stdout } = await run(soak, random, ['list', '--json', '--all']);
  if (code !== 0) return;
  try {
    const { parcels, version } = JSON.parse(stdout) as { readonly parcels: unknown; readonly version: unknown };
    if (version === 1 && Array.isArray(parcels)) return;
  } catch {
    // Told below.
  }
  soak.tally.fail('commands that failed', `list --json printed ${stdout.slice(0, 200)}`);
}

async function look(soak: Circumstances, random: Random): Promise<void> {
  const numbers = soak.ledger.numbers('there');
  const looks = [['status'], ['status', '--format', '{total} {next}'], ['show', pick(random, numbers)], ['paths']];
  await run(
    soak,
    random,
    pick(random, [...looks, ['export', '--format', 'ics'], ['restore'], ['doctor', '--offline']]),
  );
}

/** Adds these numbers by one command that nobody kills. */
export async function addAll(soak: Circumstances, trackNos: readonly string[]): Promise<void> {
  await changing(soak, 'add', trackNos, async (change) => {
    const outcome = await run(soak, () => 1, ['add', '-'], `${trackNos.join('\n')}\n`);
    for (const trackNo of trackNos) if (tells(outcome, trackNo)) change.isThere(trackNo, null);
  });
}

const commands: readonly Command[] = [
  { weight: 12, act: (soak, random) => add(soak, random, 1) },
  { weight: 3, act: (soak, random) => add(soak, random, 3) },
  { weight: 8, act: remove },
  { weight: 3, act: restore },
  { weight: 8, act: label },
  { weight: 4, act: archive },
  { weight: 4, act: (soak, random) => ask(soak, random, ['watch', '--once']) },
  { weight: 2, act: (soak, random) => ask(soak, random, ['refresh', pick(random, soak.ledger.numbers('there'))]) },
  { weight: 1, act: (soak, random) => ask(soak, random, ['refresh']) },
  { weight: 4, act: listJson },
  { weight: 5, act: look },
];

/** Runs a command at random to its end, or until it is killed. */
export async function runAtRandom(soak: Circumstances, random: Random): Promise<void> {
  await pickWeighted(random, commands).act(soak, random);
}
