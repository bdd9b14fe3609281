import { dayMs, type EpochMs } from '../lib/clock.ts';
import { parseInstant, type Zone } from '../lib/date-time.ts';
import { escapeHtml, escapeMarkdown } from '../lib/escape.ts';
import { deliveredAt, isLate } from '../parcels/delivery.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStage, shownStage } from '../parcels/parcel-state.ts';
import { isSnoozed } from '../parcels/snooze.ts';
import type { Checkpoint } from '../service/record.ts';
import { placeText } from './list/row-texts.ts';
import { type NextStep, nextStep } from './next-step.ts';
import { courierName, deliveredPhrase, lastEventRank, orderNoOf, parcelTitle, trackingLink } from './parcel-facts.ts';
import { computeStatistics, returnedAt, type Statistics } from './statistics.ts';
import { expectedDay, findDueDays } from './status/expected-delivery.ts';
import { countedStage, statusNow, type Viewing } from './status/status-now.ts';
import { checkpointTime, dayText, pastDayName, timeText, weekdayText, yearText } from './time.ts';

interface DigestItem {
  readonly parcel: Parcel;
  readonly title: string;
  /** The number (unless it is the title), the courier and the order number, if known. */
  readonly names: readonly string[];
  /** The status, the place, and the expected day or the time of delivery, if known. */
  readonly facts: readonly string[];
  /** What to do, or null. */
  readonly step: NextStep | null;
}

interface DigestSection {
  readonly title: string;
  readonly items: readonly DigestItem[];
}

/** A daily summary of the list. */
interface Digest {
  /** `Sat 21 Nov 2026, 13:42 (Europe/Berlin)`. */
  readonly asOf: string;
  /** Without empty sections. */
  readonly sections: readonly DigestSection[];
  /** Sentences about the last seven days. */
  readonly totals: readonly string[];
}

type SectionName = 'needs-you' | 'today' | 'late' | 'next' | 'arrived';

/** Returns the first section that a parcel belongs to, or null. */
function findSection(parcel: Parcel, since: EpochMs, viewing: Viewing): SectionName | null {
  const stage = shownStage(parcel);
  if (stage === 'delivered') return (deliveredAt(parcel) ?? 0) >= since ? 'arrived' : null;
  if (parcel.archivedAt !== null || isSnoozed(parcel, viewing.now)) return null;
  if (stage === 'attention' || stage === 'pickup') return 'needs-you';
  const due = findDueDays(parcel, viewing);
  const isOut = countedStage(parcel, viewing) === 'out-for-delivery';
  if (isOut || (due !== null && !due.isLate && due.last === 0)) return 'today';
  if (isLate(parcel, viewing) || viewing.forecast?.(parcel)?.isSlow === true) return 'late';
  return due !== null && due.last > 0 && due.last <= daysAhead ? 'next' : null;
}

/** How many days "Arrives soon" covers. */
const daysAhead = 7;

/** @param parcels all parcels, including archived ones, because they may have arrived recently */
export function createDigest(parcels: readonly Parcel[], since: EpochMs, viewing: Viewing): Digest {
  const { now, zone } = viewing;
  const bySection = Map.groupBy(parcels, (parcel) => findSection(parcel, since, viewing));
  const newestFirst = (a: Parcel, b: Parcel): number => (lastEventRank(b) ?? 0) - (lastEventRank(a) ?? 0);
  const byDay = (a: Parcel, b: Parcel): number =>
    (findDueDays(a, viewing)?.last ?? 0) - (findDueDays(b, viewing)?.last ?? 0);
  const section = (name: SectionName, title: string, order = newestFirst): readonly DigestSection[] => {
    const members = (bySection.get(name) ?? []).toSorted(order);
    return members.length === 0 ? [] : [{ title, items: members.map((parcel) => digestItem(parcel, viewing)) }];
  };
  const wall = zone.wallTime(now);
  return {
    asOf: `${weekdayText(wall)} ${dayText(wall)} ${yearText(wall)}, ${timeText(wall)} (${zone.name})`,
    sections: [
      ...section('needs-you', 'Needs you'),
      ...section('today', 'Arrives today'),
      ...section('late', 'Late'),
      ...section('next', 'Arrives soon', byDay),
      ...section('arrived', `Arrived since ${sinceText(since, viewing)}`),
    ],
    totals: weekTotals(parcels, viewing),
  };
}

function sinceText(since: EpochMs, { zone }: Viewing): string {
  const wall = zone.wallTime(since);
  const day = `${weekdayText(wall)} ${dayText(wall)}`;
  return wall % dayMs === 0 ? day : `${day}, ${timeText(wall)}`;
}

function digestItem(parcel: Parcel, viewing: Viewing): DigestItem {
  const title = parcelTitle(parcel);
  const isDelivered = parcelStage(parcel) === 'delivered';
  const when = isDelivered
    ? deliveredPhrase(parcel, viewing.now, viewing.zone, 'local')
    : expectedDay(parcel, viewing)?.full;
  const orderNo = orderNoOf(parcel);
  const status = statusNow(parcel, viewing);
  const withoutBlanks = (texts: readonly (string | null | undefined)[]): readonly string[] =>
    texts.flatMap((text) => text || []);
  return {
    parcel,
    title,
    names: withoutBlanks([
      title === parcel.trackNo ? null : parcel.trackNo,
      courierName(parcel),
      orderNo && `order ${orderNo}`,
    ]),
    facts: withoutBlanks([status, placeText(parcel), when]),
    step: nextStep(parcel, viewing),
  };
}

