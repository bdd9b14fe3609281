import { fittingCouriers } from './fitting-couriers.ts';
import { type FormatMatch, type FormatMatcher, isUnmistakable } from './match-formats.ts';
import type { NearCouriers } from './near-couriers.ts';
import type { ScanCouriers } from './scan-couriers.ts';
import type { WordGroups } from './text-words.ts';

/** What the form of words and the couriers that are named near them say together. */
export interface WeighedForm {
  /** The most telling of the formats that they have; null for none. */
  readonly best: FormatMatch | null;
  /** The format that they would have with another check digit; null where they have one, or none at all. */
  readonly mistyped: FormatMatch | null;
  /** Keys of the couriers that fit, likeliest first. */
  readonly fitting: readonly string[];
  /** Whether one of them is named near. */
  readonly isNamed: boolean;
}

/** What knows formats and couriers. */
interface Knowledge {
  readonly formats: FormatMatcher;
  readonly couriers: ScanCouriers;
}

/**
 * Weighs the formats of words. A courier that is named near leaves those that its formats allow; one whose formats do not
 * allow them counts only where no check digit speaks for another.
 */
export function weighFormats(
  { couriers, formats }: Knowledge,
  groups: WordGroups,
  matches: readonly FormatMatch[],
  near: NearCouriers,
): WeighedForm {
  const named = narrowed(couriers, matches, near);
  if (named !== null) return { best: named.matches[0] ?? null, mistyped: null, fitting: named.fitting, isNamed: true };
  const best = matches.find(({ isVerified }) => isVerified) ?? matches[0] ?? null;
  if (best?.isVerified === true) {
    const verified = matches.filter(({ isVerified }) => isVerified);
    return { best, mistyped: null, fitting: fittingCouriers(couriers, verified), isNamed: false };
  }
  const almost = near.length > 0 || isUnmistakable(groups.text) ? allOf(formats.mistyped, groups) : [];
  const meant = narrowed(couriers, almost, near);
  if (meant !== null) return { best: null, mistyped: meant.matches[0] ?? null, fitting: meant.fitting, isNamed: true };
  const plain = almost.filter(({ isDistinctive }) => isDistinctive);
  const [first] = plain;
  if (first !== undefined) {
    return { best: null, mistyped: first, fitting: fittingCouriers(couriers, plain), isNamed: false };
  }
  const nearest = near[0]?.at(-1);
  if (nearest !== undefined && best?.isDistinctive !== true) {
    return { best: null, mistyped: null, fitting: [nearest.key], isNamed: true };
  }
  return { best, mistyped: null, fitting: fittingCouriers(couriers, matches), isNamed: false };
}

/** The formats that words have, as they are written or without what separates them. */
export const allOf = (match: FormatMatcher['match'], { raw, text }: WordGroups): readonly FormatMatch[] =>
  raw === text ? match(text) : [...match(raw), ...match(text)];

interface Narrowed {
  readonly matches: readonly FormatMatch[];
  readonly fitting: readonly string[];
}

/** The formats of the couriers that are named at the nearest place that names one of theirs; null where none does. */
function narrowed(couriers: ScanCouriers, matches: readonly FormatMatch[], near: NearCouriers): Narrowed | null {
  if (matches.length === 0) return null;
  for (const place of near) {
    const keys = new Set(place.flatMap((named) => named.keys));
    const left = matches.filter((match) => fittingCouriers(couriers, [match]).some((key) => keys.has(key)));
    if (left.length === 0) continue;
    return { matches: left, fitting: fittingCouriers(couriers, left).filter((key) => keys.has(key)) };
  }
  return null;
}
