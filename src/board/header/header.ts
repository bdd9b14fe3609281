import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { ServiceErrorKind } from '../../service/failures/errors.ts';
import type { Company } from '../../watchlist/state/presence.ts';
import { stageLooks } from '../status/stage-look.ts';
import { cut, lineText, lineWidth, wrap } from '../text/cells.ts';
import { counted } from '../text/counted.ts';
import type { Line, Segment, Tone } from '../text/line.ts';
import { withoutAddress } from '../text/without-address.ts';
import { agoText } from '../time/age.ts';
import { clockText } from '../time/zone-time.ts';
import { companyWords } from './company-words.ts';
import { headerCounts, othersSegment, type StageCounts, unreadSegment } from './header-counts.ts';

/** What stands between us and the service. */
export interface HeaderProblem {
  readonly kind: ServiceErrorKind | 'store';
  /** A sentence for the user with what to do next. */
  readonly message: string;
  readonly code: string | null;
  readonly traceId: string | null;
  /** How many others wait behind it; none when left out. */
  readonly more?: number;
}

/** The state of polling, as far as the header shows it. */
export interface HeaderPolling {
  readonly phase: 'off' | 'waiting' | 'checking' | 'backing-off' | 'stopped';
  readonly nextPollAt: EpochMs | null;
  readonly lastAnswerAt: EpochMs | null;
  readonly callsSent: number;
  /** Queries of this day, by all processes; absent where only the calls of this run are known. */
  readonly queriesToday?: number;
  /** True while the user has paused automatic checks. */
  readonly paused?: boolean;
  /** True while another process polls. */
  readonly isFollowing?: boolean;
  /** Since when the database of the watchlist cannot be reached; null or left out while it can. */
  readonly cutOffSince?: EpochMs | null;
  /** Why nothing can be written here; null or left out where it can. */
  readonly readOnly?: string | null;
  /** Who polls, and how many boards are open on all hosts; absent or null where no other host is known. */
  readonly company?: Company | null;
  /** Set while the user's own budget is used up. */
  readonly budget?: { readonly resumesAt: EpochMs } | null;
  readonly problem: HeaderProblem | null;
}

/** What stands in the header beside the name: of a board that is no real one, or of which the list is still being read. */
export type BoardBadge = 'DEMO' | 'READING';

/** What the header depends on. */
export interface HeaderInput {
  /** Of all parcels. */
  readonly counted: StageCounts;
  readonly polling: HeaderPolling;
  readonly now: EpochMs;
  /** The viewer's zone. */
  readonly zone: Zone;
  /** Cells of the line. */
  readonly width: number;
  readonly badge: BoardBadge | null;
  /** Whether the board lists what is archived. */
  readonly isArchive?: boolean;
  /** Whether notifications are silenced. */
  readonly isSilent?: boolean;
  /** What it says in place of the state of polling when nothing of that can be known; absent on a live board. */
  readonly asOf?: AsOf;
}

/** When a frame stood that is not live any more: in full, and in fewer words. */
export interface AsOf {
  readonly full: string;
  readonly short: string;
}

/** Problems in two or three words, for where their sentences have no room. */
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

/** A piece of the header; of several too many the one with the lowest rank goes first. */
interface Part {
  readonly rank: number;
  readonly segments: Line;
  /** The same in fewer words, before any piece goes. */
  readonly short?: Line;
  /** So many parcels, which are counted with the others when the piece goes. */
  readonly parcels?: number;
}

/** The header: pieces that stand apart on the left, and a line on the right. */
export interface HeaderText {
  readonly left: readonly Line[];
  readonly right: Line;
}

/** Cells at the ends of the header. */
export const headerMargin = 1;
/** Cells between two pieces on the left. */
export const headerGap = 3;
/** Cells between the left and the right, at least. */
const sidesGap = 2;

/** Ranks of the pieces that stay longest. */
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
 * The header in at most `width` cells: what needs the reader, what comes today, the rest, what is unread; on the right the
 * state of polling. In a narrow window it uses fewer words, then leaves out the less urgent parts; the last one stays. Counts
 * that have no room are added up, so that every watched parcel is counted once.
 */
