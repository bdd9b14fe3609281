import type { NamedCourier } from './scan-couriers.ts';
import type { TextWord } from './text-words.ts';

/** The couriers that are named near a number, nearest place first; each place holds at least one. */
export type NearCouriers = readonly (readonly NamedCourier[])[];

/** A line with all that is named in it and above it. */
export interface NamingLine {
  readonly line: string;
  readonly words: readonly TextWord[];
  readonly named: readonly NamedCourier[];
  /** What the heading above it names. */
  readonly above: readonly NamedCourier[];
}

/** How far from a number a courier's name may stand to be nearer than the rest of the line, in characters. */
const reach = 120;

/** Where a number stands, and where the one before it in the line ended; 0 for the first. */
export interface NumberSpan {
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

/** The couriers near a number: before it, behind it, elsewhere in its line, in the heading above. */
export function nearCouriers({ above, line, named, words }: NamingLine, { from, last, to }: NumberSpan): NearCouriers {
  if (named.length === 0) return above.length === 0 ? [] : [above];
  // A name in brackets belongs to the number that it follows.
  const bracket = last === 0 ? 0 : (/^ ?[([][^)\]]{0,80}[)\]]/.exec(line.slice(last, last + 100))?.[0].length ?? 0);
  const start = Math.max(last + bracket, from - reach);
  const before = named.filter((each) => each.from >= start && each.to <= from);
  const next = words.find((word) => word.from >= to && word.digits >= 3)?.from ?? line.length;
  const behind = named.filter(
    (each) =>
      each.from >= to &&
      each.from <= to + reach &&
      each.to <= next &&
      // What stands right before the next number belongs to that.
      (next === line.length || /[^\s:#-]/.test(line.slice(each.to, next))),
  );
  return [before, behind, named, above].filter((place) => place.length > 0);
}
