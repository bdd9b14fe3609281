import { cellWidth, fitLine, lineWidth, paragraphLines } from '../lib/cells.ts';
import type { EpochMs } from '../lib/clock.ts';
import { parseInstant, Zone } from '../lib/date-time.ts';
import type { Line, Segment } from '../lib/paint.ts';
import { counted } from '../lib/text.ts';
import { awaitedDelivery } from '../parcels/delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { courierNeed, isUnreportedDelivery, parcelStage, statusParts } from '../parcels/parcel-state.ts';
import { stageTable } from '../parcels/stages.ts';
import { daysWithoutMovement } from '../parcels/usual-times.ts';
import { type CourierNeed, nameFromCode, requirementLabels } from '../service/couriers.ts';
import { lookupWarning } from '../service/status.ts';
import { type PauseReason, pausePhrases } from './header-problem.ts';
import { nextStep, nextStepLine } from './next-step.ts';
import { courierName, courierPage, deliveredPhrase, parcelLook } from './parcel-facts.ts';
import { factPhrases } from './record-facts.ts';
import { type ExpectedWording, expectedDay, expectedWording } from './status/expected-delivery.ts';
import { quietSentence, statusNow, type Viewing } from './status/status-now.ts';
import { journeyBar } from './symbols.ts';
import { agoText, clockText, type TimeMode, untilText } from './time.ts';

/**
 * `CN ●━━━●━━ DE 6 days`, with a bar of `barWidth` cells if a country is known, and the days in transit if the service
 * counts them.
 */
export function routeLine(parcel: Parcel, barWidth: number): Line {
  const line = journeyBar(parcel, barWidth);
  const transitDays = parcel.record?.transitDays ?? 0;
  if (transitDays < 1) return line;
  const days = { text: counted(transitDays, 'day'), dim: true };
  return line.length === 0 ? [days] : [...line, { text: '   ' }, days];
}

export interface TimelineHeadInput extends Viewing {
  readonly parcel: Parcel;
  /** Width of a line, in cells. */
  readonly width: number;
  readonly checking: boolean;
  /** Why automatic checks have stopped, or null if they have not. */
  readonly pause?: PauseReason | null;
  /** The problem that the screen already shows and that is not repeated here. */
  readonly shownProblem?: string | null;
  /** False for a number that was only looked up. */
  readonly watched?: boolean;
  /** Clock of the timeline below. Defaults to the local time of each event. */
  readonly mode?: TimeMode;
  /** Whether the next check, the weight, the tags and other facts are shown. Defaults to true. */
  readonly showsFacts?: boolean;
  /** Whether the pane has few rows, so that status, route and expected delivery share a line. */
  readonly isCompact?: boolean;
}

const maxBarCells = 72;
const minBarCells = 5;

/** Width of the bar in a pane with few rows, in cells. */
const compactBarWidth = 14;

/**
 * Returns the lines above a timeline: status, expected delivery, route, problems, and then facts such as the next
 * check, the weight and masked extras. Every line has exactly `width` cells.
 */
export function timelineHead(input: TimelineHeadInput): Line[] {
  const { isCompact = false, mode, now, parcel, showsFacts = true, width, zone } = input;
  if (width < 1) return [];
  const warnings = [...contradictionLines(input), ...quietLines(input), ...problemLines(input)];
  const facts = [
    ...joinPhrases(lastMilePhrases(input), width),
    ...joinPhrases(timePhrases(input), width),
    ...joinPhrases([deliveredPhrase(parcel, now, zone, mode) ?? [], factPhrases(parcel)].flat(), width),
    ...joinPhrases(extraPhrases(input), width),
    ...(parcel.note ? paragraph(`note: ${parcel.note}`, width, {}) : []),
  ];
  const lines = [
    ...(isCompact ? [compactLine(input)] : [...statusLines(input), ...routeLines(input)]),
    // If there are no events, the pane has room for the warnings.
    ...(isCompact && parcel.checkpointCount > 0 ? [] : warnings),
    ...(showsFacts ? facts : []),
  ];
  return lines.map((line) => fitLine(line, width));
}

/** Returns the number, with a link to the courier's page, and the courier. */
export function titleLines(parcel: Parcel, width: number): readonly Line[] {
  const courierText = courierAndService(parcel) ?? 'courier not known yet';
  const link = courierPage(parcel);
  const number: Segment = { text: parcel.trackNo, bold: true, ...(link === null ? {} : { link }) };
  const line: Line = [number, { text: ' · ', dim: true }, { text: courierText }];
  const lines = lineWidth(line) <= width ? [line] : [[number], ...paragraph(courierText, width, {})];
  return lines.map((line) => fitLine(line, width));
}

