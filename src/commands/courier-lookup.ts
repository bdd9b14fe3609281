import type { CourierCheck } from '../board/courier-search.ts';
import { KeyRefusedError, ServiceError } from '../service/errors.ts';
import type { Courier } from '../service/record.ts';
import { UsageError } from '../settings/errors.ts';
import { courierDirectory } from '../settings/session/open-stores.ts';
import { connect } from '../settings/session/service.ts';
import { type Session, say } from '../settings/session/session.ts';
import type { CourierList } from '../store/courier-directory.ts';

/**
 * Gets ready to check courier codes before a call is spent on them. The kept list is used for its week, then it is
 * fetched; where no list can be had, every code is let pass. No code, no list. The list of `names` is not loaded again.
 */
export async function openCourierCheck(
  session: Session,
  codes: readonly (string | null)[],
  names?: CourierNames,
): Promise<CourierCheck> {
  const given = new Set(codes.filter((code) => code !== null));
  if (given.size === 0) return () => null;
  const list = names?.list === undefined ? await listedCouriers(session) : names.list;
  // The search for codes alike is for those alone who name a courier that there is not.
  if (list === null || areListed(list, given)) return () => null;
  const { courierCheck } = await import('../board/courier-search.ts');
  if (list.stale) warnOfOldList(session, list, courierCheck({ ...list, stale: false }), given);
  const check = courierCheck(list);
  return (code) => {
    const problem = check(code);
    return problem === null
      ? null
      : `${problem} "parcel-monitor couriers" lists the codes; with --refresh it fetches them again.`;
  };
}

function areListed({ couriers }: CourierList, codes: ReadonlySet<string>): boolean {
  const listed = new Set(couriers.map(({ code }) => code.toLowerCase()));
  return codes.values().every((code) => listed.has(code.toLowerCase()));
}

/** Couriers as people write them. */
export interface CourierNames {
  /**
   * The code that a text means; itself when it means none, or when that is not known. Throws a {@link UsageError} for one
   * that several couriers have in their names.
   */
  readonly meant: (text: string) => string;
  /** The list that was looked at, null for none; absent when none was needed. */
  readonly list?: CourierList | null;
}

/**
 * Gets ready to read what people write for a courier: a code, the address of its page in the carriers list or its home
 * page, or its name or a part of it that no other has. Where no list can be had, only the page is understood. No text, no list.
 */
export async function openCourierNames(
  session: Session,
  texts: readonly (string | null | undefined)[],
): Promise<CourierNames> {
  if (texts.every((text) => (text ?? '').trim() === '')) return { meant: (text) => text };
  const list = await listedCouriers(session);
  const { meantCourier, severalCouriers } = await import('../board/courier-name.ts');
  const couriers = list?.couriers ?? [];
  // The rows of a file name few couriers, each of them often.
  const meanings = new Map<string, ReturnType<typeof meantCourier>>();
  const meant = (text: string): string => {
    const meaning = meanings.get(text) ?? meantCourier(text, couriers);
    meanings.set(text, meaning);
    if (meaning.kind === 'several') throw new UsageError(severalCouriers(text, meaning.codes));
    return meaning.kind === 'one' ? meaning.code : text;
  };
  return { list, meant };
}

/** Throws a `UsageError` for a code that no courier has. Null is fine: then the service finds the courier. */
export async function requireCourier(session: Session, code: string | null, names?: CourierNames): Promise<void> {
  if (code === null) return;
  const problem = (await openCourierCheck(session, [code], names))(code);
  if (problem !== null) throw new UsageError(problem);
}

/** The couriers as Get Carriers listed them last, fetched again when that is a week ago; null when no list can be had. */
export async function listedCouriers(session: Session): Promise<CourierList | null> {
  const { couriers: shared } = await session.stores();
  const couriers = async (): Promise<readonly Courier[]> => {
    const connection = await connect(session);
    // Why there is no service is reported by what needs one.
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
      `${problem} The list of couriers is from ${day} and could not be fetched again, so "${code}" is accepted unchecked.`,
    );
  }
}
