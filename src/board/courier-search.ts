import Fuse from 'fuse.js';
import { cellWidth, fitLine, fitText } from '../lib/cells.ts';
import type { Line } from '../lib/paint.ts';
import { fold } from '../lib/text.ts';
import { isCourierCode } from '../lib/track-number.ts';
import type { Courier } from '../service/port.ts';
import type { CourierList } from '../store/courier-directory.ts';
import { ambiguousCourierMessage, matchCourier } from './courier-name.ts';

/** Finds up to `limit` couriers, best match first. */
export type CourierSearch = (text: string, limit: number) => readonly Courier[];

/**
 * Prepares a fuzzy search through codes and names that ignores case and accents. Exact matches come first, then matches
 * at the start. An empty query lists `preferredCodes` (the couriers in use) and then the others by name.
 */
export function createCourierSearch(
  couriers: readonly Courier[],
  preferredCodes: readonly string[] = [],
): CourierSearch {
  const indexed = couriers.map((courier) => ({
    courier,
    code: fold(courier.code),
    nameEN: fold(courier.nameEN ?? ''),
    nameCN: fold(courier.nameCN ?? ''),
  }));
  const sortedCouriers = sortForList(couriers, preferredCodes);
  const fuse = new Fuse(indexed, {
    keys: [
      { name: 'code', weight: 2 },
      { name: 'nameEN', weight: 2 },
      { name: 'nameCN', weight: 1 },
    ],
    threshold: 0.35,
    ignoreLocation: true,
    includeScore: true,
  });
  return (text, limit) => {
    const max = Math.max(0, Math.floor(limit));
    const query = fold(text);
    if (query === '') return sortedCouriers.slice(0, max);
    return fuse
      .search(query)
      .map(({ item, score }) => ({ item, rank: rankMatch(item, query), score: score ?? 1 }))
      .sort((left, right) => left.rank - right.rank || left.score - right.score)
      .slice(0, max)
      .map(({ item }) => item.courier);
  };
}

/**
 * Returns up to `limit` codes that are similar to a mistyped code or name, best match first. Text that is a whole part
 * (`ems` in `china-ems`) or the start of one counts as a match, not as a typo.
 */
function nearestCodes(couriers: readonly Courier[], text: string, limit: number): readonly string[] {
  const query = fold(text);
  const partMatches = couriers
    .map(({ code, nameEN }) => ({ code, rank: partRank(query, code, nameEN ?? '') }))
    .filter(({ rank }) => rank < noPart)
    .sort((left, right) => left.rank - right.rank || left.code.length - right.code.length);
  const others = similarCodes(couriers, text, limit).filter(
    (code) => !partMatches.some((match) => match.code === code),
  );
  return [...partMatches.map(({ code }) => code), ...others].slice(0, limit);
}

const noPart = 4;
const minPrefixLength = 3;

/** Ranks a match: 0 for a part of the code, 1 for a word of the name, 2 and 3 for the start of one. */
function partRank(query: string, code: string, name: string): number {
  const splitParts = (text: string): readonly string[] => fold(text).split(/[^\p{L}\p{N}]+/u);
  const [codeParts, nameParts] = [splitParts(code), splitParts(name)];
  if (query === '') return noPart;
  if (codeParts.includes(query)) return 0;
  if (nameParts.includes(query)) return 1;
  if (query.length < minPrefixLength) return noPart;
  const startsWithQuery = (part: string): boolean => part.startsWith(query);
  if (codeParts.some(startsWithQuery)) return 2;
  return nameParts.some(startsWithQuery) ? 3 : noPart;
}

function similarCodes(couriers: readonly Courier[], text: string, limit: number): readonly string[] {
  const indexed = couriers.map(({ code, nameEN }) => ({ code, folded: fold(code), name: fold(nameEN ?? '') }));
  // People usually get the start of a code right, so codes that only share an ending belong to other couriers.
  const fuse = new Fuse(indexed, { keys: ['folded', 'name'], threshold: 0.4, distance: 12 });
  return fuse.search(fold(text), { limit }).map(({ item }) => item.code);
}

