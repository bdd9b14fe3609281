import { cut, lineWidth } from '../lib/cells.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { Zone } from '../lib/date-time.ts';
import type { Line, Segment, Tone } from '../lib/paint.ts';
import { counted } from '../lib/text.ts';
import type { Viewer } from '../parcels/delivery.ts';
import { shownStages, stageCount, stageTable } from '../parcels/stages.ts';
import type { PollingState } from '../polling/state.ts';
import type { ConnectedPrograms } from '../store/shared-state.ts';
import { shortProblem } from './header-problem.ts';
import type { StageCounts } from './status/status-now.ts';
import { rowSymbols } from './symbols.ts';
import { agoText, clockText, dayText, timeText, weekdayText } from './time.ts';

export type Wording = readonly [full: string, short: string];

/** Maximum width of a host name, in cells. */
const maxHostCells = 24;

/** Says who checks the parcels, and how many boards are open if there is more than one. */
function connectedProgramsText({
  connectedPrograms,
  isFollowing,
}: Pick<PollingState, 'connectedPrograms' | 'isFollowing'>): Readonly<Record<'boards' | 'checker', Wording | null>> {
  if (connectedPrograms == null) {
    const others: Wording = ['updated by another window', 'by another window'];
    return { checker: isFollowing ? others : null, boards: null };
  }
  const count = `${connectedPrograms.boards} boards`;
  const boards = connectedPrograms.boards > 1 ? ([count, count] as const) : null;
  const checker = checkedByText(connectedPrograms, boards !== null);
  return { checker: checker === null ? null : [`checked by ${checker}`, `by ${checker}`], boards };
}

function checkedByText({ checkedBy }: ConnectedPrograms, hasOtherBoards: boolean): string | null {
  if (checkedBy === null) return null;
  if (!checkedBy.isHeldByUs) return cut(checkedBy.host, maxHostCells);
  return hasOtherBoards ? 'this board' : null;
}

export type BoardBadge = 'DEMO';

export interface HeaderInput extends Viewer {
  readonly counted: StageCounts;
  readonly polling: PollingState;
  /** Width of the line, in cells. */
  readonly width: number;
  readonly badge: BoardBadge | null;
  readonly isArchive?: boolean;
  readonly isSilent?: boolean;
  /** Shown instead of the polling state if that is unknown. Absent on a live board. */
  readonly asOf?: Wording;
}

interface Part {
  readonly rank: number;
  readonly segments: Line;
  readonly short?: Line;
  /** Number of parcels that move to "others" if this part is dropped. */
  readonly parcels?: number;
}

interface HeaderSides {
  readonly left: readonly Part[];
  readonly right: readonly Part[];
}

/** Empty cells at each end of the header. */
const margin = 1;
/** Minimum gap between left and right, in cells. */
const sidesGap = 2;
const betweenCounts: Segment = { text: '   ' };
const betweenRemarks: Segment = { text: ' · ', dim: true };

const ranks = {
  onlyCount: 20,
  others: 14,
  badge: 13,
  unread: 11.5,
  silence: 8,
  problem: 11.2,
  unwritten: 15,
  asOf: 30,
} as const;

/**
 * Returns the header as one line of at most `width` cells. It counts what needs attention, what arrives today, the rest
 * and what is new, with the polling state on the right. If space is short, it uses shorter words, then drops parts.
 * Counts that do not fit are added up, so that each parcel is still counted once.
 */
export function headerRow(input: HeaderInput): Line {
  const all = { left: [...nameParts(input), ...countParts(input)], right: pollingParts(input) };
  const { left, right } = fitHeader(all, input.width);
  const pieces = joinParts(left, betweenCounts);
  const end = joinParts(right, betweenRemarks);
  const gap = input.width - 2 * margin - lineWidth(pieces) - lineWidth(end);
  return [blank(margin), ...pieces, ...(end.length === 0 ? [] : [blank(Math.max(0, gap)), ...end])];
}

/**
 * Makes the header fit, first with shorter words, then by dropping the least urgent parts. The last part always stays.
 * The counts of dropped parts are added up.
 */
