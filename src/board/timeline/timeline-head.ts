import type { EpochMs } from '../../service/clock/clock.ts';
import { Zone } from '../../service/clock/zone.ts';
import { type CourierNeed, needWords } from '../../service/record/courier-needs.ts';
import { courierWords } from '../../service/record/courier-words.ts';
import { lookupDoubt, statusWords } from '../../service/record/status.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { awaitedDelivery } from '../../watchlist/rules/awaited-delivery.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { isUnreportedDelivery, needOf } from '../../watchlist/rules/status-text.ts';
import { daysWithoutMovement } from '../../watchlist/rules/usual-stillness.ts';
import { courierPage } from '../courier/courier-page.ts';
import { type PauseReason, pausePhrases } from '../header/pause-reason.ts';
import { expectedWording } from '../status/expected-wording.ts';
import { stageLooks } from '../status/stage-look.ts';
import { quietSentence, statusNow, type Viewing } from '../status/status-now.ts';
import { courierName, instantOf, parcelLook } from '../status/view-stage.ts';
import { cellWidth, fitLine, lineWidth } from '../text/cells.ts';
import { counted } from '../text/counted.ts';
import type { Line, Segment } from '../text/line.ts';
import { paragraphLines } from '../text/paragraph.ts';
import { agoText, untilText } from '../time/age.ts';
import type { TimeMode } from '../time/checkpoint-time.ts';
import { clockText } from '../time/zone-time.ts';
import { factPhrases } from './parcel-facts.ts';
import { routeLine } from './route.ts';

/** What the head of a timeline depends on. */
export interface TimelineHeadInput extends Viewing {
  readonly parcel: Parcel;
  /** Cells of a line. */
  readonly width: number;
  /** Whether a call about this parcel is under way. */
  readonly checking: boolean;
  /** Why nothing is checked by itself; nothing stands in the way when left out. */
  readonly pause?: PauseReason | null;
  /** A problem that is shown elsewhere on the screen, and not said again here; null or left out for none. */
  readonly shownProblem?: string | null;
  /** False for a number that was looked up once and is not on the watchlist. */
  readonly watched?: boolean;
  /** Whose clock the timeline below shows; that of the place when left out. */
  readonly mode?: TimeMode;
}

const longestBar = 14;
const shortestBar = 5;

/**
 * What stands above a timeline: number and courier, status and route, when it is expected, what went wrong, when the next
 * update is due, what else is known, which extra information is given (masked). The number leads to the courier's page. Every line is exactly `width` cells.
 */
export function timelineHead(input: TimelineHeadInput): Line[] {
  if (input.width < 1) return [];
  const lines = [
    ...titleLines(input),
    ...flow(lastMile(input), input.width),
    ...statusLines(input),
    ...contradictionLines(input),
    ...expectedLines(input),
    ...quietLines(input),
    ...troubleLines(input),
    ...flow(times(input), input.width),
    ...flow(factPhrases(input.parcel, input, input.mode), input.width),
    ...flow(extras(input), input.width),
  ];
  return lines.map((line) => fitLine(line, input.width));
}

function titleLines({ parcel, width }: TimelineHeadInput): readonly Line[] {
  const courier = courierName(parcel) ?? 'courier not known yet';
  const service = parcel.record?.shipmentType ?? null;
  const about = service === null || courier.includes(service) ? courier : serviceOf(courier, service);
  const link = courierPage(parcel);
  const number: Segment = { text: parcel.trackNo, bold: true, ...(link === null ? {} : { link }) };
  const whole: Line = [number, { text: ' · ', dim: true }, { text: about }];
  return lineWidth(whole) <= width ? [whole] : [[number], ...paragraph(about, width, {})];
}

/** A service level usually begins with the courier's name, which need not be said twice. */
function serviceOf(courier: string, service: string): string {
  return service.startsWith(`${courier} `) ? service : `${courier} · ${service}`;
}

/** The local courier after the hand-over, with the number that it knows the parcel by. */
function lastMile({ parcel }: TimelineHeadInput): string[] {
  const lastMile = parcel.record?.lastMile;
  if (lastMile === undefined) return [];
  const { courierCode, courierName, trackNo } = lastMile;
  return [
    ['last mile:', courierName ?? (courierCode === null ? null : courierWords(courierCode)), trackNo]
      .filter((part) => part !== null)
      .join(' '),
  ];
}

function statusLines(input: TimelineHeadInput): readonly Line[] {
  const { now, parcel, width, zone } = input;
  const look = parcelLook(parcel);
  const { symbol, tone } = stageLooks[look];
  // A rejected parcel's words follow below as its error, with code and trace.
  const text = look === 'rejected' ? 'Rejected by the service' : statusNow(parcel, { now, zone });
  const status: Line = [
    { text: `${symbol} `, tone, bold: true },
    { text, tone, bold: true },
  ];
  const besides = width - lineWidth(status) - 2;
  const bar = Math.min(longestBar, besides - lineWidth(routeLine(parcel, 0)));
  const route = routeLine(parcel, Math.max(bar, shortestBar));
  if (route.length === 0) return lineWidth(status) <= width ? [status] : paragraph(text, width, { tone, bold: true });
  if (lineWidth(route) <= besides) {
    return [[...status, { text: ' '.repeat(width - lineWidth(status) - lineWidth(route)) }, ...route]];
  }
  return [...paragraph(text, width, { tone, bold: true }), route];
}