function weekTotals(parcels: readonly Parcel[], viewing: Viewing): readonly string[] {
  const { now, zone } = viewing;
  const weekMs = 7 * dayMs;
  const arrivedBetween = (from: EpochMs, to: EpochMs): number =>
    parcels.filter((parcel) => {
      const at = deliveredAt(parcel);
      return at !== null && at > from && at <= to;
    }).length;
  const added = parcels.filter(({ addedAt }) => (parseInstant(addedAt) ?? 0) > now - weekMs).length;
  const returned = parcels.flatMap(returnedAt).filter((at) => at > now - weekMs).length;
  const { all, forecast }: Statistics = computeStatistics(parcels, { by: 'courier', since: now - weekMs, now, zone });
  const days =
    all.medianDays === null ? [] : [`Half of them took up to ${all.medianDays} days, 90% up to ${all.p90Days}.`];
  const score = forecast.made === 0 ? [] : [`Forecasts were right for ${forecast.right} of ${forecast.made} parcels.`];
  return [
    `${arrivedBetween(now - weekMs, now)} arrived, ${arrivedBetween(now - 2 * weekMs, now - weekMs)} in the week before.`,
    ...days,
    `${added} added, ${returned} returned to the sender, ${all.late} late, ${all.problems} with problems.`,
    ...score,
  ];
}

/** Formats a digest as plain text, for terminals and emails from cron. */
export function digestPlain({ asOf, totals, sections }: Digest, arrow: string): string {
  const item = ({ facts, names, step, title }: DigestItem): readonly string[] => [
    `  ${[title, ...names].join('  ')}`,
    `    ${facts.join(', ')}`,
    ...(step === null ? [] : [`    ${arrow} ${[step.text, step.page].filter((part) => part !== null).join(': ')}`]),
  ];
  const lines = [
    `Parcels, ${asOf}`,
    ...sections.flatMap(({ items, title }) => ['', `${title} (${items.length})`, ...items.flatMap(item)]),
    ...(sections.length === 0 ? ['', 'Nothing to report.'] : []),
    '',
    'The last seven days',
    ...totals.map((sentence) => `  ${sentence}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function digestMarkdown({ asOf, totals, sections }: Digest): string {
  const item = ({ facts, names, step, title }: DigestItem): string => {
    const page = step?.page ?? null;
    const todo = step === null ? '' : ` → ${page === null ? step.text : `[${step.text}](<${page}>)`}`;
    return `- **${escapeMarkdown(title)}** ${escapeMarkdown([...names, ...facts].join(', '))}${todo}`;
  };
  const parts = [
    `# Parcels, ${escapeMarkdown(asOf)}`,
    ...sections.map(({ items, title }) => [`## ${title} (${items.length})`, '', ...items.map(item)].join('\n')),
    ['## The last seven days', '', ...totals.map((sentence) => `- ${sentence}`)].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Email programs drop styles that they do not know, so the page must be readable without them. */
const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.3em}h2{font-size:1.05em;margin:2em 0 .5em;border-bottom:1px solid #8884}
article{margin:0 0 1em}article p{margin:0}.names,.when{opacity:.65}.step{color:#b3261e}
ol{list-style:none;margin:.3em 0 0;padding-left:1em;border-left:2px solid #8886}summary{opacity:.65;cursor:pointer}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.step{color:#ff8a80}a{color:#8ab4f8}}`;

interface DigestPage {
  /** A parcel's events, newest first. */
  readonly eventsOf: (parcelId: string) => readonly Checkpoint[];
  readonly now: EpochMs;
  readonly zone: Zone;
}

/** Formats a digest as a page without external resources. Escapes all text, because couriers and customers wrote it. */
export function digestHtml({ asOf, totals, sections }: Digest, page: DigestPage): string {
  const link = (text: string, address: string | null): string =>
    address === null ? escapeHtml(text) : `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
  const item = ({ facts, names, parcel, step, title }: DigestItem): string => {
    const events = page.eventsOf(parcel.id).map((event) => `<li>${eventText(event, page)}</li>`);
    return [
      `<article><p><strong>${link(title, trackingLink(parcel))}</strong> <span class="names">${escapeHtml(names.join(' · '))}</span></p>`,
      `<p>${escapeHtml(facts.join(', '))}</p>`,
      ...(step === null ? [] : [`<p class="step">→ ${link(step.text, step.page)}</p>`]),
      ...(events.length === 0 ? [] : [`<details><summary>Timeline</summary><ol>`, ...events, '</ol></details>']),
      '</article>',
    ].join('\n');
  };
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Parcels, ${escapeHtml(asOf)}</title><style>${style}</style></head><body>
<h1>Parcels, ${escapeHtml(asOf)}</h1>
${sections.map(({ items, title }) => `<h2>${title} (${items.length})</h2>\n${items.map(item).join('\n')}`).join('\n')}
<h2>The last seven days</h2>
${totals.map((sentence) => `<p>${sentence}</p>`).join('\n')}
</body></html>
`;
}

function eventText(event: Checkpoint, { now, zone }: DigestPage): string {
  const { clock, date, zoneMark } = checkpointTime(event, 'event', zone);
  const when = [date === null ? null : pastDayName(date, now, zone), clock, zoneMark].filter((part) => part).join(' ');
  const what = [event.translation ?? event.detail, event.address].filter((part) => part).join(', ');
  return `<span class="when">${escapeHtml(when)}</span> ${escapeHtml(what)}`;
}
