import { wrap } from '../text/cells.ts';
import type { Line, Tone } from '../text/line.ts';
import type { ChoiceLines } from './choice-lines.ts';
import type { Proof, ProofCheck, ProofCheckName } from './setup-effects.ts';

const checkTitles: Readonly<Record<ProofCheckName, string>> = {
  address: 'Address',
  connection: 'Connection',
  answer: 'Service',
  key: 'Key',
  clock: 'Clock',
};

/** Each sign has a word beside it, for who cannot tell them apart. */
const states: Readonly<
  Record<ProofCheck['state'], { readonly sign: string; readonly word: string; readonly tone: Tone }>
> = {
  waiting: { sign: '○', word: '', tone: 'quiet' },
  running: { sign: '◔', word: 'checking…', tone: 'accent' },
  ok: { sign: '✓', word: 'ok', tone: 'done' },
  doubtful: { sign: '!', word: 'look at this', tone: 'today' },
  failed: { sign: '✗', word: 'failed', tone: 'attention' },
  skipped: { sign: '–', word: 'not checked', tone: 'quiet' },
};

/** Cells of sign and title before what a check found. */
const titleCells = 15;

/** The checks of a proof below each other, in so many cells, with the one that runs selected. */
export function proofLines(checks: readonly ProofCheck[], width: number): ChoiceLines {
  const blocks = checks.map((check) => checkBlock(check, width));
  const running = checks.findIndex(({ state }) => state === 'running');
  const from = blocks.slice(0, Math.max(0, running)).flat().length;
  return { lines: blocks.flat(), selected: { from, to: from + (blocks[running]?.length ?? 0) } };
}

function checkBlock({ detail, name, state }: ProofCheck, width: number): readonly Line[] {
  const { sign, tone, word } = states[state];
  const found = detail === '' ? word : detail;
  const lead = [{ text: `  ${sign} `, tone, bold: true }, { text: checkTitles[name].padEnd(titleCells - 4) }] as const;
  return wrap(found, Math.max(1, width - titleCells)).map((row, at): Line => {
    const text = { text: row, tone: state === 'ok' ? ('plain' as const) : tone };
    return at === 0 ? [...lead, text] : [{ text: ' '.repeat(titleCells) }, text];
  });
}

/** What is to be done after a proof, as a sentence. */
export function proofAdvice({ mistakeIn, works }: Proof): string {
  if (works) return 'Enter goes on.';
  const again = 'r checks again, Tab goes on all the same.';
  if (mistakeIn === 'service') return `Enter goes back to the address; ${again}`;
  if (mistakeIn === 'key') return `Enter goes back to the key; ${again}`;
  return `Esc goes back; ${again}`;
}
