import { Box } from 'ink';
import { lineWidth } from '../../board/text/cells.ts';
import type { GlyphSet, Segment } from '../../board/text/line.ts';
import type { Board } from '../board.ts';
import { filterMessage } from '../filter/message.ts';
import type { Binding } from '../keys/binding.ts';
import { footerBindings } from '../keys/keymap.ts';
import { Painted } from '../pane/painted.tsx';
import { keyContextOf } from '../state.ts';
import { bindingsWithin, hintOf, hintsWidth } from './hints.ts';
import type { Message } from './state.ts';

/** Cells between a message and the keys. */
const messageGap = 2;

/** What the footer shows. */
export interface FooterProps {
  /** Those that it may name. */
  readonly bindings: readonly Binding[];
  readonly message: Message | null;
  /** Cells of the line. */
  readonly width: number;
  readonly glyphs: GlyphSet;
}

/** The footer of the board. A message that the lines under the header say, too, is left out. */
export function Footer({ board }: { readonly board: Board }) {
  const { columns, glyphs, overlay, state, ui } = board;
  const { notices, polling } = state;
  const isSaid = (text: string): boolean =>
    text === polling.problem?.message ||
    notices.includes(text) ||
    (overlay?.name === 'setup' && ui.message?.tone === 'attention');
  const message = ui.message !== null && isSaid(ui.message.text) ? null : (ui.message ?? filterMessage(board));
  const bindings = footerBindings(keyContextOf(ui))
    .filter(({ isHinted }) => isHinted?.(board) ?? true)
    .map((binding) => (binding.hintNow === undefined ? binding : { ...binding, hint: binding.hintNow(board) }));
  return <FooterLine bindings={bindings} message={message} width={columns} glyphs={glyphs} />;
}

/** The keys of the focused pane, behind a message as far as there is room for both. */
export function FooterLine({ bindings: all, message, width, glyphs }: FooterProps) {
  if (message === null) {
    return (
      <Box width={width} height={1} flexShrink={0} paddingLeft={1}>
        <Hints bindings={bindingsWithin(all, width - 1, glyphs)} glyphs={glyphs} />
      </Box>
    );
  }
  const { text, advice } = message;
  const style: Omit<Segment, 'text'> = message.tone === 'attention' ? { tone: 'attention', bold: true } : {};
  const said = { ...style, text: message.tone === 'attention' ? `! ${text}` : text };
  const next = { ...style, text: advice === undefined ? '' : ` ${advice}` };
  const room = width - 1 - lineWidth([said, next]) - messageGap;
  const bindings = bindingsWithin(all, room, glyphs);
  return (
    <Box width={width} height={1} flexShrink={0} justifyContent="space-between">
      <Box paddingLeft={1}>
        <Painted line={[said]} />
        <Box flexShrink={0}>
          <Painted line={[next]} />
        </Box>
      </Box>
      {hintsWidth(bindings, glyphs) <= room && <Hints bindings={bindings} glyphs={glyphs} />}
    </Box>
  );
}

/** Keys with their hints. */
function Hints({ bindings, glyphs }: { readonly bindings: readonly Binding[]; readonly glyphs: GlyphSet }) {
  return <Painted line={bindings.flatMap((binding) => hintOf(binding, glyphs))} />;
}
