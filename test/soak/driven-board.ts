import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { modesLeftOn, type OpenTerminal, openTerminal, type ProcessEnd } from '../support/pseudo-terminal.ts';

/** Ways in which a board's life ends; `q` and `ctrl+c` are keys, `hang-up` closes the window. */
export type Ending = 'SIGKILL' | 'SIGTERM' | 'SIGHUP' | 'SIGINT' | 'q' | 'ctrl+c' | 'hang-up';

/** What to start. */
export interface BoardOptions {
  readonly cli: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly size: readonly [columns: number, rows: number];
}

/** A board that runs in a terminal, with what the soak looks at from outside. */
export interface DrivenBoard {
  readonly run: OpenTerminal;
  /** Process id of the program itself. */
  readonly pid: number;
  readonly startedAt: number;
  /** Numbers that were changed by keys of this board, which undo can concern. */
  readonly touched: Set<string>;
  /** Whether an undo was not answered in time: the next answer may be that one's. */
  isBehind: boolean;
  /** Heap after a collection in bytes; null when the board does not answer. */
  heap(): Promise<number | null>;
  /** Ends the board and answers what is wrong with how it ended, in words. Only the first call counts. */
  end(ending: Ending): Promise<readonly string[]>;
  /** Whether somebody has told it to end. */
  isEnding(): boolean;
  /** Resolves when the process is gone. */
  readonly gone: Promise<ProcessEnd>;
}

/** Exit code of each ending; null where the terminal is not there to tell it any more. */
const codes: Readonly<Record<Ending, number | null>> = {
  SIGKILL: null,
  SIGTERM: 143,
  SIGHUP: 129,
  SIGINT: 130,
  q: 0,
  'ctrl+c': 0,
  'hang-up': null,
};
/** How long a board may take to end, in milliseconds. */
const endsWithinMs = 10_000;

/** Loaded before the program: collects garbage on a signal and notes what is left. */
const collector = `
import { writeFileSync, renameSync } from 'node:fs';
process.on('SIGUSR2', () => {
  globalThis.gc();
  const note = process.env.SOAK_HEAP_NOTE;
  writeFileSync(note + '.part', String(process.memoryUsage().heapUsed));
  renameSync(note + '.part', note);
});`;

/**
 * A shell notes how the terminal is set before and after, for nobody can ask it once its last process is gone. `$0` is the
 * folder for notes, what follows is the program.
 */
const shellScript = `
stty -a > "$0/before"
sh -c 'echo $$ > "$0/pid.part"; mv "$0/pid.part" "$0/pid"; exec "$@"' "$0" "$@"
code=$?
stty -a > "$0/after"
exit $code`;

