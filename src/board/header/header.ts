import type { EpochMs } from '../../service/clock/clock.ts';
import type { ServiceErrorKind } from '../../service/failures/errors.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { type LookName, stageGlyph, stageLooks } from '../status/stage-look.ts';
import { countedStage, tourOf } from '../status/standing.ts';
import { fitLine, lineWidth, wrap } from '../text/cells.ts';
import type { GlyphSet, Line, Segment, Tone } from '../text/line.ts';
import { inGlyphs } from '../text/stand-in.ts';
import { agoText } from '../time/age.ts';
import { clockText, dateInZone } from '../time/zone-time.ts';

/** What stands between us and the service. */
export interface HeaderProblem {
  readonly kind: ServiceErrorKind | 'store';
  /** A sentence for the user with what to do next. */
  readonly message: string;
  readonly code: string | null;
  readonly traceId: string | null;
}

/** How the asking goes, as far as the header tells it. */
export interface HeaderPolling {
  readonly phase: 'off' | 'waiting' | 'asking' | 'backing-off' | 'stopped';
  readonly nextPollAt: EpochMs | null;
  readonly lastAnswerAt: EpochMs | null;
  readonly callsSent: number;
  /** Queries of this day, by all processes; absent where only the calls of this run are known. */
  readonly queriesToday?: number;
  /** True while nothing is asked by itself because the user said so. */
  readonly paused?: boolean;
  /** True while another process asks by itself. */
  readonly isFollowing?: boolean;
  /** Set while the user's own budget is used up. */
  readonly budget?: { readonly resumesAt: EpochMs } | null;
  readonly problem: HeaderProblem | null;
}

/** What the header depends on. */
export interface HeaderInput {
  readonly parcels: readonly Parcel[];
  readonly polling: HeaderPolling;
  readonly now: EpochMs;
  /** The viewer's IANA zone. */
  readonly zone: string;
  /** Cells of the line. */
  readonly width: number;
  readonly badge: 'DEMO' | null;
  readonly glyphs: GlyphSet;
}

const problemWords: Readonly<Record<HeaderProblem['kind'], string>> = {
  unreachable: 'offline',
  timeout: 'no answer',
  'bad-answer': 'odd answer',
  'answer-too-large': 'answer too large',
  'redirect-refused': 'redirect refused',
  'operation-missing': 'wrong address',
  'key-refused': 'key refused',
  'quota-exhausted': 'quota used up',
  'rate-limited': 'slowed down',
  'request-refused': 'request refused',
  'service-trouble': 'service in trouble',
  cancelled: 'cancelled',
  store: 'store in trouble',
};

/** A problem in two or three words, for where its sentence has no room. */
export function problemWord(kind: HeaderProblem['kind']): string {
  return problemWords[kind];
}

/** A piece of the header; of several too many the one with the lowest rank goes first. */
interface Part {
  readonly rank: number;
  readonly segments: Line;
}

/**
 * The header, exactly `width` cells: what needs the reader, what comes today, the rest; on the right how the asking
 * goes. In a narrow window the less urgent parts are left out.
 */
export function headerLine(input: HeaderInput): Line {
  let left = [...nameParts(input), ...countParts(input)];
  let right = pollingParts(input);
  while (left.length + right.length > 1 && needed(left, right) > input.width) {
    const lowest = Math.min(...[...left, ...right].map((part) => part.rank));
    left = left.filter((part) => part.rank !== lowest);
    right = right.filter((part) => part.rank !== lowest);
  }
  const start = leftLine(left);
  const end = rightLine(right);
  const between = Math.max(0, input.width - lineWidth(start) - lineWidth(end));
  return inGlyphs(fitLine([...start, { text: ' '.repeat(between) }, ...end], input.width), input.glyphs);
}

/**
 * A problem as lines of exactly `width` cells, at most `most` of them: what does not fit on one line is wrapped, so
 * that the advice at the end of the sentence is not what gets lost.
 */
export function problemLines(problem: HeaderProblem, width: number, most: number, glyphs: GlyphSet): readonly Line[] {
  const whole = wrap(problem.message, Math.max(1, width - problemMargin));
  if (most <= 1 || whole.length <= 1) return [problemLine(problem, width, glyphs)];
  const shown = whole.length <= most ? whole : [...whole.slice(0, most - 1), whole.slice(most - 1).join(' ')];
  return shown.map((text, row) => {
    const lead: Segment =
      row === 0
        ? { text: ` ${stageGlyph('attention', glyphs)} `, tone: 'attention', bold: true }
        : { text: ' '.repeat(problemMargin) };
    return inGlyphs(fitLine([lead, { text, tone: 'attention' }], width), glyphs);
  });
}

/** Cells before a problem's sentence. */
const problemMargin = 3;

/** A problem as one line of exactly `width` cells: mark, sentence, code and trace; cut where it does not fit. */
export function problemLine(problem: HeaderProblem, width: number, glyphs: GlyphSet): Line {
  const references = [problem.code, problem.traceId].filter((part) => part !== null).join(' ');
  const line: Line = [
    { text: ` ${stageGlyph('attention', glyphs)} `, tone: 'attention', bold: true },
    { text: problem.message, tone: 'attention' },
    ...(references === '' ? [] : [{ text: `  ${references}`, dim: true }]),
  ];
  return inGlyphs(fitLine(line, width), glyphs);
}

