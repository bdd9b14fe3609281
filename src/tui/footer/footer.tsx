import { cellWidth, cut, fitLine, lineWidth } from '../../lib/cells.ts';
import type { GlyphSet, Line, Segment } from '../../lib/paint.ts';
import { withoutAddress } from '../../lib/text.ts';
import type { Binding } from '../keys/binding.ts';
import { keyCap } from '../keys/key-names.ts';
import { Lines } from '../pane/pane.tsx';
import type { Message } from '../ui-state.ts';

type NamedKey = Pick<Binding, 'alwaysShown' | 'hint' | 'keys' | 'defaultKey'>;

export interface FooterProps {
  readonly bindings: readonly NamedKey[];
  readonly message: Message | null;
  /** Width of the line, in cells. */
  readonly width: number;
  readonly glyphs: GlyphSet;
}

export function Footer(footer: FooterProps) {
  return <Lines lines={[footerLine(footer)]} />;
}

/** Cells between the message and the hints. */
const messageGap = 2;

function footerLine({ bindings: all, message, width, glyphs }: FooterProps): Line {
  const margin: Line = [{ text: ' ' }];
  const hints = (bindings: readonly NamedKey[]): Line => bindings.flatMap((binding) => hintOf(binding, glyphs));
  if (message === null) return fitLine([...margin, ...hints(bindingsWithin(all, width - 1, glyphs))], width);
  const { text, advice } = splitMessage(message, width - 1);
  const style: Omit<Segment, 'text'> = message.tone === 'attention' ? { tone: 'attention', bold: true } : {};
  const segment = { ...style, text: message.tone === 'attention' ? `! ${text}` : text };
  const next = { ...style, text: advice === undefined ? '' : ` ${advice}` };
  const room = width - 1 - lineWidth([segment, next]) - messageGap;
  const bindings = bindingsWithin(all, room, glyphs);
  const shown = hintsWidth(bindings, glyphs) <= room ? hints(bindings) : [];
  const words = [...margin, { ...segment, text: cut(segment.text, width - 1 - lineWidth([next])) }, next];
  return [...fitLine(words, width - lineWidth(shown)), ...shown];
}

/** Minimum width of a message next to its advice, in cells. */
const minMessageCells = 20;

/** Splits off the last sentence of a long message, because it is the advice, which must not be truncated. */
function splitMessage(message: Message, room: number): Pick<Message, 'advice' | 'text'> {
  if (message.advice !== undefined || cellWidth(message.text) <= room - 2) return message;
  const short = withoutAddress(message.text);
  const [, text, advice] = /^(.+[.!?]) (\p{Lu}[^.]*\.)$/su.exec(short) ?? [];
  return text === undefined || advice === undefined || cellWidth(advice) > room - minMessageCells
    ? { text: short }
    : { text, advice };
}

/** The order of keys in the footer: those for new users come first, those that close or quit last. */
const order: readonly string[] = ['enter', 'h', 'a', '/', ' ', 'x', 's', 'o', 'n', 'r', 'y', 'A', 't'];

const keyOf = ({ keys: [key = ''] }: NamedKey): string => key;

function rankOf(binding: NamedKey): number {
  const at = order.indexOf(binding.defaultKey ?? keyOf(binding));
  return at === -1 ? order.length : at;
}

const hintOf = (binding: NamedKey, glyphs: GlyphSet): Line => [
  { text: keyCap(keyOf(binding), glyphs), bold: true },
  { text: ` ${binding.hint}  `, tone: 'quiet' },
];

/** Width of the hints, in cells. */
const hintsWidth = (bindings: readonly NamedKey[], glyphs: GlyphSet): number =>
  bindings.reduce((sum, binding) => sum + lineWidth(hintOf(binding, glyphs)), 0);

/** Returns the hints that fit. Drops hints from the end, except those that are always shown. */
function bindingsWithin(all: readonly NamedKey[], room: number, glyphs: GlyphSet): readonly NamedKey[] {
  const ordered = all.toSorted((a, b) => rankOf(a) - rankOf(b));
  let kept: readonly NamedKey[] = ordered;
  for (const gone of ordered.filter(({ alwaysShown }) => alwaysShown !== true).toReversed()) {
    if (hintsWidth(kept, glyphs) <= room) break;
    kept = kept.filter((binding) => binding !== gone);
  }
  return kept;
}
