import { fitLine, lineWidth } from '../../board/text/cells.ts';
import type { GlyphSet, Line, Segment } from '../../board/text/line.ts';
import { footerBindings, type KeyContext, keyCap } from '../keys/keymap.ts';
import type { Message } from '../state.ts';

/** Hints that stay when the window is narrow. */
const dearest = new Set(['help', 'quit', 'back', 'submit']);

/** Cells between a message and the keys. */
const messageGap = 2;

/** The footer, exactly `width` cells: the keys of the focused pane, behind a message as far as there is room for both. */
export function footerLine(
  context: KeyContext,
  message: Message | null,
  width: number,
  glyphs: GlyphSet = 'symbols',
): Line {
  if (message === null) {
    const keys = keysWithin(context, width - 1, glyphs, false);
    return fitLine([{ text: ' ' }, ...keys], width);
  }
  const text: Segment =
    message.tone === 'attention'
      ? { text: ` ! ${message.text}`, tone: 'attention', bold: true }
      : { text: ` ${message.text}` };
  const room = width - lineWidth([text]) - messageGap;
  const keys = keysWithin(context, room, glyphs, true);
  if (keys.length === 0) return fitLine([text], width);
  return [text, { text: ' '.repeat(messageGap + room - lineWidth(keys)) }, ...keys];
}

/** Keys with their hints, each followed by a gap. The dearest go last; with `orNone` all go when these do not fit. */
function keysWithin(context: KeyContext, room: number, glyphs: GlyphSet, orNone: boolean): Line {
  let bindings = footerBindings(context);
  const segments = (): Segment[] =>
    bindings.flatMap((binding): Segment[] => [
      { text: keyCap(binding.keys[0] ?? '', glyphs), bold: true },
      { text: ` ${binding.hint}  `, tone: 'quiet' },
    ]);
  while (lineWidth(segments()) > room && bindings.some((binding) => !dearest.has(binding.action))) {
    const last = bindings.findLastIndex((binding) => !dearest.has(binding.action));
    bindings = bindings.filter((_, index) => index !== last);
  }
  return orNone && lineWidth(segments()) > room ? [] : segments();
}
