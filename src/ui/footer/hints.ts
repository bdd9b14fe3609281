import { lineWidth } from '../../board/text/cells.ts';
import type { GlyphSet, Line } from '../../board/text/line.ts';
import type { Board } from '../app/board.ts';
import type { Binding } from '../keys/binding.ts';
import { keyCap } from '../keys/key-caps.ts';

/** Keys in the order in which the footer names them; others follow, the ways out last. */
const order: readonly string[] = ['enter', 'h', 'a', '/', 's', ' ', 'x', 'o', 'n', 'r', 'y', 'A', 't'];

/** Keys that give way first, whatever stands behind them: people know them, or read them elsewhere on the screen. */
const firstToGo: readonly string[] = ['t', 'y', 'r', 'A', '/', 'a'];

const keyOf = ({ keys: [key = ''] }: Binding<Board>): string => key;

function placeOf(binding: Binding<Board>): number {
  const at = order.indexOf(keyOf(binding));
  return at === -1 ? order.length : at;
}

/** A key with its hint and the gap behind it. */
export const hintOf = (binding: Binding<Board>, glyphs: GlyphSet): Line => [
  { text: keyCap(keyOf(binding), glyphs), bold: true },
  { text: ` ${binding.hint}  `, tone: 'quiet' },
];

/** Cells that hints take. */
export const hintsWidth = (bindings: readonly Binding<Board>[], glyphs: GlyphSet): number =>
  bindings.reduce((sum, binding) => sum + lineWidth(hintOf(binding, glyphs)), 0);

/** The bindings whose hints fit, in the footer's order. Of those that are always shown none is left out. */
export function bindingsWithin(
  all: readonly Binding<Board>[],
  room: number,
  glyphs: GlyphSet,
): readonly Binding<Board>[] {
  const ordered = all.toSorted((a, b) => placeOf(a) - placeOf(b));
  const canGo = ordered.filter(({ alwaysShown }) => alwaysShown !== true);
  const going = [
    ...firstToGo.flatMap((key) => canGo.filter((binding) => keyOf(binding) === key)),
    ...canGo.filter((binding) => !firstToGo.includes(keyOf(binding))).toReversed(),
  ];
  let kept: readonly Binding<Board>[] = ordered;
  for (const gone of going) {
    if (hintsWidth(kept, glyphs) <= room) break;
    kept = kept.filter((binding) => binding !== gone);
  }
  return kept;
}