/** Returns courier and service level, such as `UPS Saver`, or null if the courier is unknown. */
export function courierAndService(parcel: Parcel): string | null {
  const courier = courierName(parcel);
  const service = parcel.record?.shipmentType ?? null;
  if (courier === null || service === null || courier.includes(service)) return courier;
  // Most service levels start with the courier's name.
  return service.startsWith(`${courier} `) ? service : `${courier} · ${service}`;
}

function lastMilePhrases({ parcel }: TimelineHeadInput): string[] {
  const lastMile = parcel.record?.lastMile;
  if (lastMile === undefined) return [];
  const { courierCode, courierName, trackNo } = lastMile;
  return [
    ['last mile:', courierName ?? (courierCode === null ? null : nameFromCode(courierCode)), trackNo]
      .filter((part) => part !== null)
      .join(' '),
  ];
}

function statusText({ isCompact = false, now, parcel, zone }: TimelineHeadInput): Line {
  const look = parcelLook(parcel);
  const { symbol, tone } = stageTable[look];
  // With enough rows, the error of a rejected parcel follows below.
  const text = look === 'rejected' && !isCompact ? 'Rejected by the service' : statusNow(parcel, { now, zone });
  return [
    { text: `${symbol} `, tone, bold: true },
    { text, tone, bold: true },
  ];
}

/** Shows the status on the left and the expected delivery on the right. */
function statusLines(input: TimelineHeadInput): readonly Line[] {
  const { width } = input;
  const status = statusText(input);
  const expected = deliveryWording(input);
  const end: Line = expected === null ? [] : [{ text: expected.full, tone: expected.tone }];
  const line = joinEnds(status, end, width);
  if (line !== null) return [line];
  const [symbol, text] = status;
  const rows = paragraphLines(text?.text ?? '', width - 2, text);
  return [
    ...rows.map((row, index): Line => [index === 0 && symbol !== undefined ? symbol : { text: '  ' }, ...row]),
    ...paragraph(expected?.full ?? '', width, end[0] ?? {}),
  ];
}

/** Puts both ends on one line with at least two cells between them. Returns null if they do not fit. */
function joinEnds(left: Line, right: Line, width: number): Line | null {
  const gap = width - lineWidth(left) - lineWidth(right);
  if (right.length === 0) return gap < 0 ? null : left;
  return gap < 2 ? null : [...left, { text: ' '.repeat(gap) }, ...right];
}

function routeLines({ parcel, width }: TimelineHeadInput): readonly Line[] {
  const room = width - lineWidth(routeLine(parcel, 0));
  const route = routeLine(parcel, Math.max(minBarCells, Math.min(maxBarCells, room)));
  return route.length === 0 ? [] : [route];
}

/** Shows the status and as much of route and expected delivery as fits, worded like the parcel's row. */
function compactLine(input: TimelineHeadInput): Line {
  const { parcel, width } = input;
  const status = statusText(input);
  const day = awaitedDelivery(parcel) === null ? null : expectedDay(parcel, input);
  const expected: Line = day === null ? [] : [{ text: day.text, tone: day.tone }];
  const route = routeLine(parcel, compactBarWidth);
  const gap: Line = route.length === 0 || expected.length === 0 ? [] : [{ text: '  ' }];
  const ends = [[...route, ...gap, ...expected], expected, route];
  return ends.map((end) => joinEnds(status, end, width)).find((line) => line !== null) ?? status;
}

const reportedProblems: Readonly<Record<string, string>> = {
  ABNORMAL: 'an exception',
  DELIVERY_FAILED: 'a failed delivery',
};

/** Warns if the newest event reports a delivery but the status does not. */
function contradictionLines({ parcel, width }: TimelineHeadInput): readonly Line[] {
  const { record } = parcel;
  if (record === null || !isUnreportedDelivery(parcel)) return [];
  const { transitStatus, transitSubStatus } = record;
  const reported = reportedProblems[transitStatus ?? ''] ?? `"${statusParts(transitStatus, transitSubStatus).main}"`;
  return paragraph(`The newest event says delivered; the service still reports ${reported}.`, width, {});
}

function deliveryWording(input: TimelineHeadInput): ExpectedWording | null {
  const { mode = 'event', parcel, zone } = input;
  const awaited = awaitedDelivery(parcel);
  const clock = mode === 'event' ? null : mode === 'utc' ? new Zone('UTC') : zone;
  return awaited === null ? null : expectedWording(awaited, input, clock);
}

