import { termHelp } from '../../board/filter-vocabulary.ts';
import { type LegendGroup, legend } from '../../board/symbols.ts';
import { cellWidth, fitLine, fitText, paragraphLines, wrap } from '../../lib/cells.ts';
import type { GlyphSet, Line, Segment } from '../../lib/paint.ts';
import { fold } from '../../lib/text.ts';
import type { Board, OverlayContent } from '../board.ts';
import { searchLine } from '../field/field.tsx';
import type { Binding, KeyContext, KeyGroup } from '../keys/binding.ts';
import { keyCap, keyCaps } from '../keys/key-names.ts';
import {
  arrangeInColumns,
  type Block,
  innerSize,
  type PaneSize,
  type Span,
  scrollStatus,
  visibleText,
} from '../layout.ts';
import type { UiState } from '../ui-state.ts';
import { isPalette } from './keys.ts';

export interface HelpItem {
  readonly binding: Binding;
  readonly context: KeyContext;
  readonly group: string;
}

/** Movement keys come last, because users know them already. */
const lastTask = 'Move in';

/**
 * Returns the keys that the help lists. Without a query, these are the keys that work where the help was opened, by
 * task, or all keys in the order of the keymap. With a query, the best match comes first; each word must match the
 * description, the keys, the group or a synonym. After a colon, commands come first. Shared keys are listed once.
 */
export function searchHelp(
  keymap: readonly KeyGroup[],
  first: KeyContext,
  query: string,
  isAll = true,
): readonly HelpItem[] {
  const groups = keymap.toSorted((a, b) => Number(b.context === first) - Number(a.context === first));
  const items = groups.flatMap(toItems);
  const isHere = ({ context }: HelpItem): boolean =>
    context === first || (context === 'global' && groups[0]?.isClosed !== true);
  const here = items
    .filter(isHere)
    .toSorted((a, b) => Number(a.group.startsWith(lastTask)) - Number(b.group.startsWith(lastTask)));
  if (isPalette(query)) return searchCommands(items, here, query);
  if (fold(query) === '') return isAll ? items : here;
  return rankItems(items, query.trim(), first);
}

function rankItems(items: readonly HelpItem[], typed: string, first: KeyContext): readonly HelpItem[] {
  const isNear = ({ context }: HelpItem): boolean => context === first || context === 'global';
  const results = items
    .map((item) => ({ item, rank: matchRank(item, typed, fold(typed)) }))
    .filter(({ rank }) => rank !== noMatch)
    .toSorted((a, b) => a.rank - b.rank || Number(isNear(b.item)) - Number(isNear(a.item)))
    .map(({ item }) => item);
  return deduplicate(results);
}

const deduplicate = (items: readonly HelpItem[]): readonly HelpItem[] =>
  items.filter(({ binding }, at) => items.findIndex((other) => other.binding === binding) === at);

/** Splits a command such as `:courier dhl`. The argument is null until a space follows the word. */
function parseCommand(query: string): { readonly word: string; readonly argument: string | null } {
  const [, word = '', argument] = /^:(\S*)(?:\s+(.*))?$/s.exec(query) ?? [];
  return { word: word.toLowerCase(), argument: argument?.trim() ?? null };
}

/**
 * Returns the commands that start with the typed word, then matching keys. Once an argument is typed, only the command.
 */
function searchCommands(items: readonly HelpItem[], here: readonly HelpItem[], query: string): readonly HelpItem[] {
  const { argument, word } = parseCommand(query);
  const commands = items.filter(({ binding }) => binding.command?.name.startsWith(word) === true);
  if (argument !== null) return commands.slice(0, 1);
  return deduplicate([...commands, ...(word === '' ? here : rankItems(here, word, 'global'))]);
}

function toItems({ bindings, context, tasks, title }: KeyGroup): readonly HelpItem[] {
  return (tasks ?? [{ title, bindings }]).flatMap((task) =>
    task.bindings.map((binding): HelpItem => ({ binding, context, group: task.title })),
  );
}

const noMatch = Number.POSITIVE_INFINITY;

/**
 * Ranks a match. The query is the key itself (0), the beginning of its description or of a synonym (1), the beginning
 * of a word in the description (2), or words that all occur somewhere (3).
 */
function matchRank({ binding, group }: HelpItem, typed: string, query: string): number {
  const description = fold(binding.description);
  const synonyms = binding.synonyms ?? [];
  const caps = binding.keys.map((key) => keyCap(key, 'ascii'));
  // Keys are case-sensitive.
  if (caps.includes(typed)) return 0;
  if ([description, ...synonyms].some((text) => text.startsWith(query))) return 1;
  if (` ${description}`.includes(` ${query}`)) return 2;
  const text = `${description} ${fold(caps.join(' '))} ${fold(group)} ${synonyms.join(' ')}`;
  return query.split(' ').every((word) => text.includes(word)) ? 3 : noMatch;
}

const inputBarHelp =
  'NUMBER, or NUMBER @courier "label". Spaces are fine (1Z 999 AA1 ...). Paste a list with one number per line: number, courier, label.';

