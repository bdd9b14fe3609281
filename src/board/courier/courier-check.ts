import type { CourierList } from '../../watchlist/state/courier-directory.ts';
import { nearestCodes } from './courier-search.ts';

/** What is wrong with a courier code, as a sentence; null when nothing is, or when it cannot be known. */
export type CourierCheck = (courierCode: string) => string | null;

/** Most codes that are offered in place of a wrong one: the sentence is to fit a line. */
const mostOffered = 2;

/**
 * Checks codes against the couriers of Get Carriers, since a number that is registered under a
 * code that does not exist is lost to the account. A list that is stale or empty, or none (null), refuses nothing.
 */
export function courierCheck(list: Pick<CourierList, 'couriers' | 'stale'> | null): CourierCheck {
  if (list === null || list.stale || list.couriers.length === 0) return () => null;
  const codes = new Set(list.couriers.map(({ code }) => code.toLowerCase()));
  return (courierCode) => {
    if (codes.has(courierCode.toLowerCase())) return null;
    return `No courier has the code "${courierCode}"${offer(nearestCodes(list.couriers, courierCode, mostOffered))}`;
  };
}

const offer = (codes: readonly string[]): string =>
  codes.length === 0 ? '.' : `; did you mean ${codes.join(' or ')}?`;
