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

export type Words = readonly [full: string, short: string];

/** Maximum width of a host name, in cells. */
const maxHostCells = 24;

/** Says who does the checking and how many boards are open, if there are others. */
function connectedProgramsText({
  connectedPrograms,
  isFollowing,
}: Pick<PollingState, 'connectedPrograms' | 'isFollowing'>): Readonly<Record<'boards' | 'checker', Words | null>> {
  if (connectedPrograms == null) {
    const others: Words = ['updated by another window', 'by another window'];
    return { checker: isFollowing ? others : null, boards: null };
  }
  const count = `${connectedPrograms.boards} boards`;
  const boards = connectedPrograms.boards > 1 ? ([count, count] as const) : null;
  const by = checkedByText(connectedPrograms, boards !== null);
  return { checker: by === null ? null : [`checked by ${by}`, `by ${by}`], boards };
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
  readonly asOf?: Words;
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
 * Returns the header as one line of at most `width` cells. It counts what needs attention, what arrives today, the rest and
 * what is new, with the polling state on the right. If space is short, it uses shorter words, then fewer parts. Counts that
 * do not fit are added up, so that each parcel is still counted once.
 */
export function headerRow(input: HeaderInput): Line {
  const all = { left: [...nameParts(input), ...countParts(input)], right: pollingParts(input) };
  const { left, right } = fitHeader(all, input.width);
  const pieces = joined(left, betweenCounts);
  const end = joined(right, betweenRemarks);
  const rest = input.width - 2 * margin - lineWidth(pieces) - lineWidth(end);
  return [blank(margin), ...pieces, ...(end.length === 0 ? [] : [blank(Math.max(0, rest)), ...end])];
}

/**
 * Makes the header fit, first with shorter words, then by dropping the least urgent parts. The last part always stays.
 * The counts of dropped parts are added up.
 */
function fitHeader(sides: HeaderSides, width: number): HeaderSides {
  let { left, right } = sides;
  const fits = (): boolean => sidesWidth({ left, right }) <= width;
  const shortened = (part: Part): Part => ({ ...part, segments: part.short ?? part.segments });
  if (!fits()) right = right.map(shortened);
  if (!fits()) left = left.map(shortened);
  while (left.length + right.length > 1 && !fits()) {
    const lowest = Math.min(...[...left, ...right].map((part) => part.rank));
    left = withoutRank(left, lowest);
    right = right.filter((part) => part.rank !== lowest);
  }
  return { left, right };
}

/** Drops the parts with a rank and adds their counts to "others". */
function withoutRank(parts: readonly Part[], rank: number): Part[] {
  const kept = parts.filter((part) => part.rank !== rank);
  const folded = parts.reduce((sum, part) => sum + (part.rank === rank ? (part.parcels ?? 0) : 0), 0);
  const before = parts.find((part) => part.rank === ranks.others);
  if (folded === 0 || rank === ranks.others) return kept;
  const count = folded + (before?.parcels ?? 0);
  const segment = { text: `+${counted(count, 'other')}`, tone: 'quiet' } as const;
  const others: Part = { rank: ranks.others, segments: [segment], parcels: count };
  const lastCount = kept.findLastIndex((part) => part !== before && part.parcels !== undefined);
  return kept.filter((part) => part !== before).toSpliced(lastCount + 1, 0, others);
}

function sidesWidth({ left, right }: HeaderSides): number {
  const end = right.length === 0 ? 0 : sidesGap + lineWidth(joined(right, betweenRemarks)) + margin;
  return margin + lineWidth(joined(left, betweenCounts)) + end;
}

const joined = (parts: readonly Part[], between: Segment): Line =>
  parts.flatMap(({ segments }, index) => (index === 0 ? segments : [between, ...segments]));

const blank = (width: number): Segment => ({ text: ' '.repeat(width) });

function nameParts({ badge, isArchive, isSilent }: HeaderInput): Part[] {
  const name: Part = { rank: 4, segments: [{ text: 'parcel-monitor', bold: true }] };
  const more = (rank: number, segment: Segment | null): Part[] =>
    segment === null ? [] : [{ rank, segments: [segment] }];
  return [
    name,
    ...more(ranks.badge, badge === null ? null : { text: badge, tone: 'accent', bold: true }),
    ...more(ranks.badge, isArchive === true ? { text: 'archive', tone: 'accent', bold: true } : null),
    ...more(ranks.silence, isSilent === true ? { text: 'silenced', dim: true } : null),
  ];
}

/** Returns the {@link StageCounts} as header parts, in stage order. */
const headerCounts = ({ found }: StageCounts): readonly Part[] =>
  shownStages.flatMap((stage): Part[] => {
    const parcels = found.get(stage) ?? 0;
    const { rank, short, symbol, tone } = stageTable[stage];
    if (parcels === 0) return [];
    const labelled = (words: string): Line => [{ text: `${symbol} ${words}`, tone, bold: stage === 'attention' }];
    const few = labelled(`${parcels} ${short.toLowerCase()}`);
    return [{ rank, segments: labelled(stageCount(stage, parcels)), short: few, parcels }];
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
  const quietly = (rank: number, words: Words | null): Part[] =>
    words === null ? [] : [{ rank, segments: [{ text: words[0], dim: true }], short: [{ text: words[1], dim: true }] }];
  // Never dropped, so that old data cannot be mistaken for current data.
  if (asOf !== undefined) return quietly(ranks.asOf, asOf);
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
  const ownWord = polling.paused ? 'paused' : (polling.budget?.short ?? null);
  const word = problem === null ? ownWord : shortProblem(problem);
  const readOnly = polling.readOnly === null ? null : 'read-only';
  if (phase === 'off') {
    // A read-only board does not need an API key.
    if (readOnly === null) return part(ranks.problem, 'not set up', 'attention');
    return [...part(ranks.problem, readOnly), ...part(5, updated)];
  }
  if (phase === 'checking') {
    return [
      ...part(ranks.problem, word, 'attention'),
      ...quietly(7, ['checking now', 'checking']),
      ...quietly(2, calls),
    ];
  }
  const words = {
    stopped: `stopped: ${word ?? 'see the message'}`,
    'backing-off': word ?? 'last check failed',
    waiting: word,
  };
  const isWaiting = phase === 'waiting';
  const isRetrying = phase === 'backing-off';
  const clock = nextPollAt === null ? null : nextPollAt <= now ? 'now' : clockText(nextPollAt, now, zone);
  const next: Words = clock === null ? ['nothing due', 'nothing due'] : [`next check ${clock}`, `next ${clock}`];
  const retry = clock === null ? null : `retry ${clock}`;
  return [
    ...part(ranks.problem, words[phase], 'attention'),
    // Shown in addition to a problem, because neither implies the other.
    ...part(ranks.problem, problem !== null && polling.paused ? 'paused' : null, 'attention'),
    ...part(ranks.problem, isWaiting ? readOnly : null),
    ...quietly(isWaiting ? 8 : 2.2, phase === 'stopped' ? null : connected.checker),
    ...quietly(isWaiting ? 3.5 : 2.1, phase === 'stopped' ? null : connected.boards),
    ...part(5, updated),
    ...part(7, isRetrying ? retry : null),
    ...quietly(7, isWaiting && !polling.paused ? next : null),
    ...quietly(2, calls),
  ];
}

function callsText({ queriesToday }: PollingState): Words | null {
  const queries = `${queriesToday} ${queriesToday === 1 ? 'query' : 'queries'} today`;
  return queriesToday === 0 ? null : [queries, `${queriesToday} today`];
}

/** `as of 20:31`, for a time of the same day. */
export function asOfTime(at: EpochMs, zone: Zone): Words {
  const text = `as of ${timeText(zone.wallTime(at))}`;
  return [text, text];
}

/** `as of Fri 20 Nov 20:31`, for a different day of the same year. */
export function asOfDay(at: EpochMs, zone: Zone): Words {
  const wall = zone.wallTime(at);
  const [weekday, short] = [weekdayText(wall), `${dayText(wall)} ${timeText(wall)}`];
  return [`as of ${weekday} ${short}`, `as of ${short}`];
}
