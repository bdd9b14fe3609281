import { createCourierSearch } from '../board/courier-search.ts';
import type { CouriersJson } from '../board/json-schemas.ts';
import { formatInstant } from '../board/parcel-json.ts';
import { cleanText } from '../lib/clean-text.ts';
import { csvText } from '../lib/csv-text.ts';
import { printTable, type TableColumn } from '../lib/table.ts';
import type { Courier } from '../service/record.ts';
import { describeFailure } from '../settings/errors.ts';
import { courierDirectory } from '../settings/session/open-stores.ts';
import { openService } from '../settings/session/service.ts';
import { printJson, printNote, type Session } from '../settings/session/session.ts';
import { type ExitCode, exitCode, worseExit } from '../system/exit.ts';

interface CouriersOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly refresh?: boolean;
}

const columns: readonly TableColumn[] = [
  { title: 'CODE', yields: 0 },
  { title: 'NAME', yields: 1 },
  { title: 'CHINESE NAME', yields: 2 },
  { title: 'WEBSITE', yields: 3, maxWidth: 200 },
];

/** Returns 5 if no courier matches. If `--refresh` fails, prints the saved list and returns the failure's exit code. */
export async function runCouriers(
  session: Session,
  options: CouriersOptions,
  words: readonly string[],
): Promise<ExitCode> {
  const text = words.join(' ');
  const { context } = session;
  const service = options.refresh === true ? await openService(session) : await session.service();
  const { couriers: shared } = await session.stores('read');
  const list = await courierDirectory(session, service, shared).list({ refresh: options.refresh === true });
  if (list.problem !== null) printNote(context, list.problem);
  const couriers = createCourierSearch(list.couriers)(text, list.couriers.length);
  if (options.json === true) {
    printJson<CouriersJson>(context, { version: 1, fetchedAt: formatInstant(list.fetchedAt), couriers });
  } else if (options.csv === true) {
    const names = ['code', 'nameEN', 'nameCN', 'homePage'] as const;
    context.stdout.write(csvText([names, ...couriers.map((courier) => names.map((name) => courier[name]))]));
  } else if (couriers.length > 0) {
    printTable(session, { columns, rows: couriers.map(row) });
  }
  const isFound = couriers.length > 0;
  if (!isFound)
    printNote(
      context,
      text === '' ? "The service's courier list is empty." : `No courier matches "${cleanText(text)}".`,
    );
  const found = isFound || text === '' ? exitCode.done : exitCode.rejected;
  return options.refresh === true && list.failure !== undefined
    ? worseExit(found, describeFailure(list.failure).exitCode)
    : found;
}

function row(courier: Courier) {
  return [
    { text: courier.code, bold: true },
    { text: courier.nameEN ?? '' },
    { text: courier.nameCN ?? '' },
    { text: courier.homePage ?? '', dim: true },
  ];
}
