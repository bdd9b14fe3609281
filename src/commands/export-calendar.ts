import { createHash } from 'node:crypto';
import ical, { type ICalEventData, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import { courierName, parcelTitle, trackingLink } from '../board/parcel-facts.ts';
import type { Milestones, ReachedMilestone } from '../board/status/expected-delivery.ts';
import { dayMs, type EpochMs } from '../lib/clock.ts';
import { parseInstant } from '../lib/date-time.ts';
import { identityKey } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStatusText } from '../parcels/parcel-state.ts';
import type { ExpectedDelivery } from '../service/record.ts';
import { localTime } from '../service/timeline-order.ts';

/** Keeps an empty calendar valid: it must have at least one component (RFC 5545, section 3.6). */
const utcZone = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

export interface ParcelMilestones {
  readonly parcel: Parcel;
  readonly milestones: Milestones;
}

/**
 * Each event has a stable UID, so that importing a later export updates it (RFC 5545). Postal codes and phone digits are
 * left out.
 */
export function calendarText(entries: readonly ParcelMilestones[], now: EpochMs): string {
  const calendar = ical({ name: 'Parcels', prodId: { company: 'parcel-monitor', product: 'parcel-monitor' } });
  const events = entries.flatMap(({ milestones: { expected, reached }, parcel }) => [
    ...(reached === null ? [] : reachedEvent(parcel, reached)),
    ...(expected === null ? [] : [expectedEvent(parcel, expected)]),
  ]);
  for (const event of events) {
    calendar.createEvent({ ...event, stamp: new Date(now), transparency: ICalEventTransparency.TRANSPARENT });
  }
  const lines = calendar.toString().split('\r\n');
  return [...lines.slice(0, -1), ...(events.length > 0 ? [] : utcZone), ...lines.slice(-1), ''].join('\r\n');
}

type ParcelEvent = Omit<ICalEventData, 'stamp' | 'transparency'>;

/** Returns an empty list if the time is unknown. */
function reachedEvent(parcel: Parcel, { checkpoint, wording }: ReachedMilestone): readonly ParcelEvent[] {
  const { address, at, certain, detail, local, offset } = checkpoint;
  const time = calendarTime(at, local);
  if (time === null) return [];
  const localTime = local === null ? null : `Local time: ${local}${zoneText(at, offset, certain)}`;
  return [
    {
      ...commonFields(parcel, 'stands', [detail, localTime]),
      ...time,
      summary: `${parcelTitle(parcel)}: ${wording}`,
      status: ICalEventStatus.CONFIRMED,
      ...(address === null ? {} : { location: address }),
    },
  ];
}

function expectedEvent(parcel: Parcel, expected: ExpectedDelivery): ParcelEvent {
  return {
    ...commonFields(parcel, 'expected', []),
    ...expectedSpan(expected),
    summary: `${parcelTitle(parcel)}: Delivery expected`,
    status: ICalEventStatus.TENTATIVE,
  };
}

/** The end is exclusive: for whole days, it is the day after the last one. */
function expectedSpan(expected: ExpectedDelivery): Pick<ICalEventData, 'start' | 'end' | 'allDay'> {
  if (expected.kind === 'day') {
    const { date, until } = expected;
    const end = until === undefined ? {} : { end: new Date(Date.parse(until) + dayMs) };
    return { start: new Date(date), ...end, allDay: true };
  }
  const { from, to } = expected;
  if (from === null || to === null || from === to) return { start: new Date(from ?? to ?? '') };
  return { start: new Date(from), end: new Date(to) };
}

function commonFields(
  parcel: Parcel,
  kind: 'stands' | 'expected',
  more: readonly (string | null)[],
): Pick<ICalEventData, 'id' | 'description' | 'categories' | 'url'> {
  const courier = courierName(parcel);
  const link = trackingLink(parcel);
  const description = [
    `Status: ${parcelStatusText(parcel)}`,
    ...more,
    `Number: ${parcel.trackNo}`,
    courier === null ? null : `Courier: ${courier}`,
    link,
  ];
  return {
    id: `${createHash('sha256')
      .update(`${kind} ${identityKey(parcel)}`)
      .digest('hex')
      .slice(0, 32)}@parcel-monitor`,
    description: description.filter((line) => line !== null).join('\n'),
    categories: parcel.tags.map((name) => ({ name })),
    // The library escapes these characters, which RFC 5545 forbids in a URL.
    ...(link === null || /[,;\\]/.test(link) ? {} : { url: link }),
  };
}

/** Returns a whole day if the zone is unknown, because a time could be wrong. */
function calendarTime(at: string | null, local: string | null): Pick<ICalEventData, 'start' | 'allDay'> | null {
  const instant = parseInstant(at);
  if (instant !== null) return { start: new Date(instant) };
  const wall = localTime({ local });
  return wall === null ? null : { start: new Date(wall), allDay: true };
}

function zoneText(at: string | null, offset: string | null, certain: boolean): string {
  if (at === null) return ' (zone unknown)';
  return `${offset === null ? '' : ` ${offset}`}${certain ? '' : ' (zone uncertain)'}`;
}