function nameParts({ badge }: HeaderInput): Part[] {
  const name: Part = { rank: 4, segments: [{ text: 'parcel-monitor', bold: true }] };
  return badge === null ? [name] : [name, { rank: 10, segments: [{ text: badge, tone: 'accent', bold: true }] }];
}

function countParts({ parcels, glyphs, now, zone }: HeaderInput): Part[] {
  const counts = new Map<LookName, number>();
  for (const parcel of parcels) {
    if (parcel.archivedAt !== null) continue;
    const stage = countedStage(parcelStage(parcel), () => tourOf(parcel, now, (at) => dateInZone(at, zone)));
    counts.set(stage, (counts.get(stage) ?? 0) + 1);
  }
  if (counts.size === 0) return [{ rank: 9, segments: [{ text: 'no parcels yet', dim: true }] }];
  const part = (look: LookName, rank: number, words: (count: number) => string): Part[] => {
    const count = counts.get(look) ?? 0;
    if (count === 0) return [];
    const { tone } = stageLooks[look];
    const bold = look === 'attention';
    return [{ rank, segments: [{ text: `${stageGlyph(look, glyphs)} ${words(count)}`, tone, bold }] }];
  };
  return [
    ...part('attention', 12, (count) => `${count} ${count === 1 ? 'needs' : 'need'} you`),
    ...part('out-for-delivery', 11, (count) => `${count} out today`),
    ...part('pickup', 9, (count) => `${count} to pick up`),
    ...part('in-transit', 6, (count) => `${count} moving`),
    ...part('no-record', 1, (count) => `${count} without record`),
    ...part('delivered', 3, (count) => `${count} delivered`),
  ];
}

function pollingParts({ polling, now, zone }: HeaderInput): Part[] {
  const { phase, nextPollAt, lastAnswerAt, problem } = polling;
  const said = (rank: number, text: string | null, tone?: Tone): Part[] =>
    text === null ? [] : [{ rank, segments: [tone === undefined ? { text, dim: true } : { text, tone }] }];
  const asked = lastAnswerAt === null ? null : `asked ${agoText(lastAnswerAt, now)}`;
  const calls = callsText(polling);
  const word = problem === null ? ownWord(polling) : problemWord(problem.kind);
  const next = nextPollAt === null ? null : nextText(nextPollAt, now, zone);
  // Beside a problem, since neither says anything of the other.
  const paused = problem === null || polling.paused !== true ? null : 'paused';
  switch (phase) {
    case 'off':
      return said(8, 'not asking: not set up', 'attention');
    case 'asking':
      return [...said(8, word, 'attention'), ...said(7, 'asking now'), ...said(2, calls)];
    case 'stopped':
      return [
        ...said(8, `stopped: ${word ?? 'see the message'}`, 'attention'),
        ...said(8, paused, 'attention'),
        ...said(5, asked),
        ...said(2, calls),
      ];
    case 'backing-off':
      return [
        ...said(8, word ?? 'last call failed', 'attention'),
        ...said(8, paused, 'attention'),
        ...said(5, asked),
        ...said(7, nextPollAt === null ? null : `again ${clockOrNow(nextPollAt, now, zone)}`),
        ...said(2, calls),
      ];
    case 'waiting':
      return [
        ...said(8, word, 'attention'),
        ...said(8, paused, 'attention'),
        ...said(8, polling.isFollowing === true ? 'another board asks' : null),
        ...said(5, asked),
        ...said(7, polling.paused === true ? null : (next ?? 'nothing due')),
        ...said(2, calls),
      ];
  }
}

/** What the user has decided about the asking, in two or three words. */
function ownWord({ paused, budget }: HeaderPolling): string | null {
  if (paused === true) return 'paused';
  return budget == null ? null : 'budget used up';
}

function callsText({ queriesToday, callsSent }: HeaderPolling): string | null {
  if (queriesToday !== undefined) return queriesToday === 0 ? null : `${queriesToday} today`;
  return callsSent === 0 ? null : `${callsSent} ${callsSent === 1 ? 'call' : 'calls'}`;
}

function nextText(at: EpochMs, now: EpochMs, zone: string): string {
  return `next ${clockOrNow(at, now, zone)}`;
}

function clockOrNow(at: EpochMs, now: EpochMs, zone: string): string {
  return at <= now ? 'now' : clockText(at, now, zone);
}

function leftLine(parts: readonly Part[]): Segment[] {
  return [{ text: ' ' }, ...separated(parts, '   ')];
}

function rightLine(parts: readonly Part[]): Segment[] {
  return parts.length === 0 ? [] : [...separated(parts, ' · '), { text: ' ' }];
}

function separated(parts: readonly Part[], separator: string): Segment[] {
  return parts.flatMap((part, index) =>
    index === 0 ? [...part.segments] : [{ text: separator, dim: true }, ...part.segments],
  );
}

/** Cells that the parts need, with two between the sides. */
function needed(left: readonly Part[], right: readonly Part[]): number {
  return lineWidth(leftLine(left)) + (right.length === 0 ? 0 : 2 + lineWidth(rightLine(right)));
}
