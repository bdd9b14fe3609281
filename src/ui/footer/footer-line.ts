import { cellWidth, cut, fitLine, lineWidth } from '../../board/text/cells.ts';
import type { GlyphSet, Line, Segment } from '../../board/text/line.ts';
import { withoutAddress } from '../../board/text/without-address.ts';
import type { Board } from '../app/board.ts';
import { footerBindings } from '../app/keymap.ts';
import { keyContextOf } from '../app/state.ts';
import { filterMessage } from '../filter/message.ts';
import type { Binding } from '../keys/binding.ts';
import { bindingsWithin, hintOf, hintsWidth } from './hints.ts';
import type { Message } from './state.ts';

/** Cells between a message and the keys. */
const messageGap = 2;

/** What the footer shows. */
export interface FooterInput {
  /** Those that it may name. */
  readonly bindings: readonly Binding<Board>[];
  readonly message: Message | null;
  /** Cells of the line. */
  readonly width: number;
  readonly glyphs: GlyphSet;
}

/** The footer of the board. A message that the lines under the header say, too, is left out, and one that is so no more. */
export function footerOf(board: Board): FooterInput {
  const { columns, glyphs, overlay, state, ui } = board;
  const { notices, polling } = state;
  const isSaid = (text: string): boolean =>
    // They may say besides what follows from it.
    polling.problem?.message.includes(text) === true ||
    notices.some((notice) => notice.includes(text)) ||
    (overlay?.name === 'setup' && ui.message?.tone === 'attention');
  const isOver = ({ isCutOff = false }: Message): boolean => isCutOff && polling.cutOffSince === null;
  const isLeftOut = ui.message !== null && (isSaid(ui.message.text) || isOver(ui.message));
  const message = isLeftOut ? null : (ui.message ?? filterMessage(board));
  const bindings = footerBindings(keyContextOf(ui))
    .filter(({ isHinted }) => isHinted?.(board) ?? true)
    .map((binding) => (binding.hintNow === undefined ? binding : { ...binding, hint: binding.hintNow(board) }));
  return { bindings, message, width: columns, glyphs };
}

/** The keys of the focused pane, behind a message as far as there is room for both. */
export function footerLine({ bindings: all, message, width, glyphs }: FooterInput): Line {
  const margin: Line = [{ text: ' ' }];
  const hints = (bindings: readonly Binding<Board>[]): Line => bindings.flatMap((binding) => hintOf(binding, glyphs));
  if (message === null) return fitLine([...margin, ...hints(bindingsWithin(all, width - 1, glyphs))], width);
  const { text, advice } = inTwo(message, width - 1);
  const style: Omit<Segment, 'text'> = message.tone === 'attention' ? { tone: 'attention', bold: true } : {};
  const said = { ...style, text: message.tone === 'attention' ? `! ${text}` : text };
  const next = { ...style, text: advice === undefined ? '' : ` ${advice}` };
  const room = width - 1 - lineWidth([said, next]) - messageGap;
  const bindings = bindingsWithin(all, room, glyphs);
  const shown = hintsWidth(bindings, glyphs) <= room ? hints(bindings) : [];
  const words = [...margin, { ...said, text: cut(said.text, width - 1 - lineWidth([next])) }, next];
  return [...fitLine(words, width - lineWidth(shown)), ...shown];
}

/** Beside its advice, so much of a message says at least what it is about. */
const leastSaid = 20;

/** A message that its line has no room for keeps its last sentence whole, which says what can be done: it is cut before that. */
function inTwo(message: Message, room: number): Pick<Message, 'advice' | 'text'> {
  if (message.advice !== undefined || cellWidth(message.text) <= room - 2) return message;
  const short = withoutAddress(message.text);
  const [, text, advice] = /^(.+[.!?]) (\p{Lu}[^.]*\.)$/su.exec(short) ?? [];
  return text === undefined || advice === undefined || cellWidth(advice) > room - leastSaid
    ? { text: short }
    : { text, advice };
}
