import { type LegendGroup, legend } from '../../board/status/legend.ts';
import { cellWidth, fitLine, fitText, paragraphLines, wrap } from '../../lib/cells.ts';
import type { GlyphSet, Line, Segment } from '../../lib/paint.ts';
import { fold } from '../../lib/text.ts';
import type { Board, ShownOverlay } from '../board.ts';
import { searchLine } from '../field/field-window.ts';
import type { TextEdit } from '../field/text-edit.ts';
import type { Binding, KeyContext, KeyGroup } from '../keys/binding.ts';
import { keyCap, keyCaps } from '../keys/key-names.ts';
import type { PaneSize } from '../layout.ts';
import { type Block, inColumns, innerSize, type Span, scrollStatus, scrollWithin } from '../pane/frame.ts';
import { Pane } from '../pane/pane.tsx';
import type { UiState } from '../ui-state.ts';

export interface HelpItem {
  readonly binding: Binding;
  readonly context: KeyContext;
  readonly group: string;
}

type ListedGroup = Pick<KeyGroup, 'bindings' | 'context' | 'parts' | 'title'>;

/**
 * The keys that the help lists: best match first, or in keymap order with the focused pane first. All words must
 * match description, keys, group or further words. Keys of several groups are listed once.
 */
export function searchHelp(keymap: readonly ListedGroup[], first: KeyContext, query: string): readonly HelpItem[] {
  const groups = keymap.toSorted((a, b) => Number(b.context === first) - Number(a.context === first));
  const items = groups.flatMap(itemsOf);
  const wanted = fold(query);
  if (wanted === '') return items;
  const isNear = ({ context }: HelpItem): boolean => context === first || context === 'global';
  const results = items
    .map((item) => ({ item, rank: rankOf(item, query.trim(), wanted) }))
    .filter(({ rank }) => rank !== noMatch)
    .toSorted((a, b) => a.rank - b.rank || Number(isNear(b.item)) - Number(isNear(a.item)))
    .map(({ item }) => item);
  return results.filter(({ binding }, at) => results.findIndex((one) => one.binding === binding) === at);
}

function itemsOf({ bindings, context, parts = [], title }: ListedGroup): readonly HelpItem[] {
  const inParts = new Set(parts.flatMap((part) => part.bindings));
  const own = { title, bindings: bindings.filter((binding) => !inParts.has(binding)) };
  return [own, ...parts].flatMap((part) =>
    part.bindings.map((binding): HelpItem => ({ binding, context, group: part.title })),
  );
}

const noMatch = Number.POSITIVE_INFINITY;

/** 0 is the best match: the key itself, then the start of its description or of a further word, then words in it. */
function rankOf({ binding, group }: HelpItem, typed: string, wanted: string): number {
  const description = fold(binding.description);
  const furtherWords = binding.alsoFoundBy ?? [];
  const caps = binding.keys.map((key) => keyCap(key, 'ascii'));
  // Keys are case-sensitive.
  if (caps.includes(typed)) return 0;
  if ([description, ...furtherWords].some((text) => text.startsWith(wanted))) return 1;
  if (` ${description}`.includes(` ${wanted}`)) return 2;
  const text = `${description} ${fold(caps.join(' '))} ${fold(group)} ${furtherWords.join(' ')}`;
  return wanted.split(' ').every((word) => text.includes(word)) ? 3 : noMatch;
}

const inputBarHelp =
  'NUMBER, or NUMBER @courier "label". Spaces are fine (1Z 999 AA1 ...). Paste a list with one number per line: number, courier, label.';

export interface ListedKey extends HelpItem {
  /** Why it is not possible now; null if it is. */
  readonly why: string | null;
}

export interface HelpInput {
  readonly listed: readonly ListedKey[];
  /** Index of the selected key; -1 for none. */
  readonly index: number;
  readonly isSearch: boolean;
  readonly glyphs: GlyphSet;
  /** Cells of its pane. */
  readonly width: number;
}

const widestKeys = 20;
const leastColumn = 46;
const columnGap = 2;
/** Cells of the selection mark. */
const markWidth = 2;

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
  lines: [[{ text: ' Nothing found. Delete a few letters.', tone: 'quiet' }]],
  spans: [],
};

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

interface HelpSource {
  /** The board without the help. */
  readonly uncovered: Board;
  readonly ui: Pick<UiState, 'helpIndex' | 'helpQuery' | 'overlayOffset'>;
  readonly listed: readonly ListedKey[];
  readonly size: PaneSize;
}

export function helpOverlay(source: HelpSource): ShownOverlay {
  const { listed, size, ui, uncovered } = source;
  const { height, width } = innerSize(size);
  const isSearch = ui.helpQuery.text.trim() !== '';
  const { lines, spans } = helpText({ listed, index: ui.helpIndex, isSearch, glyphs: uncovered.glyphs, width });
  const choices = listed.flatMap(({ binding, why }, index) => {
    const span = spans[index];
    return span === undefined ? [] : [{ ...span, why, run: () => binding.run(uncovered, 1) }];
  });
  // The first row is the search.
  const scroll = scrollWithin(lines.length, ui.overlayOffset, height - 1);
  return { name: 'help', choices, lines: lines.slice(scroll.offset, scroll.offset + scroll.rows), scroll };
}

interface HelpProps extends Pick<ShownOverlay, 'lines' | 'scroll'> {
  readonly query: TextEdit;
  readonly size: PaneSize;
}

export function Help({ lines, query, scroll, size }: HelpProps) {
  const search = searchLine(query, 'an action, such as archive; Enter runs it', size);
  return <Pane texts={{ title: 'Keys', ...scrollStatus(scroll) }} size={size} isFocused lines={[search, ...lines]} />;
}
