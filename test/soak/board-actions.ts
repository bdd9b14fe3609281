import type { Random } from '../../src/lib/clock.ts';
import { pick, pickWeighted } from '../../src/sandbox/seeded-random.ts';
import { keys } from '../support/pseudo-terminal.ts';
import { type Circumstances, someOf, usualParcels } from './circumstances.ts';
import { backToList, type DrivenBoard } from './driven-board.ts';

/** Somebody at the keys of a board. */
export interface Hand {
  readonly board: DrivenBoard;
  readonly soak: Circumstances;
  readonly random: Random;
  /** Types; nothing happens once the board is told to end. */
  press(text: string): void;
  resize(columns: number, rows: number): void;
  size(): readonly [columns: number, rows: number];
  /** Waits until something is on the screen; false when that does not come. */
  shows(isShown: () => boolean): Promise<boolean>;
  /** Waits for a message; null when it does not come or the board is gone. */
  says(wanted: RegExp, timeoutMs?: number): Promise<RegExpExecArray | null>;
}

/** Something that a person does at a board. It begins at the list. */
interface Doing {
  readonly name: string;
  readonly weight: number;
  readonly act: (hand: Hand) => Promise<void>;
}

/** Longest wait for what a change came to: the service's time limit twice, and some. */
const outcomeWithinMs = 8_000;

const ctrl = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96);
const clearLine = ctrl('e') + ctrl('u');
const sizes: readonly (readonly [columns: number, rows: number])[] = [
  [160, 40],
  [120, 30],
  [100, 24],
  [80, 24],
  [60, 20],
];
const smallSizes: typeof sizes = [
  [40, 12],
  [30, 8],
];

const lastRow = (hand: Hand): string => hand.board.run.rows().at(-1) ?? '';
const barRow = (hand: Hand): string => hand.board.run.rows().at(-2) ?? '';

async function move({ press, random }: Hand): Promise<void> {
  const moves = ['j', 'k', keys.down, keys.up, keys.applicationDown, 'g', 'G', ctrl('d'), ctrl('u'), '\u001b[6~'];
  for (let count = 1 + Math.floor(random() * 4); count > 0; count -= 1) press(pick(random, moves));
}

async function readTimeline({ press, random }: Hand): Promise<void> {
  press(pick(random, ['\r', 'l', '\t']));
  press(pick(random, ['jjj', 'G', 'jjk', '\u001b[6~']));
  if (random() < 0.5) press('h');
}

async function filter({ press, random, soak }: Hand): Promise<void> {
  const known = pick(random, soak.ledger.numbers('there').concat('YT'));
  press('/');
  press(pick(random, ['kk', 'L1', known.slice(0, 4), 'zzz']));
  press(pick(random, ['\r', '\r', keys.down]));
}

async function add(hand: Hand): Promise<void> {
  const { board, press, random, soak } = hand;
  const trackNo = soak.freshNumber();
  const label = random() < 0.5 ? soak.freshLabel() : null;
  if (label !== null) soak.ledger.noteLabel(label, trackNo);
  const change = soak.ledger.begin([trackNo], 'add at a board');
  board.touched.add(trackNo);
  press('a');
  press(clearLine);
  const text = label === null ? trackNo : `${trackNo} "${label}"`;
  if (random() < 0.3) for (const letter of text) press(letter);
  else press(text);
  press('\r');
  soak.log.expect(Date.now(), 2);
  const name = label ?? trackNo;
  if ((await hand.says(new RegExp(`^ Added ${name}\\.`), outcomeWithinMs)) !== null) {
    change.isThere(trackNo, label);
    soak.tally.count('adds acknowledged');
  }
  change.end();
}

async function pasteSeveral(hand: Hand): Promise<void> {
  const { board, press, random, soak } = hand;
  const trackNos = Array.from({ length: 2 + Math.floor(random() * 4) }, () => soak.freshNumber());
  const change = soak.ledger.begin(trackNos, 'paste at a board');
  for (const trackNo of trackNos) board.touched.add(trackNo);
  press('a');
  press(clearLine);
  press(`\u001b[200~${trackNos.join('\r\n')}\r\n\u001b[201~`);
  press('\r');
  soak.log.expect(Date.now(), 2);
  if ((await hand.says(new RegExp(`^ Added ${trackNos.length} numbers\\.`), outcomeWithinMs)) !== null) {
    for (const trackNo of trackNos) change.isThere(trackNo, null);
    soak.tally.count('adds acknowledged', trackNos.length);
  }
  change.end();
}

/**
 * Only where the question offers a label is it known whose it is: what was added a while ago is selected when it is
 * written, which may be while the question is open.
 */
async function label(hand: Hand): Promise<void> {
  const { board, press, soak } = hand;
  press('e');
  const isAsked = await hand.shows(() => barRow(hand).startsWith(' label of '));
  const offered = isAsked ? /^ label of .+ ▸ (\S+)$/.exec(barRow(hand))?.[1] : undefined;
  const trackNo = soak.ledger.numberOf(offered ?? '');
  if (trackNo === null) {
    press(keys.plainEscape);
    return;
  }
  const text = soak.freshLabel();
  soak.ledger.noteLabel(text, trackNo);
  const change = soak.ledger.begin([trackNo], 'label at a board');
  board.touched.add(trackNo);
  press(clearLine);
  press(`${text}\r`);
  if ((await hand.says(new RegExp(`^ \\S+ is now called ${text}\\.`), outcomeWithinMs)) !== null) {
    change.isThere(trackNo, text);
    soak.tally.count('labels acknowledged');
  }
  change.end();
}

async function archive(hand: Hand): Promise<void> {
  hand.press('x');
  await hand.says(/^ Archived /, outcomeWithinMs);
}

