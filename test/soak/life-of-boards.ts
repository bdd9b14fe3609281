import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/lib/clock.ts';
import { between, pick, pickWeighted } from '../../src/sandbox/seeded-random.ts';
import { frameFaults } from '../pty/board-screen.ts';
import { actAtRandom, type Hand } from './board-actions.ts';
import type { Circumstances } from './circumstances.ts';
import { backToList, crashText, type DrivenBoard, type Ending, showsList, signal, startBoard } from './driven-board.ts';
import type { StoreWatch } from './store-watch.ts';
import type { Tally } from './tally.ts';

/** Who sits at boards, and how. */
export interface Sitting {
  readonly soak: Circumstances;
  readonly watch: StoreWatch;
  readonly isOver: (tally: Tally) => boolean;
  readonly paceMs: number;
  readonly random: Random;
  /** Whether boards stay open for minutes, as on a second monitor. */
  readonly isPatient: boolean;
}

const endings: readonly { readonly ending: Ending; readonly weight: number }[] = [
  { ending: 'SIGKILL', weight: 55 },
  { ending: 'q', weight: 12 },
  { ending: 'SIGTERM', weight: 8 },
  { ending: 'SIGHUP', weight: 8 },
  { ending: 'hang-up', weight: 7 },
  { ending: 'ctrl+c', weight: 6 },
  { ending: 'SIGINT', weight: 4 },
];
const startSizes = [
  [160, 40],
  [120, 30],
  [100, 24],
  [80, 24],
] as const;
const screenWithinMs = 20_000;
const sleepShare = 0.03;
const longestSleepMs = 12_000;
const heapEveryMs = 60_000;
/** More than the parcels that come and go explain, in bytes. */
const mostGrowth = 24 * 1024 * 1024;

/** Opens one board after the other, and works at it until it is over. */
export async function sitAtBoards(sitting: Sitting): Promise<void> {
  const { isOver, paceMs, random, soak, watch } = sitting;
  while (!isOver(soak.tally)) {
    await liveOnce(sitting);
    await watch.look();
    await delay(between(random, 0, 3) * paceMs);
  }
}

async function liveOnce(sitting: Sitting): Promise<void> {
  const { isOver, isPatient, paceMs, random, soak } = sitting;
  const { tally } = soak;
  tally.count('boards started');
  const size = pick(random, startSizes);
  const board = await startBoard({
    cli: soak.cli,
    environment: soak.environment(`board-${tally.of('boards started')}`),
    size,
  });
  const hand = handAt(board, sitting, size);
  let isGone = false;
  void board.gone.then(() => {
    isGone = true;
  });
  const { ending } = pickWeighted(random, endings);
  if (!isPatient && random() < 0.1) {
    // Before it has the terminal, keys are the shell's.
    await delay(random() * 800);
    for (const words of await board.end('SIGKILL')) tally.fail('boards ended wrongly', words);
    tally.ended('SIGKILL while it started');
    soak.log.forgetSince(Date.now() - 3000);
    return;
  }
  if (await hasScreen(hand, tally)) {
    const actions = isPatient ? Math.round(between(random, 150, 400)) : Math.round(between(random, 1, 15));
    const heap = new HeapWatch(board, tally);
    for (let count = 0; count < actions && !isGone && !isOver(tally); count += 1) {
      if (random() < sleepShare) await sleep(board, random, paceMs, tally);
      await workOnce(hand, tally);
      await heap.look();
      await Promise.race([delay(between(random, 0.4, 1.6) * paceMs), board.gone]);
    }
    heap.judge();
  }
  if (isGone) {
    const { code, signal: number } = await board.gone;
    const words = `code ${code}, signal ${number}, after ${Math.round((Date.now() - board.startedAt) / 1000)} s:\n${board.run.normalScreen()}`;
    tally.fail('boards ended by themselves', words);
    await board.end('SIGKILL');
    return;
  }
  // It ends at any moment of what is done at it.
  const ended = delay(random() * 1200).then(() => board.end(ending));
  await workOnce(hand, tally);
  for (const words of await ended) tally.fail('boards ended wrongly', words);
  tally.ended(ending);
  soak.log.forgetSince(Date.now() - 3000);
}

async function hasScreen({ board }: Hand, tally: Tally): Promise<boolean> {
  const shown = board.run
    // The frame of last time tells nothing of this board.
    .waitFor((text) => text.includes('╭') && !text.includes(' as of '), 'a board', screenWithinMs)
    .then(
      () => null,
      (error: unknown) => String(error),
    );
  const failure = await Promise.race([shown, board.gone.then(() => null)]);
  if (failure !== null) tally.fail('boards without a screen', failure);
  return failure === null;
}

