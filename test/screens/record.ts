/**
 * Records the text of the board's screens, to compare them before and after a change of the drawing code: `npm run
 * screens -- --output FOLDER [--program PATH/dist/cli.js] [--only TEXT]` writes a file per screen and size. `npm run
 * screens -- --compare FOLDER FOLDER` prints the differences, and exits with 1 if there are any.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { now } from '../board/parcels.ts';
import { clockSpeedVariable } from '../clock/clock-shift.ts';
import { shiftClocks } from '../clock/shift-clocks.ts';
import { builtCli } from '../support/built-cli.ts';
import { homeEnvironment } from '../support/home.ts';
import { type OpenTerminal, openTerminal } from '../support/pseudo-terminal.ts';
import { differences, pictureOf, type Recording, trackTerminalState } from './picture.ts';
import { seed } from './seed.ts';
import { openBoard, type Step, type Walk, walks } from './walks.ts';

/** A kind of terminal in which all screens are recorded. */
interface Look {
  readonly name: string;
  readonly size: readonly [columns: number, rows: number];
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const sizes = ['200x60', '160x45', '120x35', '100x30', '80x24', '60x20', '40x12', '30x8'];
const looks: readonly Look[] = sizes.flatMap((size): readonly Look[] => {
  const [columns = 80, rows = 24] = size.split('x').map(Number);
  const look = (kind: string, options: Partial<Look> = {}): Look => ({
    name: `${size}-${kind}`,
    size: [columns, rows],
    arguments: [],
    environment: {},
    ...options,
  });
  const ascii = size === '80x24' || size === '40x12' ? [look('ascii', { arguments: ['--ascii'] })] : [];
  return [look('colour'), look('plain', { environment: { NO_COLOR: '1' } }), ...ascii];
});

/** The environment of the recording. */
interface Recorder {
  readonly program: string;
  readonly folder: string;
  /** Stops the programs' clock. */
  readonly clock: Readonly<Record<string, string>>;
}

const quietMs = 80;
/** Some data appears shortly after the first frame. */
const openingQuietMs = 500;
const unchangedMs = 500;
const patienceMs = 20_000;
const redraw = '\u000c';

/**
 * Whether no thread of a process is busy: on a busy machine it may be silent but not finished. Always true if the
 * system cannot tell.
 */
function isAtRest(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.every((id) => readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').includes(') S '));
  } catch {
    return true;
  }
}

/** Leads one program from screen to screen, and returns those with names. */
async function walkThrough(run: OpenTerminal, steps: readonly Step[]): Promise<Recording> {
  const terminalState = trackTerminalState(run.emulator);
  const pictures = new Map<string, string>();
  let shown = '';
  for (const [index, [name, typed, shows]] of steps.entries()) {
    if (index === 0) await run.waitFor((text) => text.trim() !== '', 'anything');
    if (typed !== '') run.type(typed);
    // A field shows at least the end of the typed text.
    const end = /^\P{Cc}{3,}$/u.test(typed) ? typed.slice(-3) : undefined;
    shown = await settled(shown, `"${name ?? JSON.stringify(typed)}" (step ${index + 1})`, shows ?? end);
    if (name !== null) pictures.set(name, shown);
  }
  return pictures;

  /** The picture once it differs from the previous one and has stopped changing. */
  async function settled(before: string, what: string, shows: Step[2] | string): Promise<string> {
    const since = performance.now();
    /** When the program was asked to redraw, after the typed text, because that may change nothing. */
    let askedAt: number | null = null;
    for (;;) {
      const written = run.written();
      await delay(before === '' ? openingQuietMs : quietMs);
      await run.waitFor(() => true, 'a whole frame');
      const picture = pictureOf(run.emulator, terminalState());
      const isShown = typeof shows === 'string' ? picture.includes(shows) : (shows?.test(picture) ?? true);
      const isDone = picture !== before || (askedAt !== null && written > askedAt);
      if (run.written() === written && isAtRest(run.pid) && isDone && isShown) return picture;
      const waited = performance.now() - since;
      if (waited > patienceMs) throw new Error(`${what} did not appear:\n${picture}`);
      // A key removes messages, so it is not pressed while one may still come.
      if (waited > unchangedMs && askedAt === null && shows === undefined && picture === before) {
        askedAt = written;
        run.type(redraw);
      }
    }
  }
}