export function headerText(input: HeaderInput): HeaderText {
  let left = [...nameParts(input), ...countParts(input)];
  let right = pollingParts(input);
  if (needed(left, right) > input.width)
    right = right.map(({ rank, segments, short }) => ({ rank, segments: short ?? segments }));
  while (left.length + right.length > 1 && needed(left, right) > input.width) {
    const lowest = Math.min(...[...left, ...right].map((part) => part.rank));
    left = withoutRank(left, lowest);
    right = right.filter((part) => part.rank !== lowest);
  }
  return { left: left.map(({ segments }) => segments), right: rightLine(right) };
}

/** The pieces without those of a rank; what those counted is added to the others. */
function withoutRank(parts: readonly Part[], rank: number): Part[] {
  const kept = parts.filter((part) => part.rank !== rank);
  const folded = parts.reduce((sum, part) => sum + (part.rank === rank ? (part.parcels ?? 0) : 0), 0);
  const before = parts.find((part) => part.rank === ranks.others);
  if (folded === 0 || rank === ranks.others) return kept;
  const count = folded + (before?.parcels ?? 0);
  const others: Part = { rank: ranks.others, segments: [othersSegment(count)], parcels: count };
  const lastCount = kept.findLastIndex((part) => part !== before && part.parcels !== undefined);
  return kept.filter((part) => part !== before).toSpliced(lastCount + 1, 0, others);
}

/** Cells before a problem's sentence. */
export const problemMargin = 3;

/** What stands before a problem's sentence. */
export const problemSign: Segment = { text: stageLooks.attention.symbol, tone: 'attention', bold: true };

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

function nameParts({ badge, isArchive, isSilent }: HeaderInput): Part[] {
  const name: Part = { rank: 4, segments: [{ text: 'parcel-monitor', bold: true }] };
  const more = (rank: number, segment: Segment | null): Part[] =>
    segment === null ? [] : [{ rank, segments: [segment] }];
  return [
    name,
    // Keys wait as long: in a narrow window, too, somebody has to know why.
    ...more(
      badge === 'READING' ? ranks.asOf : ranks.badge,
      badge === null ? null : { text: badge, tone: 'accent', bold: true },
    ),
    ...more(ranks.badge, isArchive === true ? { text: 'archive', tone: 'accent', bold: true } : null),
    ...more(ranks.silence, isSilent === true ? { text: 'silenced', dim: true } : null),
  ];
}

function countParts({ counted }: HeaderInput): Part[] {
  const { counts, unread } = headerCounts(counted);
  if (counts.length === 0) return [{ rank: 9, segments: [{ text: 'no parcels yet', dim: true }] }];
  const highest = Math.max(...counts.map(({ rank }) => rank));
  const parts = counts.map(
    ({ count, rank, segment }): Part => ({
      rank: rank === highest ? ranks.onlyCount : rank,
      segments: [segment],
      parcels: count,
    }),
  );
  return unread === 0 ? parts : [...parts, { rank: ranks.unread, segments: [unreadSegment(unread)] }];
}

