import { cellWidth, fitLine, lineWidth, paragraphLines } from '../lib/cells.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { Line, Segment } from '../lib/paint.ts';
import { counted } from '../lib/text.ts';
import { Zone } from '../lib/zone.ts';
import { awaitedDelivery } from '../parcels/expected-delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isUnreportedDelivery, needOf, parcelStage, statusWords } from '../parcels/parcel-stage.ts';
import { stageTable } from '../parcels/stages.ts';
import { daysWithoutMovement } from '../parcels/stillness.ts';
import { type CourierNeed, courierWords, needWords } from '../service/couriers.ts';
import { lookupDoubt } from '../service/status.ts';
import { courierPage } from './courier-name.ts';
import { type PauseReason, pausePhrases } from './header-problem.ts';
import { journeyBar } from './journey.ts';
import { factPhrases } from './parcel-facts.ts';
import { expectedWording } from './status/expected-delivery.ts';
import { courierName, instantOf, parcelLook } from './status/stage.ts';
import { quietSentence, statusNow, type Viewing } from './status/status-now.ts';
import { agoText, untilText } from './time/age.ts';
import type { TimeMode } from './time/checkpoint-time.ts';
import { clockText } from './time/zone-time.ts';

/**
 * `CN ●━━━●━━ DE 6 days`, with `barWidth` cells of bar. Empty without countries. Days since pick-up, if the service
 * counts them.
 */
export function routeLine(parcel: Parcel, barWidth: number): Line {
  const { record } = parcel;
  if (record === null) return [];
  const line: Line = record.shipFrom === null && record.shipTo === null ? [] : journeyBar(parcel, barWidth);
  if (record.transitDays === null || record.transitDays < 1) return line;
  const days = { text: counted(record.transitDays, 'day'), dim: true };
  return line.length === 0 ? [days] : [...line, { text: '   ' }, days];
}

export interface TimelineHeadInput extends Viewing {
  readonly parcel: Parcel;
  /** Cells of a line. */
  readonly width: number;
  readonly checking: boolean;
  /** Why automatic checks are stopped, if they are. */
  readonly pause?: PauseReason | null;
  /** A problem shown elsewhere on the screen, which is not repeated. */
  readonly shownProblem?: string | null;
  /** False for a number that was only looked up. */
  readonly watched?: boolean;
  /** Clock of the timeline below; local to the event by default. */
  readonly mode?: TimeMode;
}

const longestBar = 14;
const shortestBar = 5;

/**
 * The lines above a timeline: number, courier, status, route, expected delivery, problems, next check, facts, masked
 * extras. The number links to the courier page. Every line is exactly `width` cells.
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

/** Service levels usually start with the courier's name, which is not repeated. */
function serviceOf(courier: string, service: string): string {
  return service.startsWith(`${courier} `) ? service : `${courier} · ${service}`;
}

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
  const { sign: symbol, tone } = stageTable[look];
  // The error of a rejected parcel follows below with code and trace.
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

/** Says that the newest event reports a delivery that the status does not. */
function contradictionLines({ parcel, width }: TimelineHeadInput): readonly Line[] {
  const { record } = parcel;
  if (record === null || !isUnreportedDelivery(parcel)) return [];
  const { transitStatus, transitSubStatus } = record;
  const reported = stillReported[transitStatus ?? ''] ?? `"${statusWords(transitStatus, transitSubStatus).main}"`;
  return paragraph(`The newest event says delivered; the service still reports ${reported}.`, width, {});
}

function expectedLines(input: TimelineHeadInput): readonly Line[] {
  const { mode = 'event', parcel, zone } = input;
  const awaited = awaitedDelivery(parcel);
  const clock = mode === 'event' ? null : mode === 'utc' ? new Zone('UTC') : zone;
  const expected = awaited === null ? null : expectedWording(awaited, input, clock);
  return expected === null
    ? []
    : paragraph(expected.full, input.width, expected.when === 'today' ? { tone: 'today' } : {});
}

function quietLines(input: TimelineHeadInput): readonly Line[] {
  const sentence = quietSentence(input.parcel, input);
  return sentence === null ? [] : paragraph(sentence, input.width, { tone: 'today' });
}

function times(input: TimelineHeadInput): string[] {
  const { parcel, now, zone, checking, pause = null, watched = true } = input;
  const checkedAt = instantOf(parcel.checkedAt);
  // Parcels that are ready for pick-up are not expected to move; quiet ones have a line of their own.
  const isSaid = parcelStage(parcel) === 'pickup' || quietSentence(parcel, input) !== null;
  const still = isSaid ? 0 : (daysWithoutMovement(parcel, now) ?? 0);
  return [
    checking ? 'checking now' : watched ? dueText(parcel, now, zone, pause) : 'not watched',
    checkedAt === null ? null : `checked ${agoText(checkedAt, now)}`,
    still > 0 ? `no news for ${counted(still, 'day')}` : null,
  ].filter((part) => part !== null);
}

function dueText(parcel: Parcel, now: EpochMs, zone: Zone, pause: PauseReason | null): string {
  if (parcel.archivedAt !== null) return 'archived, no longer checked';
  if (parcel.registration === 'rejected') return 'no longer checked: change the courier, or refresh to try again';
  const at = instantOf(parcel.nextPollAt);
  if (at === null) return 'no further check planned';
  if (pause !== null) return pausePhrases[pause];
  const clock = clockText(at, now, zone);
  if (at <= now) return `check overdue since ${clock}`;
  const plannedFor = instantOf(parcel.plannedFor ?? null);
  const held =
    plannedFor === null ? '' : ` (planned ${clockText(plannedFor, now, zone)}; delayed by polling.leastMinutes)`;
  return `next check ${clock}, in ${untilText(at, now)}${held}`;
}

function troubleLines({ parcel, width, shownProblem = null }: TimelineHeadInput): readonly Line[] {
  const lines: Line[] = [];
  if (parcel.error !== null && parcel.error.message !== shownProblem) {
    const { message, code, traceId } = parcel.error;
    const references = [code === null ? null : `code ${code}`, traceId === null ? null : `trace ${traceId}`];
    const sentence = `${stageTable.attention.sign} ${message}`;
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
  return `${courier} finds a parcel only with ${needWords[need]}: press p, or run "parcel-monitor edit ${parcel.trackNo} --${need} …".`;
}

/** Names the extras without their characters or length. */
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

/** Phrases separated by dots, as many per line as fit; breaks a phrase only if it is wider than a line. */
function flow(phrases: readonly string[], width: number): readonly Line[] {
  const rows: string[] = [];
  for (const phrase of phrases) {
    const longer = rows.length === 0 ? phrase : `${rows.at(-1)} · ${phrase}`;
    if (rows.length > 0 && cellWidth(longer) <= width) rows[rows.length - 1] = longer;
    else rows.push(phrase);
  }
  return rows.flatMap((row) => paragraph(row, width, { dim: true }));
}