/** Starts the programs of a walk in their own home, and records it. */
async function recordWalk(recorder: Recorder, look: Look, name: string, walk: Walk): Promise<Recording> {
  const home = join(recorder.folder, look.name, name);
  const folder = (kind: string): string => join(home, kind);
  mkdirSync(folder('tmp'), { recursive: true });
  await seed(
    { data: join(folder('data'), 'parcel-monitor'), cache: join(folder('cache'), 'parcel-monitor') },
    walk.watched,
  );
  const account = { PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9/', PARCEL_MONITOR_API_KEY: 'a-key-of-nobody' };
  const environment = {
    ...recorder.clock,
    ...homeEnvironment(home),
    PATH: '/usr/bin:/bin',
    ...(walk.isSetUp === true ? account : {}),
    ...look.environment,
  };
  const open = (): OpenTerminal =>
    openTerminal(process.execPath, [recorder.program, ...look.arguments, ...(walk.arguments ?? [])], {
      size: look.size,
      environment,
      workingDirectory: home,
    });
  const opened: OpenTerminal[] = [];
  try {
    if (walk.isSecond === true) {
      const first = open();
      opened.push(first);
      await walkThrough(first, [openBoard]);
    }
    const run = open();
    opened.push(run);
    return await walkThrough(run, walk.steps);
  } finally {
    for (const run of opened) await run.close();
  }
}

async function record(program: string, output: string, only: string): Promise<void> {
  const machineNow = Date.now();
  const clock: NodeJS.ProcessEnv = {};
  shiftClocks(clock, now, machineNow);
  clock[clockSpeedVariable] = `0@${machineNow}`;
  // A path of varying length would break lines in other places.
  const folder = join(tmpdir(), 'parcel-monitor-screens');
  if (existsSync(folder)) throw new Error(`Another recording is running. If it was killed, remove ${folder}.`);
  mkdirSync(folder);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const recorder: Recorder = { program, folder, clock: clock as Record<string, string> };
  const waiting = looks
    .flatMap((look) => Object.entries(walks).map(([name, walk]) => ({ look, name, walk })))
    .filter(({ look, name }) => `${look.name}/${name}`.includes(only))
    .filter(({ look, name }) => !look.name.startsWith('30x8') || name === 'empty');
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { look, name, walk } = next;
      try {
        const pictures = await recordWalk(recorder, look, name, walk);
        mkdirSync(join(output, look.name), { recursive: true });
        for (const [step, picture] of pictures) writeFileSync(join(output, look.name, `${name}-${step}.txt`), picture);
        process.stderr.write(`${look.name}/${name}: ${pictures.size} screens\n`);
      } catch (error) {
        // The others are still useful.
        process.stderr.write(`${look.name}/${name}: ${String(error)}\n`);
        process.exitCode = 1;
      }
    }
  };
  await Promise.all([work(), work(), work(), work()]);
}

const readRecording = (folder: string): Recording =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.txt'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string', default: builtCli },
    output: { type: 'string' },
    only: { type: 'string', default: '' },
    compare: { type: 'boolean', default: false },
  },
});
const [before, after] = positionals;
if (values.compare && before !== undefined && after !== undefined) {
  const found = differences(readRecording(before), readRecording(after));
  process.stdout.write(found.map((text) => `${text}\n\n`).join(''));
  process.stderr.write(`${found.length} screens differ.\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
} else if (values.output !== undefined) await record(resolve(values.program), resolve(values.output), values.only);
else {
  process.stderr.write('Give --output FOLDER to record the screens, or --compare FOLDER FOLDER.\n');
  process.exitCode = 2;
}