function fitHeader(sides: HeaderSides, width: number): HeaderSides {
  let { left, right } = sides;
  const fits = (): boolean => sidesWidth({ left, right }) <= width;
  const shorten = (part: Part): Part => ({ ...part, segments: part.short ?? part.segments });
  if (!fits()) right = right.map(shorten);
  if (!fits()) left = left.map(shorten);
  while (left.length + right.length > 1 && !fits()) {
    const lowest = Math.min(...[...left, ...right].map((part) => part.rank));
    left = withoutRank(left, lowest);
    right = right.filter((part) => part.rank !== lowest);
  }
  return { left, right };
}

/** Drops the parts with a rank and adds their counts to "others". */
function withoutRank(parts: readonly Part[], rank: number): Part[] {
  const remaining = parts.filter((part) => part.rank !== rank);
  const droppedCount = parts.reduce((sum, part) => sum + (part.rank === rank ? (part.parcels ?? 0) : 0), 0);
  const previousOthers = parts.find((part) => part.rank === ranks.others);
  if (droppedCount === 0 || rank === ranks.others) return remaining;
  const count = droppedCount + (previousOthers?.parcels ?? 0);
  const segment = { text: `+${counted(count, 'other')}`, tone: 'quiet' } as const;
  const others: Part = { rank: ranks.others, segments: [segment], parcels: count };
  const lastCount = remaining.findLastIndex((part) => part !== previousOthers && part.parcels !== undefined);
  return remaining.filter((part) => part !== previousOthers).toSpliced(lastCount + 1, 0, others);
}

function sidesWidth({ left, right }: HeaderSides): number {
  const end = right.length === 0 ? 0 : sidesGap + lineWidth(joinParts(right, betweenRemarks)) + margin;
  return margin + lineWidth(joinParts(left, betweenCounts)) + end;
}

const joinParts = (parts: readonly Part[], between: Segment): Line =>
  parts.flatMap(({ segments }, index) => (index === 0 ? segments : [between, ...segments]));

const blank = (width: number): Segment => ({ text: ' '.repeat(width) });

function nameParts({ badge, isArchive, isSilent }: HeaderInput): Part[] {
  const name: Part = { rank: 4, segments: [{ text: 'parcel-monitor', bold: true }] };
  const optionalPart = (rank: number, segment: Segment | null): Part[] =>
    segment === null ? [] : [{ rank, segments: [segment] }];
  return [
    name,
    ...optionalPart(ranks.badge, badge === null ? null : { text: badge, tone: 'accent', bold: true }),
    ...optionalPart(ranks.badge, isArchive === true ? { text: 'archive', tone: 'accent', bold: true } : null),
    ...optionalPart(ranks.silence, isSilent === true ? { text: 'silenced', dim: true } : null),
  ];
}

/** Returns the {@link StageCounts} as header parts, in stage order. */
const headerCounts = ({ found }: StageCounts): readonly Part[] =>
  shownStages.flatMap((stage): Part[] => {
    const parcels = found.get(stage) ?? 0;
    const { rank, short, symbol, tone } = stageTable[stage];
    if (parcels === 0) return [];
    const label = (words: string): Line => [{ text: `${symbol} ${words}`, tone, bold: stage === 'attention' }];
    const shortLabel = label(`${parcels} ${short.toLowerCase()}`);
    return [{ rank, segments: label(stageCount(stage, parcels)), short: shortLabel, parcels }];
  });

function countParts({ counted: stages }: HeaderInput): Part[] {
  const counts = headerCounts(stages);
  const { unread } = stages;
  if (counts.length === 0) return [{ rank: 9, segments: [{ text: 'no parcels yet', dim: true }] }];
  const highest = Math.max(...counts.map(({ rank }) => rank));
  const parts = counts.map((part) => (part.rank === highest ? { ...part, rank: ranks.onlyCount } : part));
  const news = { text: `${rowSymbols.unread} ${unread} new`, tone: 'accent', bold: true } as const;
  return unread === 0 ? parts : [...parts, { rank: ranks.unread, segments: [news] }];
}