/** Starts a board. It is ready for keys at once; they wait in the terminal. */
export async function startBoard({ cli, environment, size }: BoardOptions): Promise<DrivenBoard> {
  const notes = await mkdtemp(join(tmpdir(), 'parcel-monitor-soak-notes-'));
  const note = async (name: string): Promise<string | null> =>
    await readFile(join(notes, name), 'utf8').catch(() => null);
  const preload = `data:text/javascript,${encodeURIComponent(collector)}`;
  const program = [process.execPath, '--expose-gc', '--import', preload, cli];
  const run = openTerminal('sh', ['-c', shellScript, notes, ...program], {
    environment: { ...environment, SOAK_HEAP_NOTE: join(notes, 'heap') },
    size,
  });
  const pid = await programId(() => note('pid'));
  let ending: Ending | null = null;

  const finish = async (chosen: Ending): Promise<readonly string[]> => {
    if (chosen === 'q' || chosen === 'ctrl+c') await quitByKey(run, chosen);
    else if (chosen === 'hang-up') run.hangUp();
    else signal(pid, chosen);
    const end = await Promise.race([run.exit, delay(endsWithinMs, null, { ref: false })]);
    const wanted = codes[chosen];
    const faults: string[] = [];
    if (end === null) faults.push(`did not end within ${endsWithinMs / 1000} s of ${chosen}`);
    else if (wanted !== null && (end.code !== wanted || end.signal !== 0)) {
      faults.push(`ended with code ${end.code}, signal ${end.signal} and not with ${wanted} after ${chosen}`);
    }
    if (end !== null && wanted !== null) {
      faults.push(...restorationFaults(run, await note('before'), await note('after')));
    }
    const crash = crashText(run.normalScreen());
    if (crash !== null) faults.push(`it said "${crash}":\n${run.normalScreen()}`);
    await run.close();
    await rm(notes, { recursive: true, force: true });
    return faults;
  };

  return {
    run,
    startedAt: Date.now(),
    touched: new Set(),
    isBehind: false,
    pid,
    gone: run.exit,
    isEnding: () => ending !== null,
    async end(chosen) {
      if (ending !== null) return [];
      ending = chosen;
      // One that sleeps would not hear.
      signal(pid, 'SIGCONT');
      return await finish(chosen);
    },
    async heap() {
      if (ending !== null) return null;
      await rm(join(notes, 'heap'), { force: true });
      signal(pid, 'SIGUSR2');
      for (let tries = 0; tries < 40; tries += 1) {
        await delay(50);
        const heap = await note('heap');
        if (heap !== null) return Number(heap);
      }
      return null;
    },
  };
}

/** What only a program that has broken shows; null when there is nothing of it. */
export function crashText(screen: string): string | null {
  return (
    /This is a bug|\b\w*Error\b|Unhandled|Maximum update depth|\[object Object\]|\bNaN\b|\bundefined\b|\(\S+:\d+:\d+\)/.exec(
      screen,
    )?.[0] ?? null
  );
}

/** Sends a signal to a process; it may have ended in this instant. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already.
  }
}

/** `q` is a letter in some places and closes others; a person would press Escape first, and again. */
async function quitByKey(run: OpenTerminal, key: 'q' | 'ctrl+c'): Promise<void> {
  if (key === 'ctrl+c') {
    run.press('ctrl+c');
    return;
  }
  const gone = run.exit.then(() => true);
  for (let tries = 0; tries < 4; tries += 1) {
    await Promise.race([backToList(run), gone]);
    run.type('q');
    // What was typed just before may have made the q a letter of something.
    if (await Promise.race([gone, delay(1_500, false, { ref: false })])) return;
  }
}

/** Goes back to the list by as many Escapes as it takes; answers whether it got there. */
export async function backToList(run: OpenTerminal): Promise<boolean> {
  for (let tries = 0; tries < 12; tries += 1) {
    if (showsList(run.text())) return true;
    const before = run.text();
    run.press('plainEscape');
    await run.waitFor((text) => text !== before || showsList(text), 'something else', 500).catch(() => undefined);
  }
  return showsList(run.text());
}

/** Whether a screen shows the list with its keys in the footer. */
export const showsList = (screen: string): boolean => / ⏎ (?:timeline|open|collapse) .*q quit$/.test(screen);

/** The size is the window's matter. */
const withoutSize = (settings: string | null): string => settings?.replace(/rows \d+; columns \d+;/, '') ?? 'unknown';

async function programId(note: () => Promise<string | null>): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const pid = await note();
    if (pid !== null) return Number(pid);
    await delay(10);
  }
  throw new Error('The shell did not start the board.');
}

function restorationFaults(run: OpenTerminal, before: string | null, after: string | null): readonly string[] {
  const modes = modesLeftOn(run.outputSince(0));
  return [
    ...(run.isOnAlternateScreen() ? ['the alternate screen was not left'] : []),
    ...(modes.length > 0 ? [`modes were left: ${modes.join(', ')}`] : []),
    ...(withoutSize(before) === withoutSize(after) ? [] : [`the terminal's settings changed: ${after}`]),
  ];
}