/**
 * Returns the code and the English and Chinese names of a courier as two columns with a total width of `width` cells.
 */
export function courierCells(courier: Courier, width: number): readonly [code: Line, names: Line] {
  const codeWidth = Math.min(20, Math.max(10, Math.floor(width / 3)));
  const names = new Set([courier.nameEN, courier.nameCN].filter((name) => name !== null && name !== courier.code));
  const code = { text: fitText(courier.code, codeWidth), tone: 'accent' } as const;
  // A long code is never cut, because the user has to type it.
  const codeSegment = cellWidth(courier.code) > codeWidth ? { ...code, text: courier.code } : code;
  const line = fitLine([codeSegment, { text: '  ' }, { text: [...names].join(' · ') }], width);
  return [line.slice(0, 2), line.slice(2)];
}

/** Ranks a match: 0 for the exact code, 1 for an exact name, 2 for the start of the code, 3 for the start of a name. */
function rankMatch(
  { code, nameEN, nameCN }: Readonly<Record<'code' | 'nameCN' | 'nameEN', string>>,
  query: string,
): number {
  if (code === query) return 0;
  if (nameEN === query || nameCN === query) return 1;
  if (code.startsWith(query)) return 2;
  return nameEN.startsWith(query) || nameCN.startsWith(query) ? 3 : 4;
}

function sortForList(couriers: readonly Courier[], preferredCodes: readonly string[]): readonly Courier[] {
  const positions = new Map(preferredCodes.map((code, index) => [code, index]));
  const positionOf = (courier: Courier): number => positions.get(courier.code) ?? Number.MAX_SAFE_INTEGER;
  const sortName = (courier: Courier): string => fold(courier.nameEN ?? courier.code);
  return couriers
    .map((courier) => ({ courier, place: positionOf(courier), name: sortName(courier) }))
    .sort((left, right) => left.place - right.place || (left.name < right.name ? -1 : left.name > right.name ? 1 : 0))
    .map(({ courier }) => courier);
}

/** Returns a sentence that says what is wrong with a courier code, or null if it is valid or cannot be checked. */
export type CourierCheck = (courierCode: string) => string | null;

const maxSuggestions = 2;

/**
 * Checks codes against Get Carriers, because a registration with an unknown code would be wasted. Accepts any code if
 * the list is stale, empty or missing.
 */
export function createCourierCheck(list: Pick<CourierList, 'couriers' | 'stale'> | null): CourierCheck {
  if (list === null || list.stale || list.couriers.length === 0) return () => null;
  const codes = new Set(list.couriers.map(({ code }) => code.toLowerCase()));
  return (courierCode) => {
    if (codes.has(courierCode.toLowerCase())) return null;
    const near = nearestCodes(list.couriers, courierCode, maxSuggestions);
    const advice = near.length === 0 ? '.' : `; did you mean ${near.join(' or ')}?`;
    return `No courier has the code "${courierCode}"${advice}`;
  };
}

type CourierResolution =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly problem: string };

export type CourierResolver = (text: string) => CourierResolution;

/**
 * Creates a function that turns a code, or anything that {@link matchCourier} understands, into a code and checks that
 * with {@link createCourierCheck}.
 */
export function createCourierResolver(list: Pick<CourierList, 'couriers' | 'stale'> | null): CourierResolver {
  const check = createCourierCheck(list);
  const couriers = list?.couriers ?? [];
  return (text) => {
    const match = matchCourier(text, couriers);
    if (match.kind === 'several') return { ok: false, problem: ambiguousCourierMessage(text, match.codes) };
    const code = match.kind === 'one' ? match.code : text;
    if (!isCourierCode(code)) return { ok: false, problem: `No courier is called "${text}".` };
    const problem = check(code);
    return problem === null ? { ok: true, code } : { ok: false, problem };
  };
}
