import { useEffect } from 'react';
import { cellWidth, cut, fitLine, lineWidth } from '../lib/cells.ts';
import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-text.ts';
import type { GlyphSet, Line, Segment } from '../lib/paint.ts';
import { StoreError } from '../lib/store-errors.ts';
import { withoutAddress } from '../lib/text.ts';
import type { Board, BoardServices } from './board.ts';
import type { Binding } from './keys/binding.ts';
import { keyCap } from './keys/key-names.ts';
import type { Change, Message } from './ui-state.ts';

export function showMessage(
  { change }: Pick<Board, 'change'>,
  text: string,
  { tone = 'plain', ...more }: Partial<Omit<Message, 'text'>> = {},
): void {
  change({ message: { text, tone, ...more } });
}

export const showProblem = (board: Pick<Board, 'change'>, text: string): void =>
  showMessage(board, text, { tone: 'attention' });

/** Shows a plain message, unless it would replace one that needs attention. */
export const showUnlessUrgent = ({ change }: Pick<Board, 'change'>, text: string): void =>
  change(({ message }) => (message?.tone === 'attention' ? {} : { message: { text, tone: 'plain' } }));

export function inBackground(board: Pick<Board, 'change'>, work: () => Promise<void>): void {
  work().catch((error: unknown) =>
    showMessage(board, messageOf(error), {
      tone: 'attention',
      isCutOff: error instanceof StoreError && error.kind === 'cut-off',
    }),
  );
}

/** Shows `startText`, does the work, and shows its result. */
export function runWithStatus(board: Pick<Board, 'change'>, startText: string, work: () => Promise<string>): void {
  showMessage(board, startText);
  inBackground(board, async () => showMessage(board, await work()));
}

/** How long a plain message is shown, in milliseconds. */
const messageDurationMs = 8000;

/** Removes a plain message after a while. Messages that need attention stay until the next key. */
export function useMessageExpiry(clock: Clock, message: Message | null, change: Change): void {
  useEffect(() => {
    if (message === null || message.tone === 'attention') return;
    return clock.setTimer(message.durationMs ?? messageDurationMs, () =>
      change((state) => (state.message === message ? { message: null } : {})),
    );
  }, [clock, message, change]);
}

/** Shows messages about changed settings, unless they would replace one that needs attention. */
export function useSettingMessages(news: BoardServices['news'], change: Change): void {
  useEffect(() => {
    if (news != null) showUnlessUrgent({ change }, news.sentence);
  }, [news, change]);
}

export interface HintedKey extends Pick<Binding, 'alwaysShown' | 'defaultKey' | 'keys'> {
  readonly hint: string;
}

export interface FooterProps {
  readonly keys: readonly HintedKey[];
  readonly message: Message | null;
  /** Width of the line, in cells. */
  readonly width: number;
  readonly glyphs: GlyphSet;
}

/** Cells between the message and the hints. */
const messageGap = 2;

export function footerLine({ keys: allKeys, message, width, glyphs }: FooterProps): Line {
  const margin: Line = [{ text: ' ' }];
  const hintLine = (bindings: readonly HintedKey[]): Line => bindings.flatMap((binding) => keyHint(binding, glyphs));
  if (message === null) return fitLine([...margin, ...hintLine(bindingsWithin(allKeys, width - 1, glyphs))], width);
  const { text, advice } = splitMessage(message, width - 1);
  const style: Omit<Segment, 'text'> = message.tone === 'attention' ? { tone: 'attention', bold: true } : {};
  const segment = { ...style, text: message.tone === 'attention' ? `! ${text}` : text };
  const adviceSegment = { ...style, text: advice === undefined ? '' : ` ${advice}` };
  const room = width - 1 - lineWidth([segment, adviceSegment]) - messageGap;
  const bindings = bindingsWithin(allKeys, room, glyphs);
  const shown = hintsWidth(bindings, glyphs) <= room ? hintLine(bindings) : [];
  const messageLine = [
    ...margin,
    { ...segment, text: cut(segment.text, width - 1 - lineWidth([adviceSegment])) },
    adviceSegment,
  ];
  return [...fitLine(messageLine, width - lineWidth(shown)), ...shown];
}

/** Minimum width of a message next to its advice, in cells. */
const minMessageCells = 20;

/** Splits off the last sentence of a long message: it is the advice, which must not be truncated. */
function splitMessage(message: Message, room: number): Pick<Message, 'advice' | 'text'> {
  if (message.advice !== undefined || cellWidth(message.text) <= room - 2) return message;
  const short = withoutAddress(message.text);
  const [, text, advice] = /^(.+[.!?]) (\p{Lu}[^.]*\.)$/su.exec(short) ?? [];
  return text === undefined || advice === undefined || cellWidth(advice) > room - minMessageCells
    ? { text: short }
    : { text, advice };
}

/** The order of the hints: the keys that new users need come first, those that close or quit come last. */
const footerOrder: readonly string[] = ['enter', 'h', 'a', '/', ' ', 'x', 's', 'o', 'n', 'r', 'y', 'A', 't'];

const firstKey = ({ keys: [key = ''] }: HintedKey): string => key;

function footerRank(binding: HintedKey): number {
  const index = footerOrder.indexOf(binding.defaultKey ?? firstKey(binding));
  return index === -1 ? footerOrder.length : index;
}

const keyHint = (binding: HintedKey, glyphs: GlyphSet): Line => [
  { text: keyCap(firstKey(binding), glyphs), bold: true },
  { text: ` ${binding.hint}  `, tone: 'quiet' },
];

/** Width of the hints, in cells. */
const hintsWidth = (bindings: readonly HintedKey[], glyphs: GlyphSet): number =>
  bindings.reduce((sum, binding) => sum + lineWidth(keyHint(binding, glyphs)), 0);

/** Returns the hints that fit. Drops hints from the end, except those that are always shown. */
function bindingsWithin(all: readonly HintedKey[], room: number, glyphs: GlyphSet): readonly HintedKey[] {
  const ordered = all.toSorted((a, b) => footerRank(a) - footerRank(b));
  let remaining: readonly HintedKey[] = ordered;
  for (const candidate of ordered.filter(({ alwaysShown }) => alwaysShown !== true).toReversed()) {
    if (hintsWidth(remaining, glyphs) <= room) break;
    remaining = remaining.filter((binding) => binding !== candidate);
  }
  return remaining;
}