export interface ListedKey extends HelpItem {
  /** Why the key cannot be used now, or null. */
  readonly disabledReason: string | null;
  /** What the key would do now, or null if the description says enough. */
  readonly detail?: string | null;
}

export interface HelpInput {
  readonly listed: readonly ListedKey[];
  /** Index of the selected key, or -1. */
  readonly index: number;
  /** The query as typed. Blank without a search. */
  readonly query: string;
  /** Whether the keys of all panes are listed. */
  readonly isAll: boolean;
  readonly glyphs: GlyphSet;
  /** Inner width of the pane, in cells. */
  readonly width: number;
}

const maxKeysCells = 20;
const maxCommandCells = 36;
const minColumnWidth = 46;
const columnGap = 2;
/** Width of the selection marker, in cells. */
const markWidth = 2;

export function helpText(input: HelpInput): Block {
  const { isAll, listed, query, width } = input;
  if (query.trim() !== '') return searchResults(input);
  const groups = [...Map.groupBy(listed, ({ group }) => group).values()];
  const minWidth = isAll ? minColumnWidth : Math.max(0, ...groups.map((group) => shortWidth(input, group)));
  const count = Math.max(1, Math.floor((width + columnGap) / (minWidth + columnGap)));
  const columnWidth = Math.floor((width - columnGap * (count - 1)) / count);
  const keys = groups.map((group) => groupBlock(input, group, columnWidth));
  const legendBlocks = (isAll ? legend() : shortLegend()).map((group) => legendBlock(group, columnWidth));
  return arrangeInColumns([...keys, ...legendBlocks], count, columnWidth, columnGap);
}

/** Returns the results of a search: keys first, then symbols and filter terms. */
function searchResults(input: HelpInput): Block {
  const { listed, query, width } = input;
  const keys = keyRows(input, listed, width);
  const groups = [...matchingSymbols(query), ...matchingTerms(query)];
  const legendLines = groups.flatMap((group) => [[], ...legendBlock(group, width).lines]);
  if (listed.length === 0 && legendLines.length === 0)
    return { lines: [[{ text: ' Nothing found. Try fewer letters.', tone: 'quiet' }]], spans: [] };
  return { lines: [...keys.lines, ...(listed.length === 0 ? legendLines.slice(1) : legendLines)], spans: keys.spans };
}

/** Returns the stage symbols with their names only. */
const shortLegend = (): readonly LegendGroup[] =>
  legend()
    .slice(0, 1)
    .map(({ entries, title }) => ({
      title,
      entries: entries.map(({ meaning, symbol }) => ({ symbol, meaning: meaning.split(/[:,]/)[0] ?? meaning })),
    }));

const legendQueries: ReadonlySet<string> = new Set(['symbol', 'symbols', 'sign', 'signs', 'legend']);

/** Returns the symbol that the user typed, or those whose meaning matches the query. */
function matchingSymbols(query: string): readonly LegendGroup[] {
  const typed = query.trim();
  const folded = fold(typed);
  if (legendQueries.has(folded)) return legend();
  const isFound = ({ meaning, symbol }: LegendGroup['entries'][number]): boolean =>
    symbol.text === typed || (folded.length > 2 && ` ${fold(meaning)} ${fold(symbol.text)}`.includes(` ${folded}`));
  return legend().flatMap(({ entries, title }) => {
    const found = entries.filter(isFound);
    return found.length === 0 ? [] : [{ title, entries: found }];
  });
}

function matchingTerms(query: string): readonly LegendGroup[] {
  const word = fold(query.trim());
  const isFound = ([term, meaning]: (typeof termHelp)[number]): boolean =>
    word.length > 2 && ` ${fold(term).replace(':', ' ')} ${fold(meaning)}`.includes(` ${word}`);
  const entries = termHelp.filter(isFound).map(([text, meaning]) => ({ symbol: { text }, meaning }));
  return entries.length === 0 ? [] : [{ title: 'Filter terms: type them after /', entries }];
}

/** Maximum number of keys per action in the short list. */
const maxShortKeys = 2;

function keyCapsText({ binding }: ListedKey, { glyphs, isAll, query }: HelpInput): string {
  const { command, keys } = binding;
  if (command !== undefined && isPalette(query)) return `:${command.name} ${command.argument}`.trimEnd();
  if (keys.length === 0) return command === undefined ? '' : `:${command.name}`;
  const isShort = !isAll && query.trim() === '';
  const caps = keyCaps(keys, glyphs);
  return (isShort ? caps.slice(0, maxShortKeys) : caps).join(isShort ? ' ' : '  ');
}

const maxKeysWidth = (input: HelpInput, keys: readonly ListedKey[]): number =>
  Math.max(0, ...keys.map((key) => cellWidth(keyCapsText(key, input))));

/** Width of a group's longest row in the short list, in cells. */
const shortWidth = (input: HelpInput, keys: readonly ListedKey[]): number =>
  1 + maxKeysWidth(input, keys) + 1 + Math.max(0, ...keys.map(({ binding }) => cellWidth(binding.description)));

