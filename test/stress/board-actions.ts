import { pick } from '../../src/sandbox/seeded-random.ts';
import { keys } from '../support/pseudo-terminal.ts';
import type { Board } from './boards.ts';
import { pickByWeight, sample, typicalParcelCount } from './world.ts';

/** Maximum wait for a change's result, in milliseconds: a little more than twice the service's timeout. */
const outcomeWithinMs = 8_000;
/** Window sizes of the boards. */
export const sizes: readonly (readonly [columns: number, rows: number])[] = [
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
const ctrl = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96);
const clearLine = ctrl('e') + ctrl('u');
const pageDown = '\u001b[6~';
const lastRow = ({ run }: Board): string => run.rows().at(-1) ?? '';
const barRow = ({ run }: Board): string => run.rows().at(-2) ?? '';

/** Keys that change no parcel, and some without any effect, as if a cat walked over the keyboard. */
const harmlessKeys: readonly string[] = [
  ...['j', 'k', keys.down, keys.up, keys.applicationDown, 'g', 'G', ctrl('d'), ctrl('u'), pageDown],
  ...['t', '\t', 'h', 'z', '7', 'ö', '?', 'D', keys.escape, ctrl('l'), '?jjjj'],
];

async function add(board: Board): Promise<void> {
  const { random, world } = board;
  const trackNo = world.freshNumber();
  const label = random() < 0.5 ? world.freshLabel() : null;
  if (label !== null) world.ledger.noteLabel(label, trackNo);
  const change = world.ledger.begin([trackNo], 'add at a board');
  board.touched.add(trackNo);
  board.press('a');
  board.press(clearLine);
  const text = label === null ? trackNo : `${trackNo} "${label}"`;
  if (random() < 0.3) for (const letter of text) board.press(letter);
  else board.press(text);
  board.press('\r');
  world.log.expect(Date.now(), 2);
  if ((await board.waitForMessage(new RegExp(`^ Added ${label ?? trackNo}\\.`), outcomeWithinMs)) !== null) {
    change.isThere(trackNo, label);
    world.tally.count('adds_acknowledged');
  }
  change.end();
}

async function pasteSeveral(board: Board): Promise<void> {
  const { random, world } = board;
  const trackNos = Array.from({ length: 2 + Math.floor(random() * 4) }, () => world.freshNumber());
  const change = world.ledger.begin(trackNos, 'paste at a board');
  for (const trackNo of trackNos) board.touched.add(trackNo);
  board.press('a');
  board.press(clearLine);
  board.press(`\u001b[200~${trackNos.join('\r\n')}\r\n\u001b[201~`);
  board.press('\r');
  world.log.expect(Date.now(), 2);
  if ((await board.waitForMessage(new RegExp(`^ Added ${trackNos.length} numbers\\.`), outcomeWithinMs)) !== null) {
    for (const trackNo of trackNos) change.isThere(trackNo, null);
    world.tally.count('adds_acknowledged', trackNos.length);
  }
  change.end();
}

/**
 * Reads the number from the prompt: a number that was added earlier is selected once it is written, which may happen
 * while the prompt is open.
 */
async function label(board: Board): Promise<void> {
  const { ledger, freshLabel, tally } = board.world;
  board.press('e');
  const isPromptShown = await board.waitForScreen(() => barRow(board).startsWith(' label of '));
  const offered = isPromptShown ? /^ label of .+ ▸ (\S+)$/.exec(barRow(board))?.[1] : undefined;
  const trackNo = ledger.numberOf(offered ?? '');
  if (trackNo === null) {
    board.press(keys.plainEscape);
    return;
  }
  const text = freshLabel();
  ledger.noteLabel(text, trackNo);
  const change = ledger.begin([trackNo], 'label at a board');
  board.touched.add(trackNo);
  board.press(clearLine);
  board.press(`${text}\r`);
  if ((await board.waitForMessage(new RegExp(`^ \\S+ is now called ${text}\\.`), outcomeWithinMs)) !== null) {
    change.isThere(trackNo, text);
    tally.count('labels_acknowledged');
  }
  change.end();
}

async function remove(board: Board): Promise<void> {
  const { ledger, log, tally } = board.world;
  board.press('d');
  const isPromptShown = await board.waitForScreen(() => / n no$/.test(lastRow(board)));
  const title = (isPromptShown ? /^ delete ▸ (.+?) and its history, here/.exec(barRow(board))?.[1] : null) ?? '';
  const trackNo = ledger.numberOf(title);
  if (trackNo === null || ledger.numbers('there').length < typicalParcelCount / 2) {
    board.press('n');
    return;
  }
  const change = ledger.begin([trackNo], 'remove at a board');
  board.touched.add(trackNo);
  board.press('y');
  log.forget([trackNo]);
  if ((await board.waitForMessage(new RegExp(`^ Deleted ${title}\\.`), outcomeWithinMs)) !== null) {
    change.isGone(trackNo);
    tally.count('removals_acknowledged');
  }
  change.end();
}

