import { cut, lineText, lineWidth, wrap } from '../lib/cells.ts';
import type { Line, Segment } from '../lib/paint.ts';
import { withoutAddress } from '../lib/text.ts';
import { stageTable } from '../parcels/stages.ts';
import type { PollingProblem, PollingState } from '../store/polling-state.ts';

/** Why nothing is checked by itself until the user does something, so that no time of a next check can be promised. */
export type PauseReason = 'no-key' | 'paused' | 'stopped' | 'cut-off';

/** Why nothing is checked by itself; null while polling goes on, or is to be tried again. */
export function pauseReason({
  cutOffSince,
  phase,
  paused,
}: Pick<PollingState, 'cutOffSince' | 'phase' | 'paused'>): PauseReason | null {
  if (cutOffSince !== null) return 'cut-off';
  if (phase === 'off') return 'no-key';
  if (phase === 'stopped') return 'stopped';
  return paused ? 'paused' : null;
}

export const pausePhrases: Readonly<Record<PauseReason, string>> = {
  'no-key': 'no checks: not set up',
  paused: 'automatic checks paused',
  stopped: 'no checks until this is fixed',
  'cut-off': 'no checks until the database is back',
};

/** A problem, or something else to be said in its place. */
export interface HeaderProblem extends PollingProblem {
  /** How many others wait behind it; none when left out. */
  readonly more?: number;
}

/** Problems in two or three words, for where their sentences have no room. */
const problemWords: Readonly<Record<PollingProblem['kind'], string>> = {
  unreachable: 'offline',
  timeout: 'no answer',
  'bad-answer': 'unexpected answer',
  'answer-too-large': 'answer too large',
  'redirect-refused': 'redirect refused',
  'operation-missing': 'wrong address',
  'key-refused': 'key refused',
  'quota-exhausted': 'quota used up',
  'rate-limited': 'slowed down',
  'request-refused': 'request refused',
  'service-trouble': 'service error',
  cancelled: 'cancelled',
  store: 'storage error',
};

export const shortProblem = ({ isRegistering, kind }: PollingProblem): string =>
  isRegistering === true ? `registrations: ${problemWords[kind]}` : problemWords[kind];

/** Cells before a problem's sentence. */
export const problemMargin = 3;

export const problemSign: Segment = { text: stageTable.attention.sign, tone: 'attention', bold: true };

/**
 * A problem as at most `most` lines behind {@link problemMargin}, with code and trace where one is enough: what does not
 * fit on one line is wrapped, so that the advice at the end of the sentence is not what gets lost. The last line may be
 * longer than there is room, unless others wait behind it: how many stands at its end.
 */
export function problemLines(problem: HeaderProblem, width: number, most: number): readonly Line[] {
  const { more = 0 } = problem;
  if (more === 0) return sentenceLines(problem, width, most);
  const count = ` (${more} more)`;
  const lines = sentenceLines({ ...problem, message: `${problem.message}${count}` }, width, most);
  const last = lines.at(-1) ?? [];
  const room = Math.max(1, width - problemMargin);
  if (lineWidth(last) <= room) return lines;
  const text = cut(lineText(last).replace(count, ''), Math.max(1, room - count.length));
  return [...lines.slice(0, -1), [{ text: text + count, tone: 'attention' }]];
}

function sentenceLines({ code, message: full, traceId }: HeaderProblem, width: number, most: number): readonly Line[] {
  const room = Math.max(1, width - problemMargin);
  // One watchlist has one database: its address is what can be spared.
  const message = wrap(full, room).length <= most ? full : withoutAddress(full);
  const whole = wrap(message, room);
  if (most <= 1 || whole.length <= 1) {
    const references = [code, traceId].filter((part) => part !== null).join(' ');
    return [
      [{ text: message, tone: 'attention' }, ...(references === '' ? [] : [{ text: `  ${references}`, dim: true }])],
    ];
  }
  const shown = whole.length <= most ? whole : [...whole.slice(0, most - 1), whole.slice(most - 1).join(' ')];
  return shown.map((text): Line => [{ text, tone: 'attention' }]);
}