/** Does one thing at a board, and looks at its screen before and after. */
async function workOnce(hand: Hand, tally: Tally): Promise<void> {
  const { board } = hand;
  if (board.isEnding()) return;
  // A second time, for whom a busy machine has kept waiting.
  const isAtList = (await backToList(board.run)) || (await backToList(board.run));
  if (board.isEnding()) return;
  if (!isAtList) {
    tally.fail('broken frames', `no Escape leads back to the list:\n${board.run.text()}`);
    return;
  }
  await checkFrame(hand, tally);
  if (board.isEnding()) return;
  const done = await actAtRandom(hand);
  const screen = board.run.text();
  const crash = crashText(screen);
  if (crash !== null) tally.fail('screens with crash text', `"${crash}" after ${done ?? 'nothing'}:\n${screen}`);
}

async function checkFrame({ board, size }: Hand, tally: Tally): Promise<void> {
  const faults = (): readonly string[] => {
    const [columns, rows] = size();
    const notices = board.run
      .rows()
      .slice(1)
      .findIndex((row) => !/^ (?:!| {2})/.test(row));
    return frameFaults(board.run, columns, rows, 1 + notices).filter((fault) => !fault.includes('is no header'));
  };
  // Keys that were typed before may still lead somewhere else, where the frame is another one.
  const isOut = (): boolean => board.isEnding() || !showsList(board.run.text());
  await board.run
    .waitFor(() => isOut() || faults().length === 0, 'a whole frame', 3000)
    .catch(() => {
      if (isOut()) return;
      tally.fail('broken frames', `${size().join('x')}: ${faults().join('; ')}\n${board.run.text()}`);
    });
}

/** A laptop that is closed for a while. */
async function sleep(board: DrivenBoard, random: Random, paceMs: number, tally: Tally): Promise<void> {
  tally.count('sleeps');
  signal(board.pid, 'SIGSTOP');
  await delay(random() * Math.min(longestSleepMs, 10 * paceMs));
  signal(board.pid, 'SIGCONT');
}

function handAt(board: DrivenBoard, { random, soak }: Sitting, size: readonly [number, number]): Hand {
  let now = size;
  const until = async (isShown: () => boolean, timeoutMs: number): Promise<boolean> => {
    const shown = board.run.waitFor(isShown, 'it', timeoutMs).then(
      () => true,
      () => false,
    );
    return await Promise.race([shown, board.gone.then(() => false)]);
  };
  return {
    board,
    soak,
    random,
    size: () => now,
    press: (text) => {
      if (board.isEnding()) return;
      soak.tally.count('keys sent');
      board.run.type(text);
    },
    resize: (columns, rows) => {
      if (board.isEnding()) return;
      now = [columns, rows];
      board.run.resize(columns, rows);
    },
    shows: (isShown) => until(isShown, 1_500),
    async says(wanted, timeoutMs = 5_000) {
      let found: RegExpExecArray | null = null;
      await until(() => {
        found = wanted.exec(board.run.rows().at(-1) ?? '');
        return found !== null;
      }, timeoutMs);
      return found;
    },
  };
}

/** Watches what a board keeps in its heap. */
class HeapWatch {
  readonly #board: DrivenBoard;
  readonly #tally: Tally;
  #lookedAt: number;
  #first: number | null = null;
  #last: number | null = null;

  constructor(board: DrivenBoard, tally: Tally) {
    this.#board = board;
    this.#tally = tally;
    this.#lookedAt = board.startedAt;
  }

  async look(): Promise<void> {
    if (Date.now() - this.#lookedAt < heapEveryMs) return;
    this.#lookedAt = Date.now();
    const heap = await this.#board.heap();
    this.#first ??= heap;
    this.#last = heap ?? this.#last;
  }

  judge(): void {
    const growth = (this.#last ?? 0) - (this.#first ?? 0);
    this.#tally.mostGrowth = Math.max(this.#tally.mostGrowth, growth);
    if (growth <= mostGrowth) return;
    const minutes = Math.round((Date.now() - this.#board.startedAt) / 60_000);
    this.#tally.fail('boards that grew', `by ${Math.round(growth / 1024 / 1024)} MiB in ${minutes} minutes`);
  }
}
