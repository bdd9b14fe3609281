import { cut, lineText, lineWidth, wrap } from '../lib/cells.ts';
import type { Line, Segment } from '../lib/paint.ts';
import { withoutAddress } from '../lib/text.ts';
import { stageTable } from '../parcels/stages.ts';
import type { PollingProblem, PollingState } from '../polling/state.ts';

/** Why no further check is scheduled until someone intervenes. */
export type PauseReason = 'no-key' | 'paused' | 'stopped' | 'cut-off';

/** Returns why automatic checks have stopped, or null if they continue or will be retried. */
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

export interface HeaderProblem extends PollingProblem {
  /** Number of other problems. Defaults to 0. */
  readonly more?: number;
}

/** Each problem in one to three words. */
const problemTexts: Readonly<Record<PollingProblem['kind'], string>> = {
  unreachable: 'offline',
  timeout: 'no response',
  'bad-answer': 'unexpected response',
  'answer-too-large': 'response too large',
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
  isRegistering === true ? `registrations: ${problemTexts[kind]}` : problemTexts[kind];

/** Cells to the left of a problem's message. */
export const problemMargin = 3;

export const problemSymbol: Segment = { text: stageTable.attention.symbol, tone: 'attention', bold: true };

/**
 * Wraps a problem's message into at most `maxLines` lines to the right of {@link problemMargin}. Adds the code and the
 * trace id if the message takes only one line. The last line may be too long, unless it ends with the number of other
 * problems.
 */
export function problemLines(problem: HeaderProblem, width: number, maxLines: number): readonly Line[] {
  const { more = 0 } = problem;
  if (more === 0) return sentenceLines(problem, width, maxLines);
  const count = ` (${more} more)`;
  const lines = sentenceLines({ ...problem, message: `${problem.message}${count}` }, width, maxLines);
  const last = lines.at(-1) ?? [];
  const room = Math.max(1, width - problemMargin);
  if (lineWidth(last) <= room) return lines;
  const text = cut(lineText(last).replace(count, ''), Math.max(1, room - count.length));
  return [...lines.slice(0, -1), [{ text: text + count, tone: 'attention' }]];
}

function sentenceLines(
  { code, message: full, traceId }: HeaderProblem,
  width: number,
  maxLines: number,
): readonly Line[] {
  const room = Math.max(1, width - problemMargin);
  // There is only one database, so its address can be left out to save room.
  const message = wrap(full, room).length <= maxLines ? full : withoutAddress(full);
  const wrapped = wrap(message, room);
  if (maxLines <= 1 || wrapped.length <= 1) {
    const references = [code, traceId].filter((part) => part !== null).join(' ');
    return [
      [{ text: message, tone: 'attention' }, ...(references === '' ? [] : [{ text: `  ${references}`, dim: true }])],
    ];
  }
  const lines =
    wrapped.length <= maxLines ? wrapped : [...wrapped.slice(0, maxLines - 1), wrapped.slice(maxLines - 1).join(' ')];
  return lines.map((text): Line => [{ text, tone: 'attention' }]);
}