const stillReported: Readonly<Record<string, string>> = {
  ABNORMAL: 'an exception',
  DELIVERY_FAILED: 'a failed delivery',
};

/** That the newest event tells of a delivery of which the service's status says nothing. */
function contradictionLines({ parcel, width }: TimelineHeadInput): readonly Line[] {
  const { record } = parcel;
  if (record === null || !isUnreportedDelivery(parcel)) return [];
  const { transitStatus, transitSubStatus } = record;
  const reported = stillReported[transitStatus ?? ''] ?? `"${statusWords(transitStatus, transitSubStatus).main}"`;
  return paragraph(`The newest event says delivered; the service still reports ${reported}.`, width, {});
}

/** When it is expected, as far as the service says. */
function expectedLines(input: TimelineHeadInput): readonly Line[] {
  const { mode = 'event', parcel, zone } = input;
  const awaited = awaitedDelivery(parcel);
  const clock = mode === 'event' ? null : mode === 'utc' ? new Zone('UTC') : zone;
  const expected = awaited === null ? null : expectedWording(awaited, input, clock);
  return expected === null
    ? []
    : paragraph(expected.full, input.width, expected.when === 'today' ? { tone: 'today' } : {});
}

/** That it stands still for longer than is usual. */
function quietLines(input: TimelineHeadInput): readonly Line[] {
  const sentence = quietSentence(input.parcel, input);
  return sentence === null ? [] : paragraph(sentence, input.width, { tone: 'today' });
}

function times(input: TimelineHeadInput): string[] {
  const { parcel, now, zone, checking, pause = null, watched = true } = input;
  const checkedAt = instantOf(parcel.checkedAt);
  // What waits to be picked up is not expected to move; its status says how long it waits. Of what is quiet a line says it.
  const isSaid = parcelStage(parcel) === 'pickup' || quietSentence(parcel, input) !== null;
  const still = isSaid ? 0 : (daysWithoutMovement(parcel, now) ?? 0);
  return [
    checking ? 'checking now' : watched ? dueText(parcel, now, zone, pause) : 'not watched',
    checkedAt === null ? null : `checked ${agoText(checkedAt, now)}`,
    still > 0 ? `no movement for ${counted(still, 'day')}` : null,
  ].filter((part) => part !== null);
}

function dueText(parcel: Parcel, now: EpochMs, zone: Zone, pause: PauseReason | null): string {
  if (parcel.archivedAt !== null) return 'archived, no longer checked';
  if (parcel.registration === 'rejected') return 'no longer checked: change the courier, or refresh to try again';
  const at = instantOf(parcel.nextPollAt);
  if (at === null) return 'no further check planned';
  if (pause !== null) return pausePhrases[pause];
  const clock = clockText(at, now, zone);
  if (at <= now) return `check due since ${clock}`;
  const plannedFor = instantOf(parcel.plannedFor ?? null);
  const held = plannedFor === null ? '' : ` (planned ${clockText(plannedFor, now, zone)}; polling.leastMinutes)`;
  return `next check ${clock}, in ${untilText(at, now)}${held}`;
}

function troubleLines({ parcel, width, shownProblem = null }: TimelineHeadInput): readonly Line[] {
  const lines: Line[] = [];
  if (parcel.error !== null && parcel.error.message !== shownProblem) {
    const { message, code, traceId } = parcel.error;
    const references = [code === null ? null : `code ${code}`, traceId === null ? null : `trace ${traceId}`];
    const sentence = `${stageLooks.attention.symbol} ${message}`;
    lines.push(
      ...paragraph(sentence, width, { tone: 'attention' }),
      ...flow(
        references.filter((part) => part !== null),
        width,
      ),
    );
  }
  const need = needOf(parcel);
  if (need !== null) lines.push(...paragraph(needSentence(parcel, need), width, { tone: 'attention' }));
  const doubt = lookupDoubt(parcel.record?.trackingStatus ?? null);
  if (doubt !== null) lines.push(...paragraph(`This may be old: ${doubt}.`, width, { dim: true }));
  return lines;
}

function needSentence(parcel: Parcel, need: CourierNeed): string {
  const courier = courierName(parcel) ?? 'This courier';
  return `${courier} finds a parcel only with ${needWords[need]}: edit the parcel, or run "parcel-monitor edit ${parcel.trackNo} --${need} …".`;
}

/** Names the extras that are given and shows none of their characters, not even how many they are. */
function extras({ parcel }: TimelineHeadInput): string[] {
  const mask = '••••';
  return [
    ...(parcel.extras.postalCode === null ? [] : [`postal code ${mask}`]),
    ...(parcel.extras.phoneSuffix === null ? [] : [`phone ${mask}`]),
    ...parcel.tags.map((tag) => `#${tag}`),
  ];
}

/** No line for an empty text. */
const paragraph = (text: string, width: number, look: Omit<Segment, 'text'>): readonly Line[] =>
  text === '' ? [] : paragraphLines(text, width, look);

/** Quiet phrases separated by dots, as many on a line as fit; a phrase is broken only when it is wider than a line. */
function flow(phrases: readonly string[], width: number): readonly Line[] {
  const rows: string[] = [];
  for (const phrase of phrases) {
    const longer = rows.length === 0 ? phrase : `${rows.at(-1)} · ${phrase}`;
    if (rows.length > 0 && cellWidth(longer) <= width) rows[rows.length - 1] = longer;
    else rows.push(phrase);
  }
  return rows.flatMap((row) => paragraph(row, width, { dim: true }));
}