function quietLines(input: TimelineHeadInput): readonly Line[] {
  const sentence = quietSentence(input.parcel, input);
  return sentence === null ? [] : paragraph(sentence, input.width, { tone: 'today' });
}

function timePhrases(input: TimelineHeadInput): string[] {
  const { parcel, now, zone, checking, pause = null, watched = true } = input;
  const checkedAt = parseInstant(parcel.checkedAt);
  // Parcels that are ready for pick-up are not expected to move, and quiet ones have a line of their own.
  const isStatedAbove = parcelStage(parcel) === 'pickup' || quietSentence(parcel, input) !== null;
  const stillDays = isStatedAbove ? 0 : (daysWithoutMovement(parcel, now) ?? 0);
  return [
    checking ? 'checking now' : watched ? dueText(parcel, now, zone, pause) : 'not watched',
    checkedAt === null ? null : `checked ${agoText(checkedAt, now)}`,
    stillDays > 0 ? `no news for ${counted(stillDays, 'day')}` : null,
  ].filter((part) => part !== null);
}

function dueText(parcel: Parcel, now: EpochMs, zone: Zone, pause: PauseReason | null): string {
  if (parcel.archivedAt !== null) return 'archived, no longer checked';
  if (parcel.registration === 'rejected') return 'no longer checked';
  const at = parseInstant(parcel.nextPollAt);
  if (at === null) return 'no further check planned';
  if (pause !== null) return pausePhrases[pause];
  const clock = clockText(at, now, zone);
  if (at <= now) return `check overdue since ${clock}`;
  const plannedFor = parseInstant(parcel.plannedFor ?? null);
  const delayNote =
    plannedFor === null ? '' : ` (planned ${clockText(plannedFor, now, zone)}; delayed by polling.leastMinutes)`;
  return `next check ${clock}, in ${untilText(at, now)}${delayNote}`;
}

function problemLines(input: TimelineHeadInput): readonly Line[] {
  const { parcel, width, shownProblem = null } = input;
  const lines: Line[] = [];
  if (parcel.error !== null && parcel.error.message !== shownProblem) {
    const { message, code, traceId } = parcel.error;
    const references = [code === null ? null : `code ${code}`, traceId === null ? null : `trace ${traceId}`];
    const sentence = `${stageTable.attention.symbol} ${message}`;
    lines.push(
      ...paragraph(sentence, width, { tone: 'attention' }),
      ...joinPhrases(
        references.filter((part) => part !== null),
        width,
      ),
    );
  }
  if (parcel.registration === 'rejected') {
    const step = nextStep(parcel, input);
    if (step !== null) lines.push(nextStepLine(step));
  }
  const need = courierNeed(parcel);
  if (need !== null) lines.push(...paragraph(needSentence(parcel, need), width, { tone: 'attention' }));
  const warning = lookupWarning(parcel.record?.trackingStatus ?? null);
  if (warning !== null) lines.push(...paragraph(`This may be out of date: ${warning}.`, width, { dim: true }));
  return lines;
}

function needSentence(parcel: Parcel, need: CourierNeed): string {
  const courier = courierName(parcel) ?? 'This courier';
  return `${courier} needs ${requirementLabels[need]} to find the parcel: press p, or run "parcel-monitor edit ${parcel.trackNo} --${need} …".`;
}

/** Shows which extras are set, without revealing their content or length. */
function extraPhrases({ parcel }: TimelineHeadInput): string[] {
  const mask = '••••';
  return [
    ...(parcel.extras.postalCode === null ? [] : [`postal code ${mask}`]),
    ...(parcel.extras.phoneSuffix === null ? [] : [`phone ${mask}`]),
    ...parcel.tags.map((tag) => `#${tag}`),
  ];
}

/** Returns no lines for empty text. */
const paragraph = (text: string, width: number, look: Omit<Segment, 'text'>): readonly Line[] =>
  text === '' ? [] : paragraphLines(text, width, look);

/** Joins phrases with dots, as many on a line as fit. Wraps a phrase only if it is wider than a line. */
function joinPhrases(phrases: readonly string[], width: number): readonly Line[] {
  const rows: string[] = [];
  for (const phrase of phrases) {
    const longer = rows.length === 0 ? phrase : `${rows.at(-1)} · ${phrase}`;
    if (rows.length > 0 && cellWidth(longer) <= width) rows[rows.length - 1] = longer;
    else rows.push(phrase);
  }
  return rows.flatMap((row) => paragraph(row, width, { dim: true }));
}
