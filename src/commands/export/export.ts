import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { historyIdOf } from '../../watchlist/model/identity.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { inBatches } from '../../watchlist/store/in-batches.ts';
import { listJson } from '../output/parcel-json.ts';
import { parcelsText } from '../output/parcels-text.ts';
import { byRank, type Ranked, rankParcels, selectParcels } from '../read/select-parcels.ts';
import { UsageError } from '../session/errors.ts';
import { type Session, say } from '../session/session.ts';
import { readCircumstances } from '../session/stores.ts';
import { zoneOf } from '../session/zone-of.ts';
import type { ParcelBeside } from './export-calendar.ts';
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

/**
 * Prints or writes the watchlist for other programs, a page at a time as it is read. It reads the store only and never queries the
 * service. Rejects with a `StoreError`; then part of it may have been printed.
 */
export async function runExport(
  session: Session,
  { format, all = false, output = '-' }: ExportOptions,
): Promise<ExitCode> {
  const { paths, context } = session;
  if (output === '') throw new UsageError('--output needs the name of a file.');
  let exported = 0;
  const pieces = () =>
    textOf(session, format, all, (parcels) => {
      exported += parcels;
    });
  if (output !== '-') await writeOutputFile(output, { pieces }, { random: context.random, paths });
  else for await (const piece of pieces()) context.stdout.write(piece);
  if (exported === 0)
    say(
      context,
      all
        ? 'There are no parcels, so the export has no entries.'
        : 'No parcel is watched, so the export has no entries; --all takes archived ones along.',
    );
  return exitCode.done;
}

/** @param tell hears how many parcels are in what follows */
async function* textOf(
  session: Session,
  format: ExportFormat,
  all: boolean,
  tell: (parcels: number) => void,
): AsyncGenerator<string> {
  const { configuration } = session;
  const circumstances = await readCircumstances(session);
  const pages = told(pagesOf(session, all), tell);
  switch (format) {
    case 'json': {
      const { exportedParcel } = await import('../output/exported-parcel.ts');
      const jsonOf = (parcel: Parcel) => JSON.stringify(exportedParcel(parcel, circumstances), null, 2);
      yield* parcelsText(listJson([], configuration.baseUrl, circumstances), pages, jsonOf, 2);
      return;
    }
    case 'csv': {
      const [{ csvText }, { csvHeadings, csvRow }] = await Promise.all([
        import('../output/csv-text.ts'),
        import('./export-csv.ts'),
      ]);
      yield csvText([csvHeadings]);
      for await (const page of pages) yield csvText(page.map((parcel) => csvRow(parcel, circumstances)));
      return;
    }
    case 'ics': {
      const { calendarText } = await import('./export-calendar.ts');
      yield* calendarText(withHistories(session, pages), circumstances.now);
      return;
    }
    case 'md': {
      const { store } = await session.stores('read');
      const { exportMarkdown } = await import('./export-markdown.ts');
      // No more than a row of the board shows, so light parcels will do.
      const parcels = selectParcels((await store.read()).parcels, { all, stage: null });
      tell(parcels.length);
      yield exportMarkdown(parcels, { now: circumstances.now, zone: zoneOf(session) });
      return;
    }
  }
}

async function* told(
  pages: AsyncIterable<readonly Parcel[]>,
  tell: (parcels: number) => void,
): AsyncGenerator<readonly Parcel[]> {
  for await (const page of pages) {
    tell(page.length);
    yield page;
  }
}

/** How many parcels are held at a time. */
const pageParcels = 500;

/** The parcels in the order of `list`. A store that does not hold them all is asked for the order first, then for each page. */
async function* pagesOf(session: Session, all: boolean): AsyncGenerator<readonly Parcel[]> {
  const { store } = await session.stores('read');
  const selection = { all, stage: null };
  if (store.pages === undefined) {
    const parcels = selectParcels((await store.read()).parcels, selection);
    yield* inBatches(parcels, pageParcels);
    return;
  }
  const ranked: Ranked<string>[] = [];
  for await (const page of store.pages('light'))
    for (const one of rankParcels(page, selection)) ranked.push({ ...one, value: one.value.id });
  for (const some of inBatches(byRank(ranked), pageParcels)) {
    const found = new Map((await store.whole(some)).map((parcel) => [parcel.id, parcel]));
    // Those that have been removed meanwhile are left out.
    yield some.flatMap((id) => found.get(id) ?? []);
  }
}

/** Files that are open at a time; a process may hold open only so many. */
const readTogether = 50;

/** Parcels with their histories. Rejects with a `StoreError`. */
async function* withHistories(
  session: Session,
  pages: AsyncIterable<readonly Parcel[]>,
): AsyncGenerator<readonly ParcelBeside[]> {
  const { store } = await session.stores('read');
  for await (const page of pages) {
    for (const batch of inBatches(page, readTogether)) {
      yield await Promise.all(
        batch.map(async (parcel) => ({ parcel, history: await store.readHistory(historyIdOf(parcel)) })),
      );
    }
  }
}
