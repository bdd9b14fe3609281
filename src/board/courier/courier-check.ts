import { isCourierCode } from '../../service/text/word.ts';
import type { CourierList } from '../../watchlist/state/courier-directory.ts';
import { meantCourier, severalCouriers } from './courier-name.ts';
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

/** The code of a courier that was entered, or what is wrong with it, as a sentence. */
export type CourierReading =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly problem: string };

/** Reads what was entered for a courier: a code, or what {@link meantCourier} understands. */
export type CourierReader = (text: string) => CourierReading;

/** Makes a {@link CourierReader}, which checks codes as {@link courierCheck} does. */
export function courierReader(list: Pick<CourierList, 'couriers' | 'stale'> | null): CourierReader {
  const check = courierCheck(list);
  const couriers = list?.couriers ?? [];
  return (text) => {
    const meaning = meantCourier(text, couriers);
    if (meaning.kind === 'several') return { ok: false, problem: severalCouriers(text, meaning.codes) };
    const code = meaning.kind === 'one' ? meaning.code : text;
    if (!isCourierCode(code)) return { ok: false, problem: `No courier is called "${text}".` };
    const problem = check(code);
    return problem === null ? { ok: true, code } : { ok: false, problem };
  };
}

const offer = (codes: readonly string[]): string =>
  codes.length === 0 ? '.' : `; did you mean ${codes.join(' or ')}?`;
