import { ambiguousCourierMessage, matchCourier } from '../board/courier-name.ts';
import type { CourierCheck } from '../board/courier-search.ts';
import type { CouriersJson } from '../board/json-schemas.ts';
import { formatInstant } from '../board/parcel-json.ts';
import { cleanText } from '../lib/clean-text.ts';
import { printTable, type TableColumn } from '../lib/table.ts';
import { type Courier, KeyRefusedError, ServiceError } from '../service/port.ts';
import { describeFailure, UsageError } from '../settings/errors.ts';
import { courierDirectory } from '../settings/session/open-stores.ts';
import { printJson, printNote } from '../settings/session/output.ts';
import { connect, openService } from '../settings/session/service.ts';
import type { Session } from '../settings/session/session.ts';
import type { CourierList } from '../store/courier-directory.ts';
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
  const { createCourierSearch } = await import('../board/courier-search.ts');
  const couriers = createCourierSearch(list.couriers)(text, list.couriers.length);
  if (options.json === true) {
    printJson<CouriersJson>(context, { version: 1, fetchedAt: formatInstant(list.fetchedAt), couriers });
  } else if (options.csv === true) {
    const { csvText } = await import('../lib/escape.ts');
    const names = ['code', 'nameEN', 'nameCN', 'homePage'] as const;
    context.stdout.write(csvText([names, ...couriers.map((courier) => names.map((name) => courier[name]))]));
  } else if (couriers.length > 0) {
    printTable(session, { columns, rows: couriers.map(courierRow) });
  }
  const isFound = couriers.length > 0;
  if (!isFound)
    printNote(
      context,
      text === '' ? "The service's courier list is empty." : `No courier matches "${cleanText(text)}".`,
    );
  const code = isFound || text === '' ? exitCode.done : exitCode.rejected;
  return options.refresh === true && list.failure !== undefined
    ? worseExit(code, describeFailure(list.failure).exitCode)
    : code;
}

function courierRow(courier: Courier) {
  return [
    { text: courier.code, bold: true },
    { text: courier.nameEN ?? '' },
    { text: courier.nameCN ?? '' },
    { text: courier.homePage ?? '', dim: true },
  ];
}

export interface CourierLookup {
  /** Null if it is not available or not needed. */
  readonly list: CourierList | null;
  /**
   * Returns the courier's code, or the text itself if no courier matches. Throws a {@link UsageError} if several match.
   */
  readonly resolve: (text: string) => string;
  /** Accepts every code if no list is available. */
  readonly check: CourierCheck;
}

/**
 * Resolves codes, page addresses, and unique parts of names. Without the courier list, resolves only page addresses.
 * @param texts text that may name couriers; the list is read only if one of them is not blank
 */
export async function openCouriers(
  session: Session,
  texts: readonly (string | null | undefined)[],
): Promise<CourierLookup> {
  const isNeeded = texts.some((text) => (text ?? '').trim() !== '');
  return isNeeded ? await openCourierList(session) : { list: null, resolve: (text) => text, check: () => null };
}

export async function openCourierList(session: Session): Promise<CourierLookup> {
  const [list, { createCourierCheck }] = await Promise.all([
    courierList(session),
    import('../board/courier-search.ts'),
  ]);
  const couriers = list?.couriers ?? [];
  // Caches matches, because a file names few couriers, but each of them many times.
  const matches = new Map<string, ReturnType<typeof matchCourier>>();
  const checkCode = createCourierCheck({ couriers, stale: false });
  const acceptedUnchecked = new Set<string>();
  return {
    list,
    resolve(text) {
      const match = matches.get(text) ?? matchCourier(text, couriers);
      matches.set(text, match);
      if (match.kind === 'several') throw new UsageError(ambiguousCourierMessage(text, match.codes));
      return match.kind === 'one' ? match.code : text;
    },
    check(code) {
      const problem = acceptedUnchecked.has(code) ? null : checkCode(code);
      if (problem === null || list === null) return null;
      if (!list.stale)
        return `${problem} Run "parcel-monitor couriers" for the list of codes, or add --refresh to update the list.`;
      acceptedUnchecked.add(code);
      const day = new Date(list.fetchedAt).toISOString().slice(0, 10);
      const accepted = `The courier list of ${day} could not be updated, so "${code}" is accepted without a check.`;
      printNote(session.context, `${problem} ${accepted}`);
      return null;
    },
  };
}

/** Throws a `UsageError` for an unknown code. Accepts null, because the service then detects the courier. */
export function requireCourier({ check }: CourierLookup, code: string | null): void {
  const problem = code === null ? null : check(code);
  if (problem !== null) throw new UsageError(problem);
}

/** Returns the courier list, which is fetched again after a week, or null if it is not available. */
async function courierList(session: Session): Promise<CourierList | null> {
  const { couriers: shared } = await session.stores();
  const couriers = async (): Promise<readonly Courier[]> => {
    const connection = await connect(session);
    // The command that needs the service reports the reason.
    if (connection.service === null) throw new KeyRefusedError(connection.reason);
    return await connection.service.couriers();
  };
  try {
    return await courierDirectory(session, { couriers }, shared).list();
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