async function undo(board: Board): Promise<void> {
  const { ledger, log } = board.world;
  const change = ledger.begin([...board.touched], 'undo at a board');
  log.forget(board.touched);
  board.press('u');
  const message = await board.waitForMessage(
    /^ (?:(?:Label|Tags) of )?(?:(\d+) parcels|(\S+)) (?:(?:are|is) (no longer on the list|back on the list|as (?:it|they) (?:was|were) before)|restored)\.($)?|nothing to undo/i,
    outcomeWithinMs,
  );
  board.isBehind ||= message === null;
  const [, several, name, outcome, isAll] = message ?? [];
  const named = name === undefined ? null : ledger.numberOf(name);
  // The results of actions on several parcels, or by several actors at the same time, are looked up later.
  const isUnknown = (name !== undefined && named === null) || (named !== null && isAll === undefined);
  if (message !== null && !board.isBehind && several === undefined && !isUnknown) {
    for (const trackNo of board.touched) {
      if (trackNo !== named) change.isAsBefore(trackNo);
      else if (outcome === 'restored') change.isThere(trackNo);
      else if (outcome === 'no longer on the list') change.isGone(trackNo);
    }
  }
  change.end();
}

async function pause(board: Board): Promise<void> {
  board.press('P');
  await board.waitForMessage(/^ Automatic checks (?:paused|resumed)/, 3000);
}

function filter(board: Board): void {
  const { random, world } = board;
  const known = pick(random, world.ledger.numbers('there').concat('YT'));
  board.press('/');
  board.press(pick(random, ['kk', 'L1', known.slice(0, 4), 'zzz']));
  board.press(pick(random, ['\r', '\r', keys.down]));
}

function resize(board: Board): void {
  const { random } = board;
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
    board.resize(...pick(random, [...sizes, ...smallSizes]));
  }
  // Return to a size at which nothing is hidden.
  board.resize(...pick(random, sizes));
}

/** Keys that may cause this many queries. */
function pressQueryKeys(board: Board, ...inputs: readonly string[]): void {
  board.world.log.expect(Date.now(), 3);
  for (const text of inputs) board.press(text);
}

const weights = {
  ...{
    move: 38,
    read: 8,
    filter: 6,
    resize: 6,
    add: 12,
    paste: 2,
    label: 6,
    archive: 3,
    remove: 7,
    undo: 5,
    pause: 1.5,
  },
  ...{ 'query one': 5, 'query all': 2, 'change the courier': 1, 'set the postal code': 1 },
};

/** Performs a random action, starting at the list. Returns its name. */
export async function performRandomAction(board: Board): Promise<string> {
  const { random, world } = board;
  const isPaused = / paused /.test(board.run.rows()[0] ?? '');
  const isFull = world.ledger.numbers('there').length > typicalParcelCount * 1.5;
  const what =
    isPaused && random() < 0.3 ? 'pause' : pickByWeight(random, isFull ? { ...weights, add: 0, paste: 0 } : weights);
  if (what === 'move') for (const key of sample(random, harmlessKeys, 5)) board.press(key);
  else if (what === 'read') {
    board.press(pick(random, ['\r', 'l', '\t']));
    board.press(pick(random, ['jjj', 'Gh', 'jjk', pageDown]));
  } else if (what === 'filter') filter(board);
  else if (what === 'resize') resize(board);
  else if (what === 'add') await add(board);
  else if (what === 'paste') await pasteSeveral(board);
  else if (what === 'label') await label(board);
  else if (what === 'archive') {
    board.press('x');
    await board.waitForMessage(/^ Archived /, outcomeWithinMs);
  } else if (what === 'remove') await remove(board);
  else if (what === 'undo') await undo(board);
  else if (what === 'pause') await pause(board);
  else if (what === 'query one') pressQueryKeys(board, random() < 0.8 ? 'r' : 'f');
  else if (what === 'query all') pressQueryKeys(board, 'R');
  else if (what === 'change the courier')
    pressQueryKeys(board, 'c', pick(random, ['dhl', 'ups', 'yanwen', 'post']), '\r');
  else pressQueryKeys(board, 'p', clearLine, random() < 0.5 ? '10115\r' : '1234\r');
  return what;
}
