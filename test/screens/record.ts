/**
 * Records the text of the board's screens, to compare them before and after a change to the drawing code: `npm run
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

/** A terminal and the options with which all screens are recorded. */
interface Variant {
  readonly name: string;
  readonly size: readonly [columns: number, rows: number];
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const sizes = ['200x60', '160x45', '120x35', '100x30', '80x24', '60x20', '40x12', '30x8'];
const variants: readonly Variant[] = sizes.flatMap((size): readonly Variant[] => {
  const [columns = 80, rows = 24] = size.split('x').map(Number);
  const variant = (kind: string, options: Partial<Variant> = {}): Variant => ({
    name: `${size}-${kind}`,
    size: [columns, rows],
    arguments: [],
    environment: {},
    ...options,
  });
  const ascii = size === '80x24' || size === '40x12' ? [variant('ascii', { arguments: ['--ascii'] })] : [];
  return [variant('colour'), variant('plain', { environment: { NO_COLOR: '1' } }), ...ascii];
});

/** What all walks of a recording share. */
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
const timeoutMs = 20_000;
const redraw = '\u000c';

/**
 * Whether all threads of a process are sleeping: on a busy machine, a process may be silent but not finished. Always
 * true if the system has no `/proc`.
 */
function isIdle(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.every((id) => readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').includes(') S '));
  } catch {
    return true;
  }
}

/** Takes a program from screen to screen, and returns the screens that have a name. */
async function walkThrough(run: OpenTerminal, steps: readonly Step[]): Promise<Recording> {
  const terminalState = trackTerminalState(run.emulator);
  const pictures = new Map<string, string>();
  let shown = '';
  for (const [index, [name, typed, shows]] of steps.entries()) {
    if (index === 0) await run.waitFor((text) => text.trim() !== '', 'anything');
    if (typed !== '') run.type(typed);
    // A field shows at least the end of the typed text.
    const end = /^\P{Cc}{3,}$/u.test(typed) ? typed.slice(-3) : undefined;
    shown = await nextPicture(shown, `"${name ?? JSON.stringify(typed)}" (step ${index + 1})`, shows ?? end);
    if (name !== null) pictures.set(name, shown);
  }
  return pictures;

  /** The picture once it differs from the previous one and has stopped changing. */
  async function nextPicture(before: string, description: string, shows: Step[2] | string): Promise<string> {
    const since = performance.now();
    /** How much the program had written before it was asked to redraw, because the input may change nothing. */
    let writtenBeforeRedraw: number | null = null;
    for (;;) {
      const written = run.written();
      await delay(before === '' ? openingQuietMs : quietMs);
      await run.waitFor(() => true, 'a whole frame');
      const picture = pictureOf(run.emulator, terminalState());
      const isShown = typeof shows === 'string' ? picture.includes(shows) : (shows?.test(picture) ?? true);
      const isDone = picture !== before || (writtenBeforeRedraw !== null && written > writtenBeforeRedraw);
      if (run.written() === written && isIdle(run.pid) && isDone && isShown) return picture;
      const waited = performance.now() - since;
      if (waited > timeoutMs) throw new Error(`${description} did not appear:\n${picture}`);
      // Any key clears messages, so do not press one while a message may still appear.
      if (waited > unchangedMs && writtenBeforeRedraw === null && shows === undefined && picture === before) {
        writtenBeforeRedraw = written;
        run.type(redraw);
      }
    }
  }
}

/** Starts a walk's programs in their own home folder, and records the walk. */
async function recordWalk(recorder: Recorder, variant: Variant, name: string, walk: Walk): Promise<Recording> {
  const home = join(recorder.folder, variant.name, name);
  const folder = (kind: string): string => join(home, kind);
  mkdirSync(folder('tmp'), { recursive: true });
  await seed(
    { data: join(folder('data'), 'parcel-monitor'), cache: join(folder('cache'), 'parcel-monitor') },
    walk.watchlist,
  );
  const account = { PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9/', PARCEL_MONITOR_API_KEY: 'not-a-valid-key' };
  const environment = {
    ...recorder.clock,
    ...homeEnvironment(home),
    PATH: '/usr/bin:/bin',
    ...(walk.isSetUp === true ? account : {}),
    ...variant.environment,
  };
  const open = (): OpenTerminal =>
    openTerminal(process.execPath, [recorder.program, ...variant.arguments, ...(walk.arguments ?? [])], {
      size: variant.size,
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
  // A path of a different length would wrap lines differently.
  const folder = join(tmpdir(), 'parcel-monitor-screens');
  if (existsSync(folder)) throw new Error(`Another recording is running. If it was killed, remove ${folder}.`);
  mkdirSync(folder);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const recorder: Recorder = { program, folder, clock: clock as Record<string, string> };
  const queue = variants
    .flatMap((variant) => Object.entries(walks).map(([name, walk]) => ({ variant, name, walk })))
    .filter(({ variant, name }) => `${variant.name}/${name}`.includes(only))
    .filter(({ variant, name }) => !variant.name.startsWith('30x8') || name === 'empty');
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { variant, name, walk } = next;
      try {
        const pictures = await recordWalk(recorder, variant, name, walk);
        mkdirSync(join(output, variant.name), { recursive: true });
        for (const [step, picture] of pictures)
          writeFileSync(join(output, variant.name, `${name}-${step}.txt`), picture);
        process.stderr.write(`${variant.name}/${name}: ${pictures.size} screens\n`);
      } catch (error) {
        // The other walks are still useful.
        process.stderr.write(`${variant.name}/${name}: ${String(error)}\n`);
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
  process.stderr.write(
    'Pass --output FOLDER to record the screens, or --compare FOLDER FOLDER to compare two recordings.\n',
  );
  process.exitCode = 2;
}
