import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/lib/clock.ts';
import { pick, randomBetween } from '../../src/sandbox/seeded-random.ts';
import { frameFaults } from '../pty/board-screen.ts';
import { modesLeftOn, type OpenTerminal, openTerminal } from '../support/pseudo-terminal.ts';
import { performRandomAction, sizes } from './board-actions.ts';
import { unsavedMs } from './commands.ts';
import { findCrash, pickByWeight, type World } from './world.ts';

/** How boards end, with weights. `q` and `ctrl+c` are keys, `hang-up` closes the window. */
const endings = { SIGKILL: 55, q: 12, SIGTERM: 8, SIGHUP: 8, 'hang-up': 7, 'ctrl+c': 6, SIGINT: 4 };
type Ending = keyof typeof endings;

/** Exit code of each ending, or null if the terminal is no longer there. */
const exitCodes: Readonly<Record<Ending, number | null>> = {
  ...{ SIGKILL: null, SIGTERM: 143, SIGHUP: 129, SIGINT: 130 },
  ...{ q: 0, 'ctrl+c': 0, 'hang-up': null },
};
const endsWithinMs = 10_000;
const screenWithinMs = 20_000;
const sleepShare = 0.03;
const longestSleepMs = 12_000;
const heapEveryMs = 60_000;
/** In bytes. More growth than this cannot be due to the changing parcels. */
const maxHeapGrowth = 24 * 1024 * 1024;

/** Loaded before the program: on a signal, it collects garbage and writes the remaining heap size to a file. */
const heapReporter = `
import { writeFileSync, renameSync } from 'node:fs';
process.on('SIGUSR2', () => {
  globalThis.gc();
  const heapFile = process.env.STRESS_HEAP_NOTE;
  writeFileSync(heapFile + '.part', String(process.memoryUsage().heapUsed));
  renameSync(heapFile + '.part', heapFile);
});`;

/** A user at a board in a terminal. */
export class Board {
  readonly world: World;
  readonly random: Random;
  readonly run: OpenTerminal;
  /** Numbers that were changed at this board, which undo may affect. */
  readonly touched = new Set<string>();
  /** Whether an undo showed no message in time, so that the next message may be about it. */
  isBehind = false;
  isGone = false;
  isEnding = false;
  readonly #heapFolder: string;
  #size: readonly [columns: number, rows: number];

  constructor(world: World, random: Random, name: string, heapFolder: string) {
    this.world = world;
    this.random = random;
    this.#heapFolder = heapFolder;
    this.#size = pick(random, sizes);
    const preload = `data:text/javascript,${encodeURIComponent(heapReporter)}`;
    this.run = openTerminal(process.execPath, ['--expose-gc', '--import', preload, world.cli], {
      environment: { ...world.environment(name), STRESS_HEAP_NOTE: join(heapFolder, 'heap') },
      size: this.#size,
    });
    void this.run.exit.then(() => {
      this.isGone = true;
    });
  }

  /** Types keys, unless the board is being ended. */
  press(text: string): void {
    if (this.isEnding) return;
    this.world.tally.count('keys_sent');
    this.run.type(text);
  }

  resize(columns: number, rows: number): void {
    if (this.isEnding) return;
    this.#size = [columns, rows];
    this.run.resize(columns, rows);
  }

  /** Waits until the screen matches. Returns false if it does not in time, or if the board is gone. */
  async waitForScreen(isShown: () => boolean, timeoutMs = 1_500): Promise<boolean> {
    const shown = this.run.waitFor(isShown, 'it', timeoutMs).then(
      () => true,
      () => false,
    );
    return await Promise.race([shown, this.run.exit.then(() => false)]);
  }

