import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { historyIdOf } from '../../watchlist/model/identity.ts';
import type { Parcel, ParcelHistory } from '../../watchlist/model/parcel.ts';
import { selectParcels } from '../read/select-parcels.ts';
import { UsageError } from '../session/errors.ts';
import { type Session, say } from '../session/session.ts';
import { readWatchlist, type WatchlistView } from '../session/stores.ts';
import { zoneOf } from '../session/zone-of.ts';
import type { ExportFormat } from './export-format.ts';
import { writeOutputFile } from './output-file.ts';

/** Options of `export`. */
interface ExportOptions {
  readonly format: ExportFormat;
  /** Archived ones, too. */
  readonly all?: boolean;
  /** Where to write, complete or not at all; standard output when left out or `-`. */
  readonly output?: string;
}

/** Prints or writes the watchlist for other programs. It reads the files only and never queries the service. */
export async function runExport(
  session: Session,
  { format, all = false, output = '-' }: ExportOptions,
): Promise<ExitCode> {
  const view = await readWatchlist(session);
  const parcels = selectParcels(view.parcels, { all, stage: null });
  const { paths, context } = session;
  if (output === '') throw new UsageError('--output needs the name of a file.');
  const text = await documentOf(session, format, { ...view, parcels });
  if (output === '-') context.stdout.write(text);
  else await writeOutputFile(output, text, { random: context.random, paths });
  return exitCode.done;
}

async function documentOf(session: Session, format: ExportFormat, view: WatchlistView): Promise<string> {
  const { configuration } = session;
  const { now, parcels } = view;
  const circumstances = view;
  switch (format) {
    case 'json': {
      const { exportJson } = await import('../output/export-json.ts');
      return `${JSON.stringify(exportJson(parcels, configuration.baseUrl, circumstances), null, 2)}\n`;
    }
    case 'csv': {
      const { exportCsv } = await import('./export-csv.ts');
      return exportCsv(parcels, circumstances);
    }
    case 'ics': {
      const { exportCalendar } = await import('./export-calendar.ts');
      return exportCalendar(parcels, await readHistories(session, parcels), now);
    }
    case 'md': {
      const { exportMarkdown } = await import('./export-markdown.ts');
      return exportMarkdown(parcels, { now, zone: zoneOf(session) });
    }
  }
}

/** Files that are open at a time; a process may hold open only so many. */
const readTogether = 50;

/** Reads the histories of parcels, by their ids; standard error reports damaged ones. Rejects with a `StoreError`. */
async function readHistories(
  session: Session,
  parcels: readonly Parcel[],
): Promise<ReadonlyMap<string, ParcelHistory>> {
  const { store } = await session.stores('read');
  const histories = new Map<string, ParcelHistory>();
  for (let from = 0; from < parcels.length; from += readTogether) {
    const batch = parcels.slice(from, from + readTogether);
    const read = await Promise.all(
      batch.map(async (parcel) => [parcel.id, await store.readHistory(historyIdOf(parcel))] as const),
    );
    for (const [id, history] of read) histories.set(id, history);
  }
  for (const { message } of store.takeNotices()) say(session.context, message);
  return histories;
}