function pollingParts({ asOf, polling, now, zone }: HeaderInput): Part[] {
  const { cutOffSince, phase, nextPollAt, lastResponseAt, problem } = polling;
  const part = (rank: number, text: string | null, tone?: Tone): Part[] =>
    text === null ? [] : [{ rank, segments: [tone === undefined ? { text, dim: true } : { text, tone }] }];
  const dimPart = (rank: number, words: Wording | null): Part[] =>
    words === null ? [] : [{ rank, segments: [{ text: words[0], dim: true }], short: [{ text: words[1], dim: true }] }];
  // Never dropped, so that old data cannot be mistaken for current data.
  if (asOf !== undefined) return dimPart(ranks.asOf, asOf);
  const updated = lastResponseAt === null ? null : `updated ${agoText(lastResponseAt, now)}`;
  if (cutOffSince !== null) {
    return [
      ...part(ranks.problem, `offline since ${clockText(cutOffSince, now, zone)}`, 'attention'),
      ...part(ranks.unwritten, problem?.kind === 'store' ? 'unsaved changes' : null, 'attention'),
      ...part(5, updated),
    ];
  }
  const calls = callsText(polling);
  const connected = connectedProgramsText(polling);
  const ownState = polling.paused ? 'paused' : (polling.budget?.short ?? null);
  const state = problem === null ? ownState : shortProblem(problem);
  const readOnly = polling.readOnly === null ? null : 'read-only';
  if (phase === 'off') {
    // A read-only board does not need an API key.
    if (readOnly === null) return part(ranks.problem, 'not set up', 'attention');
    return [...part(ranks.problem, readOnly), ...part(5, updated)];
  }
  if (phase === 'checking') {
    return [
      ...part(ranks.problem, state, 'attention'),
      ...dimPart(7, ['checking now', 'checking']),
      ...dimPart(2, calls),
    ];
  }
  const phaseTexts = {
    stopped: `stopped: ${state ?? 'see the message'}`,
    'backing-off': state ?? 'last check failed',
    waiting: state,
  };
  const isWaiting = phase === 'waiting';
  const isRetrying = phase === 'backing-off';
  const clock = nextPollAt === null ? null : nextPollAt <= now ? 'now' : clockText(nextPollAt, now, zone);
  const next: Wording = clock === null ? ['nothing due', 'nothing due'] : [`next check ${clock}`, `next ${clock}`];
  const retry = clock === null ? null : `retry ${clock}`;
  return [
    ...part(ranks.problem, phaseTexts[phase], 'attention'),
    // Shown in addition to a problem, because neither implies the other.
    ...part(ranks.problem, problem !== null && polling.paused ? 'paused' : null, 'attention'),
    ...part(ranks.problem, isWaiting ? readOnly : null),
    ...dimPart(isWaiting ? 8 : 2.2, phase === 'stopped' ? null : connected.checker),
    ...dimPart(isWaiting ? 3.5 : 2.1, phase === 'stopped' ? null : connected.boards),
    ...part(5, updated),
    ...part(7, isRetrying ? retry : null),
    ...dimPart(7, isWaiting && !polling.paused ? next : null),
    ...dimPart(2, calls),
  ];
}

function callsText({ queriesToday }: PollingState): Wording | null {
  const queries = `${queriesToday} ${queriesToday === 1 ? 'query' : 'queries'} today`;
  return queriesToday === 0 ? null : [queries, `${queriesToday} today`];
}

/** `as of 20:31`, for a time of the same day. */
export function asOfTime(at: EpochMs, zone: Zone): Wording {
  const text = `as of ${timeText(zone.wallTime(at))}`;
  return [text, text];
}

/** `as of Fri 20 Nov 20:31`, for a different day of the same year. */
export function asOfDay(at: EpochMs, zone: Zone): Wording {
  const wall = zone.wallTime(at);
  const [weekday, short] = [weekdayText(wall), `${dayText(wall)} ${timeText(wall)}`];
  return [`as of ${weekday} ${short}`, `as of ${short}`];
}
