import { digestHtml, digestMarkdown, digestOf, digestPlain } from '../board/digest.ts';
import { viewingOf } from '../board/status/forecast.ts';
import type { Checkpoint } from '../service/record.ts';
import { plausibleEvents } from '../service/timeline-order.ts';
import { readRows, withHistories } from '../settings/session/open-stores.ts';
import { type Session, zoneOf } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { pastTime } from './changes.ts';
import type { DigestFormat } from './export-format.ts';

interface DigestOptions {
  readonly since: string;
  readonly format: DigestFormat;
}

/** Only reads the store. Never queries the service. */
export async function runDigest(session: Session, { format, since }: DigestOptions): Promise<ExitCode> {
  const { context, style } = session;
  const { now, parcels } = await readRows(session);
  const zone = zoneOf(session);
  const from = pastTime(since, now, zone, 'a day or time, such as yesterday, monday or 2026-11-01');
  const viewing = viewingOf(parcels, { now, zone });
  const digest = digestOf(parcels, from, viewing);
  if (format === 'html') {
    const shown = digest.sections.flatMap(({ items }) => items.map(({ parcel }) => parcel));
    const events = new Map<string, readonly Checkpoint[]>();
    for await (const [{ id }, { checkpoints }] of withHistories(session, shown))
      events.set(id, plausibleEvents(checkpoints));
    context.stdout.write(digestHtml(digest, { eventsOf: (id) => events.get(id) ?? [], now, zone }));
  } else if (format === 'md') context.stdout.write(digestMarkdown(digest));
  else context.stdout.write(digestPlain(digest, style.glyphs === 'ascii' ? '->' : '→'));
  return exitCode.done;
}
