import { cellWidth, fitLine, lineWidth } from '../board/cells.ts';
import type { GlyphSet, Line, Segment } from '../board/line.ts';
import { footerBindings, type KeyContext, keyCap } from './keymap.ts';
import type { Message } from './state.ts';

/** Hints that stay when the window is narrow. */
const dearest = new Set(['help', 'quit', 'back', 'submit']);

/** The footer, exactly `width` cells: the keys of the focused pane, or a message in their place. */
export function footerLine(
  context: KeyContext,
  message: Message | null,
  width: number,
  glyphs: GlyphSet = 'symbols',
): Line {
  if (message !== null) {
    const text: Segment =
      message.tone === 'attention'
        ? { text: ` ! ${message.text}`, tone: 'attention', bold: true }
        : { text: ` ${message.text}` };
    return fitLine([text], width);
  }
  let bindings = footerBindings(context);
  const sizeOf = (): number =>
    bindings.reduce((sum, binding) => sum + cellWidth(`${keyCap(binding.keys[0] ?? '', glyphs)} ${binding.hint}  `), 1);
  while (sizeOf() > width && bindings.some((binding) => !dearest.has(binding.action))) {
    const last = bindings.findLastIndex((binding) => !dearest.has(binding.action));
    bindings = bindings.filter((_, index) => index !== last);
  }
  const line: Line = [
    { text: ' ' },
    ...bindings.flatMap((binding): Segment[] => [
      { text: keyCap(binding.keys[0] ?? '', glyphs), bold: true },
      { text: ` ${binding.hint}  `, tone: 'quiet' },
    ]),
  ];
  return lineWidth(line) === width ? line : fitLine(line, width);
}