  /** Waits for a message, or returns null if none appears or the board is gone. */
  async waitForMessage(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray | null> {
    let found: RegExpExecArray | null = null;
    await this.waitForScreen(() => {
      found = pattern.exec(this.run.rows().at(-1) ?? '');
      return found !== null;
    }, timeoutMs);
    return found;
  }

  /** Presses Escape until the list is shown. Returns whether it succeeded. */
  async backToList(): Promise<boolean> {
    for (let tries = 0; tries < 24; tries += 1) {
      const before = this.run.text();
      if (showsList(before)) return true;
      this.run.press('plainEscape');
      await this.waitForScreen(() => this.run.text() !== before || showsList(this.run.text()), 500);
    }
    return showsList(this.run.text());
  }

  /** Performs one random action, and checks the screen before and after. */
  async act(): Promise<void> {
    const { tally } = this.world;
    if (this.isEnding) return;
    const isAtList = await this.backToList();
    if (this.isEnding || this.isGone) return;
    if (!isAtList) {
      tally.fail('broken', `Escape does not return to the list:\n${this.run.text()}`);
      return;
    }
    // Earlier keys may still open something that draws a different frame.
    const isOut = (): boolean => this.isEnding || this.isGone || !showsList(this.run.text());
    if (!(await this.waitForScreen(() => isOut() || this.#frameFaults().length === 0, 3_000)) && !isOut()) {
      tally.fail('broken', `${this.#size.join('x')}: ${this.#frameFaults().join('; ')}\n${this.run.text()}`);
    }
    if (this.isEnding) return;
    const done = await performRandomAction(this);
    const crash = findCrash(this.run.text());
    if (crash !== null) tally.fail('broken', `"${crash}" after ${done}:\n${this.run.text()}`);
  }

  /** Returns the heap size after a garbage collection in bytes, or null if the board does not respond. */
  async heap(): Promise<number | null> {
    const heapFile = join(this.#heapFolder, 'heap');
    await rm(heapFile, { force: true });
    this.#signal('SIGUSR2');
    for (let tries = 0; tries < 40; tries += 1) {
      await delay(50);
      const heap = await readFile(heapFile, 'utf8').catch(() => null);
      if (heap !== null) return Number(heap);
    }
    return null;
  }

  /** Stops the process for a while, like closing a laptop. */
  async sleep(): Promise<void> {
    this.#signal('SIGSTOP');
    await delay(this.random() * Math.min(longestSleepMs, 10 * this.world.paceMs));
    this.#signal('SIGCONT');
  }

  /** Ends the board, and reports what went wrong. */
  async end(ending: Ending): Promise<void> {
    this.isEnding = true;
    // A stopped process would not react.
    this.#signal('SIGCONT');
    if (ending === 'hang-up') this.run.hangUp();
    else if (ending === 'ctrl+c') this.run.press('ctrl+c');
    else if (ending === 'q') await this.#quit();
    else this.#signal(ending);
    const end = await Promise.race([this.run.exit, delay(endsWithinMs, null, { ref: false })]);
    const pattern = exitCodes[ending];
    const faults: string[] = [];
    if (end === null) faults.push(`did not end within ${endsWithinMs / 1000} s`);
    else if (pattern !== null) {
      const modes = modesLeftOn(this.run.outputSince(0));
      if (end.code !== pattern || end.signal !== 0) faults.push(`ended with code ${end.code}, signal ${end.signal}`);
      if (this.run.isOnAlternateScreen()) faults.push('did not leave the alternate screen');
      if (modes.length > 0) faults.push(`left modes: ${modes.join(', ')}`);
    }
    if (findCrash(this.run.normalScreen()) !== null) faults.push('printed an internal error');
    for (const fault of faults) {
      this.world.tally.fail('broken', `a board ${fault} after ${ending}:\n${this.run.normalScreen()}`);
    }
    this.world.log.forgetSince(Date.now() - unsavedMs);
  }

  /** Returns to the list before it presses `q`, which in some places is text or closes something else. Retries. */
  async #quit(): Promise<void> {
    for (let tries = 0; tries < 4 && !this.isGone; tries += 1) {
      await this.backToList();
      this.run.type('q');
      // Earlier keys may have turned the q into a letter.
      await Promise.race([this.run.exit, delay(1_500, null, { ref: false })]);
    }
  }

  #frameFaults(): readonly string[] {
    const notices = this.run
      .rows()
      .slice(1)
      .findIndex((row) => !/^ (?:!| {2})/.test(row));
    const [columns, rows] = this.#size;
    return frameFaults(this.run, columns, rows, 1 + notices).filter(
      (fault) => !fault.includes('the header is missing'),
    );
  }

  #signal(name: NodeJS.Signals): void {
    try {
      process.kill(this.run.pid, name);
    } catch {
      // It has already ended.
    }
  }
}

/** Whether a screen shows the list with its keys in the footer. */
const showsList = (screen: string): boolean => / ⏎ (?:timeline|open|collapse) .*q quit$/.test(screen);

/**
 * Opens and uses one board after the other, until the run is over.
 * @param isLongLived whether boards stay open for minutes, as on a second monitor
 */
export async function operateBoards(world: World, random: Random, isLongLived: boolean): Promise<void> {
  while (!world.isOver()) {
    world.tally.count('boards_started');
    const heapFolder = await mkdtemp(join(tmpdir(), 'parcel-monitor-stress-heapFolder-'));
    const board = new Board(world, random, `board-${world.tally.of('boards_started')}`, heapFolder);
    try {
      await operateBoard(board, isLongLived);
    } finally {
      await board.run.close();
      await rm(heapFolder, { recursive: true, force: true });
    }
    await world.checkStore();
    await delay(randomBetween(random, 0, 3) * world.paceMs);
  }
}

async function operateBoard(board: Board, isLongLived: boolean): Promise<void> {
  const { random, run, world } = board;
  const { paceMs, tally } = world;
  if (!isLongLived && random() < 0.1) {
    // Kill it while it starts.
    await delay(random() * 800);
    await board.end('SIGKILL');
    return;
  }
  // The saved screen is not from this board.
  const hasScreen = (): boolean => run.text().includes('╭') && !run.text().includes(' as of ');
  if (await board.waitForScreen(hasScreen, screenWithinMs)) {
    const actions = Math.round(isLongLived ? randomBetween(random, 150, 400) : randomBetween(random, 1, 15));
    const heaps: number[] = [];
    let lookedAt = Date.now();
    for (let count = 0; count < actions && !board.isGone && !world.isOver(); count += 1) {
      if (random() < sleepShare) await board.sleep();
      await board.act();
      if (Date.now() - lookedAt >= heapEveryMs) {
        lookedAt = Date.now();
        heaps.push((await board.heap()) ?? heaps.at(-1) ?? 0);
      }
      await Promise.race([delay(randomBetween(random, 0.4, 1.6) * paceMs), run.exit]);
    }
    const growth = (heaps.at(-1) ?? 0) - (heaps[0] ?? 0);
    if (growth > maxHeapGrowth) tally.fail('broken', `a board grew by ${growth} bytes in ${heaps.length} minutes`);
  } else if (!board.isGone) tally.fail('broken', `the screen shows no board:\n${run.text()}`);
  if (board.isGone) {
    const { code, signal } = await run.exit;
    tally.fail('broken', `a board ended by itself with code ${code}, signal ${signal}:\n${run.normalScreen()}`);
    return;
  }
  // End it at a random moment during an action.
  const ended = delay(random() * 1200).then(() => board.end(pickByWeight(random, endings)));
  await board.act();
  await ended;
}
