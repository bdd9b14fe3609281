import { type LegendGroup, legend } from '../../board/status/legend.ts';
import { cellWidth, fitLine, fitText, wrap } from '../../board/text/cells.ts';
import type { GlyphSet, Line, Segment } from '../../board/text/line.ts';
import { paragraphLines } from '../../board/text/paragraph.ts';
import { keyCaps } from '../keys/key-caps.ts';
import { type Block, inColumns, type Span } from '../pane/text-columns.ts';
import type { HelpItem } from './search.ts';

const inputBarHelp =
  'NUMBER, or NUMBER @courier "label". A number may be in groups, as it is printed; a pasted list has one a line, with the columns number, courier, label.';

/** A key as the help lists it. */
export interface ListedKey<in Board = never> extends HelpItem<Board> {
  /** Why it cannot be done now, as a sentence; null when it can. */
  readonly why: string | null;
}

/** What the help depends on. */
export interface HelpInput {
  readonly listed: readonly ListedKey[];
  /** The selected one; -1 for none. */
  readonly index: number;
  /** Whether something is searched for: then the best match stands first, whatever its group. */
  readonly isSearch: boolean;
  readonly glyphs: GlyphSet;
  /** Cells of its pane. */
  readonly width: number;
}

const widestKeys = 20;
/** A column with less than this breaks most descriptions. */
const leastColumn = 46;
const columnGap = 2;
/** Cells before the keys, for the mark of the selected one. */
const markWidth = 2;

/** The help's lines, and which of them belong to which key. */
export function helpText(input: HelpInput): Block {
  const { isSearch, listed, width } = input;
  if (isSearch) return listed.length === 0 ? nothingFound : rowsOf(input, listed, width);
  const count = Math.max(1, Math.floor((width + columnGap) / (leastColumn + columnGap)));
  const columnWidth = Math.floor((width - columnGap * (count - 1)) / count);
  const groups = [...Map.groupBy(listed, ({ group }) => group).values()];
  const keys = groups.map((group) => groupBlock(input, group, columnWidth));
  const blocks = [...keys, ...legend().map((signs) => legendBlock(signs, columnWidth))];
  return inColumns(blocks, count, columnWidth, columnGap);
}

const nothingFound: Block = {
  lines: [[{ text: ' No key does that. Backspace widens the search.', tone: 'quiet' }]],
  spans: [],
};

/** A group under its heading. */
function groupBlock(input: HelpInput, group: readonly ListedKey[], width: number): Block {
  const [first] = group;
  const introduction = first?.context === 'add' ? paragraphLines(inputBarHelp, width - 1, { tone: 'quiet' }, 2) : [];
  const head: readonly Line[] = [[{ text: ` ${first?.group ?? ''}`, bold: true }], ...introduction];
  const { lines, spans } = rowsOf(input, group, width);
  return {
    lines: [...head, ...lines],
    spans: spans.map(({ from, to }) => ({ from: from + head.length, to: to + head.length })),
  };
}

/** Keys below each other. */
function rowsOf(input: HelpInput, keys: readonly ListedKey[], width: number): Block {
  const { glyphs, index, isSearch, listed } = input;
  const capsOf = ({ binding }: ListedKey): string => keyCaps(binding.keys, glyphs).join('  ');
  const keyWidth = Math.min(widestKeys, Math.max(...keys.map((key) => cellWidth(capsOf(key)))));
  const room = Math.max(8, width - markWidth - keyWidth - 3);
  const lines: Line[] = [];
  const spans: Span[] = [];
  for (const key of keys) {
    const from = lines.length;
    const isSelected = index >= 0 && listed[index] === key;
    const keyRows = wrap(capsOf(key), keyWidth);
    const look: Omit<Segment, 'text'> = key.why === null ? { bold: isSelected } : { tone: 'quiet', bold: isSelected };
    const texts = wrap(key.binding.description, room).map((text): Segment => ({ ...look, text }));
    if (isSearch && key.why !== null)
      texts.push(...wrap(key.why, room).map((text): Segment => ({ text, tone: 'quiet' })));
    for (let row = 0; row < Math.max(texts.length, keyRows.length); row += 1) {
      lines.push([
        { text: isSelected ? '▌ ' : '  ', tone: 'accent', bold: true },
        { text: `${fitText(keyRows[row] ?? '', keyWidth)}  `, tone: key.why === null ? 'accent' : 'quiet' },
        texts[row] ?? { text: '' },
      ]);
    }
    spans.push({ from, to: lines.length });
  }
  return { lines, spans };
}

/** Cells before a sign. */
const signMargin = 2;

/** What some signs mean, under their heading; nothing of it can be selected. */
function legendBlock({ entries, title }: LegendGroup, width: number): Block {
  const signWidth = Math.max(...entries.map(({ sign }) => cellWidth(sign.text)));
  const lines = entries.flatMap(({ meaning, sign }) =>
    wrap(meaning, Math.max(8, width - signMargin - signWidth - 3)).map((text, row): Line => {
      const lead: Line = [{ text: ' '.repeat(signMargin) }, ...(row === 0 ? [sign] : [])];
      return [...fitLine(lead, signMargin + signWidth + 2), { text }];
    }),
  );
  return { lines: [[{ text: ` ${title}`, bold: true }], ...lines], spans: [] };
}
