/** The fewest and most characters that a pattern matches; of patterns as couriers' numbers need them, without `*` and `+`. */
type Lengths = readonly [shortest: number, longest: number];

/** See {@link Lengths}. Throws for what it does not know. */
export function patternLengths(pattern: string): Lengths {
  const [lengths, end] = alternatives(pattern, 0);
  if (end !== pattern.length) throw new Error(`Cannot read the pattern at ${end}: ${pattern}`);
  return lengths;
}

function alternatives(pattern: string, from: number): [Lengths, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  let at = from;
  for (;;) {
    const [[shortest, longest], end] = sequence(pattern, at);
    [least, most] = [Math.min(least, shortest), Math.max(most, longest)];
    if (pattern[end] !== '|') return [[least, most], end];
    at = end + 1;
  }
}

function sequence(pattern: string, from: number): [Lengths, number] {
  let [shortest, longest] = [0, 0];
  let at = from;
  while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
    const [[least, most], end] = atom(pattern, at);
    const [[fewest, times], next] = quantifier(pattern, end);
    shortest += least * fewest;
    longest += most * times;
    at = next;
  }
  return [[shortest, longest], at];
}

function atom(pattern: string, at: number): [Lengths, number] {
  const rest = pattern.slice(at);
  const opening = /^\((?:\?<[A-Za-z0-9]+>|\?:|\?[=!])?/.exec(rest)?.[0];
  if (opening !== undefined) {
    const [lengths, end] = alternatives(pattern, at + opening.length);
    return [/[=!]$/.test(opening) ? [0, 0] : lengths, end + 1];
  }
  const single = /^(?:\[[^\]]+\]|\\d|[A-Z0-9-])/.exec(rest)?.[0];
  if (single !== undefined) return [[1, 1], at + single.length];
  const boundary = /^(?:\\b|\^|\$)/.exec(rest)?.[0];
  if (boundary !== undefined) return [[0, 0], at + boundary.length];
  throw new Error(`Cannot read the pattern at ${at}: ${pattern}`);
}

function quantifier(pattern: string, at: number): [Lengths, number] {
  const [text, only, least, most] = /^(?:\{(\d+)\}|\{(\d+),(\d+)\}|\?)/.exec(pattern.slice(at)) ?? [''];
  if (text === '') return [[1, 1], at];
  if (text === '?') return [[0, 1], at + 1];
  return [[Number(only ?? least), Number(only ?? most)], at + text.length];
}