function pollingParts({ asOf, polling, now, zone }: HeaderInput): Part[] {
  // It is never left out: without it, what is old would pass for what is.
  if (asOf !== undefined) {
    return [{ rank: ranks.asOf, segments: [{ text: asOf.full, dim: true }], short: [{ text: asOf.short, dim: true }] }];
  }
  const { cutOffSince = null, phase, nextPollAt, lastAnswerAt, problem } = polling;
  const said = (rank: number, text: string | null, tone?: Tone): Part[] =>
    text === null ? [] : [{ rank, segments: [tone === undefined ? { text, dim: true } : { text, tone }] }];
  const quietly = (rank: number, words: Words | null): Part[] =>
    words === null ? [] : [{ rank, segments: [{ text: words[0], dim: true }], short: [{ text: words[1], dim: true }] }];
  const updated = lastAnswerAt === null ? null : `updated ${agoText(lastAnswerAt, now)}`;
  if (cutOffSince !== null) {
    return [
      ...said(ranks.problem, `cut off since ${clockText(cutOffSince, now, zone)}`, 'attention'),
      ...said(ranks.unwritten, problem?.kind === 'store' ? 'changes wait' : null, 'attention'),
      ...said(5, updated),
    ];
  }
  const calls = callsText(polling);
  const company = companyWords(polling);
  const word = problem === null ? ownWord(polling) : problemWords[problem.kind];
  const next: Words = nextPollAt === null ? ['nothing due', 'nothing due'] : nextWords(nextPollAt, now, zone);
  // Beside a problem, since neither says anything of the other.
  const paused = problem === null || polling.paused !== true ? null : 'paused';
  switch (phase) {
    case 'off':
      // Who can only read needs no key.
      if (polling.readOnly != null) return [...said(ranks.problem, 'read-only'), ...said(5, updated)];
      return said(ranks.problem, 'not set up', 'attention');
    case 'checking':
      return [
        ...said(ranks.problem, word, 'attention'),
        ...quietly(7, ['checking now', 'checking']),
        ...quietly(2, calls),
      ];
    case 'stopped':
      return [
        ...said(ranks.problem, `stopped: ${word ?? 'see the message'}`, 'attention'),
        ...said(ranks.problem, paused, 'attention'),
        ...said(5, updated),
        ...quietly(2, calls),
      ];
    case 'backing-off':
      return [
        ...said(ranks.problem, word ?? 'last call failed', 'attention'),
        ...said(ranks.problem, paused, 'attention'),
        ...quietly(2.2, company.checker),
        ...quietly(2.1, company.boards),
        ...said(5, updated),
        ...said(7, nextPollAt === null ? null : `again ${clockOrNow(nextPollAt, now, zone)}`),
        ...quietly(2, calls),
      ];
    case 'waiting':
      return [
        ...said(ranks.problem, word, 'attention'),
        ...said(ranks.problem, paused, 'attention'),
        ...said(ranks.problem, polling.readOnly == null ? null : 'read-only'),
        ...quietly(8, company.checker),
        ...quietly(3.5, company.boards),
        ...said(5, updated),
        ...quietly(7, polling.paused === true ? null : next),
        ...quietly(2, calls),
      ];
  }
}

/** Why the user's own settings hold polling back, in two or three words. */
function ownWord({ paused, budget }: HeaderPolling): string | null {
  if (paused === true) return 'paused';
  return budget == null ? null : 'budget used up';
}

/** The same in full and in fewer words. */
type Words = readonly [full: string, short: string];

function callsText({ queriesToday, callsSent }: HeaderPolling): Words | null {
  if (queriesToday === undefined) {
    const calls = counted(callsSent, 'call');
    return callsSent === 0 ? null : [calls, calls];
  }
  const queries = `${queriesToday} ${queriesToday === 1 ? 'query' : 'queries'} today`;
  return queriesToday === 0 ? null : [queries, `${queriesToday} today`];
}

function nextWords(at: EpochMs, now: EpochMs, zone: Zone): Words {
  const clock = clockOrNow(at, now, zone);
  return [`next check ${clock}`, `next ${clock}`];
}

function clockOrNow(at: EpochMs, now: EpochMs, zone: Zone): string {
  return at <= now ? 'now' : clockText(at, now, zone);
}

/** The pieces of the right, with dots between them. */
function rightLine(parts: readonly Part[]): Line {
  return parts.flatMap(({ segments }, index) => (index === 0 ? segments : [{ text: ' · ', dim: true }, ...segments]));
}

/** Cells that the parts need. */
function needed(left: readonly Part[], right: readonly Part[]): number {
  const pieces = left.reduce(
    (sum, { segments }) => sum + lineWidth(segments),
    headerGap * Math.max(0, left.length - 1),
  );
  const end = right.length === 0 ? 0 : sidesGap + lineWidth(rightLine(right)) + headerMargin;
  return headerMargin + pieces + end;
}