function groupBlock(input: HelpInput, group: readonly ListedKey[], width: number): Block {
  const [first] = group;
  const introduction = first?.context === 'add' ? paragraphLines(inputBarHelp, width - 1, { tone: 'quiet' }, 2) : [];
  const heading: readonly Line[] = [[{ text: ` ${first?.group ?? ''}`, bold: true }], ...introduction];
  const { lines, spans } = keyRows(input, group, width);
  return {
    lines: [...heading, ...lines],
    spans: spans.map(({ from, to }) => ({ from: from + heading.length, to: to + heading.length })),
  };
}

function keyRows(input: HelpInput, keys: readonly ListedKey[], width: number): Block {
  const { index, isAll, listed, query } = input;
  const isSearch = query.trim() !== '';
  const isShort = !isAll && !isSearch;
  const keyWidth = Math.min(isPalette(query) ? maxCommandCells : maxKeysCells, maxKeysWidth(input, keys));
  const mark = isShort ? 1 : markWidth;
  const gap = isShort ? 1 : 2;
  const room = Math.max(8, width - mark - keyWidth - gap - (isShort ? 0 : 1));
  const lines: Line[] = [];
  const spans: Span[] = [];
  for (const key of keys) {
    const from = lines.length;
    const isSelected = index >= 0 && listed[index] === key;
    const keyRows = wrap(keyCapsText(key, input), keyWidth);
    const style: Omit<Segment, 'text'> =
      key.disabledReason === null ? { bold: isSelected } : { tone: 'quiet', bold: isSelected };
    const { description } = key.binding;
    const text = key.detail == null ? description : `${description}: ${key.detail}`;
    const texts = wrap(text, room).map((text): Segment => ({ ...style, text }));
    if (isSearch && key.disabledReason !== null)
      texts.push(...wrap(key.disabledReason, room).map((text): Segment => ({ text, tone: 'quiet' })));
    for (let row = 0; row < Math.max(texts.length, keyRows.length); row += 1) {
      lines.push([
        { text: (isSelected ? '▌' : '').padEnd(mark), tone: 'accent', bold: true },
        { text: fitText(keyRows[row] ?? '', keyWidth + gap), tone: key.disabledReason === null ? 'accent' : 'quiet' },
        texts[row] ?? { text: '' },
      ]);
    }
    spans.push({ from, to: lines.length });
  }
  return { lines, spans };
}

/** Cells to the left of a symbol. */
const symbolMargin = 2;

function legendBlock({ entries, title }: LegendGroup, width: number): Block {
  const symbolWidth = Math.max(...entries.map(({ symbol }) => cellWidth(symbol.text)));
  const lines = entries.flatMap(({ meaning, symbol }) =>
    wrap(meaning, Math.max(8, width - symbolMargin - symbolWidth - 3)).map((text, row): Line => {
      const symbolCell: Line = [{ text: ' '.repeat(symbolMargin) }, ...(row === 0 ? [symbol] : [])];
      return [...fitLine(symbolCell, symbolMargin + symbolWidth + 2), { text }];
    }),
  );
  return { lines: [[{ text: ` ${title}`, bold: true }], ...lines], spans: [] };
}

export function helpOverlay(
  listed: readonly ListedKey[],
  boardBelow: Board,
  ui: Pick<UiState, 'helpShowsAll' | 'helpIndex' | 'helpQuery' | 'overlayOffset'>,
  size: PaneSize,
): OverlayContent {
  const { height, width } = innerSize(size);
  const { glyphs } = boardBelow;
  const query = ui.helpQuery.text;
  const { lines, spans } = helpText({ listed, index: ui.helpIndex, isAll: ui.helpShowsAll, query, glyphs, width });
  const { argument } = parseCommand(query);
  const choices = listed.flatMap(({ binding, disabledReason }, index) => {
    const span = spans[index];
    const { command } = binding;
    const run =
      command === undefined || !argument
        ? (): void => binding.run(boardBelow, 1)
        : (): void => command.run(boardBelow, argument);
    const palette = command && { name: command.name, suggestions: () => command.suggestions?.(boardBelow) ?? [] };
    return span === undefined ? [] : [{ ...span, command: palette, disabledReason, run }];
  });
  // The first row is the search field.
  const visible = visibleText(lines, ui.overlayOffset, height - 1);
  const search = searchLine(ui.helpQuery, 'an action, such as archive; Enter runs it', size);
  const { status = '' } = scrollStatus(visible.scroll);
  const tabHint = query.trim() === '' ? `Tab: ${ui.helpShowsAll ? 'only the keys here' : 'the keys of all panes'}` : '';
  const fullStatus = [tabHint, status].filter((part) => part !== '').join(' · ');
  const texts = { title: 'Help', status: cellWidth(fullStatus) + 6 <= size.width ? fullStatus : status };
  return { texts, choices, lines: [search, ...visible.lines], scroll: visible.scroll };
}
