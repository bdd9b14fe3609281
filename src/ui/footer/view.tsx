import { Text } from 'ink';
import { fitLine, lineWidth } from '../../board/text/cells.ts';
import type { GlyphSet, Line, Segment } from '../../board/text/line.ts';
import { paint } from '../../board/text/paint.ts';
import type { Board } from '../board.ts';
import type { KeyContext } from '../keys/context.ts';
import { keyCap } from '../keys/key-caps.ts';
import { footerBindings } from '../keys/keymap.ts';
import { keyContextOf } from '../state.ts';
import type { Message } from './state.ts';

/** Cells between a message and the keys. */
const messageGap = 2;

/** The keys of the focused pane, behind a message as far as there is room for both. */
export function Footer({ board }: { readonly board: Board }) {
  const { columns, glyphs, ui } = board;
  return (
    <Text wrap="truncate">{paint(footerLine(keyContextOf(ui), shownMessage(board), columns, glyphs), board)}</Text>
  );
}

/** The message, unless the lines under the header say the same. */
function shownMessage({ state: { notices, polling }, ui: { message } }: Board): Message | null {
  const isShown = message !== null && (message.text === polling.problem?.message || notices.includes(message.text));
  return isShown ? null : message;
}

/** The footer, exactly `width` cells. */
export function footerLine(context: KeyContext, message: Message | null, width: number, glyphs: GlyphSet): Line {
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

/** Keys with their hints, each followed by a gap. Those always shown go last; with `orNone` all go when these do not fit. */
function keysWithin(context: KeyContext, room: number, glyphs: GlyphSet, orNone: boolean): Line {
  let bindings = footerBindings(context);
  const segments = (): Segment[] =>
    bindings.flatMap((binding): Segment[] => [
      { text: keyCap(binding.keys[0] ?? '', glyphs), bold: true },
      { text: ` ${binding.hint}  `, tone: 'quiet' },
    ]);
  while (lineWidth(segments()) > room && bindings.some((binding) => binding.alwaysShown !== true)) {
    const last = bindings.findLastIndex((binding) => binding.alwaysShown !== true);
    bindings = bindings.filter((_, index) => index !== last);
  }
  return orNone && lineWidth(segments()) > room ? [] : segments();
}