async function remove(hand: Hand): Promise<void> {
  const { board, press, soak } = hand;
  press('d');
  const isAsked = await hand.shows(() => / n no$/.test(lastRow(hand)));
  const title = (isAsked ? /^ delete ▸ (.+?) and its history, here/.exec(barRow(hand))?.[1] : null) ?? '';
  const trackNo = soak.ledger.numberOf(title);
  const isTooFew = soak.ledger.numbers('there').length < usualParcels / 2;
  if (trackNo === null || soak.marked.includes(trackNo) || isTooFew) {
    press('n');
    return;
  }
  const change = soak.ledger.begin([trackNo], 'remove at a board');
  board.touched.add(trackNo);
  press('y');
  soak.log.forget([trackNo]);
  if ((await hand.says(new RegExp(`^ Deleted ${title}\\.`), outcomeWithinMs)) !== null) {
    change.isGone(trackNo);
    soak.tally.count('removals acknowledged');
  }
  change.end();
}

async function undo(hand: Hand): Promise<void> {
  const { board, press, soak } = hand;
  const change = soak.ledger.begin([...board.touched], 'undo at a board');
  soak.log.forget(board.touched);
  press('u');
  const told = await hand.says(
    /^ (?:(?:Label|Tags) of )?(?:(\d+) parcels|(\S+)) (?:(?:are|is) (not watched any more|watched again|as (?:it|they) (?:was|were) before)|restored)\.($)?|nothing to undo/i,
    outcomeWithinMs,
  );
  board.isBehind ||= told === null;
  change.said(told?.input.trim() ?? 'nothing');
  const named = told?.[2] === undefined ? null : soak.ledger.numberOf(told[2]);
  for (const trackNo of board.touched) {
    const isOfNobody = told?.[2] !== undefined && named === null;
    // What several parcels had done to them, or others did meanwhile, is looked up later.
    if (
      told === null ||
      board.isBehind ||
      isOfNobody ||
      told[1] !== undefined ||
      (named !== null && told[4] === undefined)
    )
      continue;
    if (trackNo !== named) change.isAsBefore(trackNo);
    else if (told[3] === 'watched again') change.isThere(trackNo);
    else if (told[3] === 'not watched any more') change.isGone(trackNo);
  }
  change.end();
}

async function pause(hand: Hand): Promise<void> {
  hand.press('P');
  await hand.says(/^ Automatic checks (?:paused|resumed)/, 3000);
}

async function refreshOne({ press, random, soak }: Hand): Promise<void> {
  soak.log.expect(Date.now(), 3);
  press(random() < 0.8 ? 'r' : 'f');
}

async function refreshDue({ press, soak }: Hand): Promise<void> {
  soak.log.expect(Date.now(), 3);
  press('R');
}

async function changeCourier({ press, random, soak }: Hand): Promise<void> {
  soak.log.expect(Date.now(), 3);
  press('c');
  press(pick(random, ['dhl', 'ups', 'yanwen', 'post']));
  press('\r');
}

async function giveExtra({ press, random, soak }: Hand): Promise<void> {
  soak.log.expect(Date.now(), 3);
  press('p');
  press(clearLine);
  press(random() < 0.5 ? '10115\r' : '1234\r');
}

async function lookAround({ press, random }: Hand): Promise<void> {
  press(pick(random, ['?', 'D', 't', 'tt', ctrl('l'), '?jjjj', '\t']));
}

async function resize({ random, resize: to }: Hand): Promise<void> {
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
    to(...pick(random, [...sizes, ...smallSizes]));
  }
  // Never left where there is nothing to see.
  to(...pick(random, sizes));
}

/** Letters that mean something, and some that do not, as a cat would press them; none that changes a parcel. */
async function stray({ press, random }: Hand): Promise<void> {
  for (const key of someOf(random, ['t', 'j', 'k', 'g', '\t', 'h', 'z', '7', 'ö', '?', keys.escape, ctrl('l')], 6))
    press(key);
}

const doings: readonly Doing[] = [
  { name: 'move', weight: 26, act: move },
  { name: 'read a timeline', weight: 8, act: readTimeline },
  { name: 'filter', weight: 6, act: filter },
  { name: 'look around', weight: 8, act: lookAround },
  { name: 'stray keys', weight: 4, act: stray },
  { name: 'resize', weight: 6, act: resize },
  { name: 'add', weight: 12, act: add },
  { name: 'paste', weight: 2, act: pasteSeveral },
  { name: 'label', weight: 6, act: label },
  { name: 'archive', weight: 3, act: archive },
  { name: 'remove', weight: 7, act: remove },
  { name: 'undo', weight: 5, act: undo },
  { name: 'pause', weight: 1.5, act: pause },
  { name: 'ask about one', weight: 5, act: refreshOne },
  { name: 'ask about all', weight: 2, act: refreshDue },
  { name: 'change the courier', weight: 1, act: changeCourier },
  { name: 'give an extra', weight: 1, act: giveExtra },
];

/** Does something at random. Answers what it was, or null when the board did not get back to its list. */
export async function actAtRandom(hand: Hand): Promise<string | null> {
  if (!(await backToList(hand.board.run))) return null;
  const isPaused = / paused /.test(hand.board.run.rows()[0] ?? '');
  if (isPaused && hand.random() < 0.3) {
    await pause(hand);
    return 'go on';
  }
  const isFull = hand.soak.ledger.numbers('there').length > usualParcels * 1.5;
  const doing = pickWeighted(
    hand.random,
    doings.filter(({ act }) => !isFull || (act !== add && act !== pasteSeveral)),
  );
  await doing.act(hand);
  return doing.name;
}
