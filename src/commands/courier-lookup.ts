import type { CourierCheck } from '../board/courier-search.ts';
import { KeyRefusedError, ServiceError } from '../service/errors.ts';
import type { Courier } from '../service/record.ts';
import { UsageError } from '../settings/errors.ts';
import { courierDirectory } from '../settings/session/open-stores.ts';
import { connect } from '../settings/session/service.ts';
import { type Session, say } from '../settings/session/session.ts';
import type { CourierList } from '../store/courier-directory.ts';

/** Accepts every code if no courier list is available. */
export async function openCourierCheck(
  session: Session,
  codes: readonly (string | null)[],
  names?: CourierNames,
): Promise<CourierCheck> {
  const given = new Set(codes.filter((code) => code !== null));
  if (given.size === 0) return () => null;
  const list = names?.list === undefined ? await listedCouriers(session) : names.list;
  // The search for similar codes loads only when a code is unknown.
  if (list === null || areListed(list, given)) return () => null;
  const { courierCheck } = await import('../board/courier-search.ts');
  if (list.stale) warnOfOldList(session, list, courierCheck({ ...list, stale: false }), given);
  const check = courierCheck(list);
  return (code) => {
    const problem = check(code);
    return problem === null
      ? null
      : `${problem} Run "parcel-monitor couriers" for the list of codes, or add --refresh to update the list.`;
  };
}

function areListed({ couriers }: CourierList, codes: ReadonlySet<string>): boolean {
  const listed = new Set(couriers.map(({ code }) => code.toLowerCase()));
  return codes.values().every((code) => listed.has(code.toLowerCase()));
}

export interface CourierNames {
  /** Returns the courier's code, or the text itself if no courier matches. Throws a {@link UsageError} for several. */
  readonly meant: (text: string) => string;
  /** Null if the list was not available. Absent if it was not needed. */
  readonly list?: CourierList | null;
}

/** Resolves codes, page addresses, and unique parts of names. Without the courier list, only page addresses. */
export async function openCourierNames(
  session: Session,
  texts: readonly (string | null | undefined)[],
): Promise<CourierNames> {
  if (texts.every((text) => (text ?? '').trim() === '')) return { meant: (text) => text };
  const list = await listedCouriers(session);
  const { meantCourier, severalCouriers } = await import('../board/courier-name.ts');
  const couriers = list?.couriers ?? [];
  // A file names few couriers, but each of them many times.
  const meanings = new Map<string, ReturnType<typeof meantCourier>>();
  const meant = (text: string): string => {
    const meaning = meanings.get(text) ?? meantCourier(text, couriers);
    meanings.set(text, meaning);
    if (meaning.kind === 'several') throw new UsageError(severalCouriers(text, meaning.codes));
    return meaning.kind === 'one' ? meaning.code : text;
  };
  return { list, meant };
}

/** Throws a `UsageError` for an unknown code. Accepts null, because the service then detects the courier. */
export async function requireCourier(session: Session, code: string | null, names?: CourierNames): Promise<void> {
  if (code === null) return;
  const problem = (await openCourierCheck(session, [code], names))(code);
  if (problem !== null) throw new UsageError(problem);
}

/** Returns the courier list, which is fetched again after a week, or null if it is not available. */
export async function listedCouriers(session: Session): Promise<CourierList | null> {
  const { couriers: shared } = await session.stores();
  const couriers = async (): Promise<readonly Courier[]> => {
    const connection = await connect(session);
    // The reason is reported elsewhere.
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

function warnOfOldList(
  { context }: Session,
  { fetchedAt }: CourierList,
  check: CourierCheck,
  codes: ReadonlySet<string>,
): void {
  for (const code of codes) {
    const problem = check(code);
    if (problem === null) continue;
    const day = new Date(fetchedAt).toISOString().slice(0, 10);
    say(
      context,
      `${problem} The courier list of ${day} could not be updated, so "${code}" is accepted without a check.`,
    );
  }
}
