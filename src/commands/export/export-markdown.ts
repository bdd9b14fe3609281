import { formatInTimeZone } from 'date-fns-tz';
import { arrangeAll } from '../../board/list/arrange.ts';
import { expectedText } from '../../board/list/row-texts.ts';
import { statusNow } from '../../board/status/status-now.ts';
import { courierName } from '../../board/status/view-stage.ts';
import { checkpointTime } from '../../board/time/checkpoint-time.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Viewer } from '../../watchlist/rules/late-delivery.ts';

const head = [
  '| Parcel | Number | Courier | Status | Place | Expected | Last event |',
  '| --- | --- | --- | --- | --- | --- | --- |',
] as const;

/**
 * Parcels as Markdown tables for an issue or a mail: grouped, ordered and worded as on the board, archived ones last,
 * times on the viewer's clock. Without postal codes and phone digits.
 */
export function exportMarkdown(parcels: readonly Parcel[], { now, zone }: Viewer): string {
  const { groups } = arrangeAll({ parcels, now, zone });
  const archived = parcels.filter(({ archivedAt }) => archivedAt !== null);
  const tables = [...groups, ...(archived.length === 0 ? [] : [{ title: 'Archived', parcels: archived }])].map(
    (group) => [
      `### ${group.title} (${group.parcels.length})`,
      '',
      ...head,
      ...group.parcels.map((parcel) => row(parcel, { now, zone })),
      '',
    ],
  );
  const content = tables.length === 0 ? ['There are no parcels.', ''] : tables.flat();
  const asOf = `As of ${formatInTimeZone(now, zone.name, 'yyyy-MM-dd HH:mm xxx')} (${escapeMarkdown(zone.name)}).`;
  return `${[...content, asOf].join('\n')}\n`;
}

function row(parcel: Parcel, viewing: Viewer): string {
  const cells = [
    escapeMarkdown(parcel.label ?? ''),
    // As code, because numbers hold underscores and what looks like an address or an issue.
    `\`${parcel.trackNo.replaceAll('`', "'").replaceAll('|', '\\|')}\``,
    escapeMarkdown(courierName(parcel) ?? ''),
    escapeMarkdown(statusNow(parcel, viewing)),
    escapeMarkdown(parcel.lastEvent?.address ?? ''),
    escapeMarkdown(expectedText(parcel, viewing)?.full.replace(/^expected /, '') ?? ''),
    lastEventText(parcel, viewing.zone),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** When the last event was, with the marks of the timeline: `~` for a zone that was not given, `±` for a contradictory one. */
function lastEventText({ lastEvent }: Parcel, zone: Zone): string {
  if (lastEvent === null) return '';
  const { clock, date, zoneMark } = checkpointTime(lastEvent, 'local', zone);
  return escapeMarkdown([date, clock, zoneMark].filter((part) => part !== null && part !== '').join(' '));
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text that shows as it is, and neither ends its cell nor becomes markup. */
function escapeMarkdown(text: string): string {
  return text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign).replace(/[\\`*_[\]|~]/g, '\\$&');
}
