import type xterm from '@xterm/headless';

/** The state of a terminal besides its cells. */
export interface TerminalState {
  readonly title: string;
  readonly isCursorShown: boolean;
}

type Cell = xterm.IBufferCell;

/** Tracks a terminal's title and cursor; call it before the terminal receives any output. */
export function trackTerminalState(terminal: xterm.Terminal): () => TerminalState {
  let state: TerminalState = { title: '', isCursorShown: true };
  terminal.onTitleChange((title) => {
    state = { ...state, title };
  });
  for (const final of ['h', 'l']) {
    terminal.parser.registerCsiHandler({ prefix: '?', final }, (modes) => {
      if (modes.includes(25)) state = { ...state, isCursorShown: final === 'h' };
      return false;
    });
  }
  return () => state;
}

/**
 * The screen as text: its size, title and cursor, its rows, then a line for each row that describes the style of its
 * columns. Only visible properties count, so the colour of a blank does not.
 */
export function pictureOf(terminal: xterm.Terminal, { isCursorShown, title }: TerminalState): string {
  const { cols, rows } = terminal;
  const buffer = terminal.buffer.active;
  const lines = Array.from({ length: rows }, (_, row) => buffer.getLine(buffer.baseY + row));
  const cursor = `row ${buffer.cursorY + 1}, column ${buffer.cursorX + 1}`;
  return [
    `${cols}x${rows}, ${buffer.type} screen${buffer.baseY === 0 ? '' : ', scrolled'}`,
    `title: ${title}`,
    // The position of a hidden cursor is not visible.
    `cursor: ${isCursorShown ? cursor : 'hidden'}`,
    '',
    ...lines.map((line) => line?.translateToString(true, 0, cols).trimEnd() ?? ''),
    '',
    ...lines.map((line, row) => `${row + 1}: ${line === undefined ? '' : runsOf(line, cols)}`.trimEnd()),
    '',
  ].join('\n');
}

/** Describes a row's styled runs. Blanks between two runs of the same style do not divide them. */
function runsOf(line: xterm.IBufferLine, columns: number): string {
  const runs: { from: number; to: number; style: string }[] = [];
  for (let column = 0; column < columns; column += 1) {
    const cell = line.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    if (style === null) continue;
    const last = runs.at(-1);
    const to = column + cell.getWidth();
    if (last?.style === style) last.to = to;
    else runs.push({ from: column + 1, to, style });
  }
  return runs
    .filter(({ style }) => style !== '')
    .map(({ from, style, to }) => `${from}-${to} ${style}`)
    .join(', ');
}

/** How a cell is drawn: empty for the default style, null if it is invisible. */
function styleOf(cell: Cell): string | null {
  const isBlank = cell.getChars().trim() === '';
  const background = colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  const seenOnBlanks = [
    cell.isUnderline() ? 'underline' : '',
    cell.isStrikethrough() ? 'struck' : '',
    cell.isInverse() ? 'inverse' : '',
    background === '' ? '' : `on ${background}`,
  ];
  if (isBlank && seenOnBlanks.every((part) => part === '')) return null;
  const foreground = colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
  const parts =
    isBlank && !cell.isInverse() ? [] : [foreground, cell.isBold() ? 'bold' : '', cell.isDim() ? 'dim' : ''];
  const rest = [cell.isItalic() ? 'italic' : '', cell.isInvisible() ? 'invisible' : '', ...seenOnBlanks];
  return [...parts, ...rest].filter((part) => part !== '').join(' ');
}

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

function colour(isDefault: boolean, isRgb: boolean, value: number): string {
  if (isDefault) return '';
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  return value < 16 ? `${value < 8 ? '' : 'bright-'}${names[value % 8]}` : `colour-${value}`;
}

/** Pictures by the names of their screens. */
export type Recording = ReadonlyMap<string, string>;

/** Describes the differences between two recordings, with one paragraph per screen. */
export function differences(before: Recording, after: Recording): readonly string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const [first, second] = [before.get(name), after.get(name)];
    if (first === second) return [];
    if (first === undefined || second === undefined)
      return [`${name}\n  only in the ${first === undefined ? 'second' : 'first'}`];
    const [oldLines, newLines] = [first.split('\n'), second.split('\n')];
    const lines = Array.from({ length: Math.max(oldLines.length, newLines.length) }, (_, index) => index);
    // Both have the same size, so a row and its style have the same index in both.
    const changed = lines.filter((index) => oldLines[index] !== newLines[index]);
    return [
      [name, ...changed.flatMap((index) => [`  - ${oldLines[index] ?? ''}`, `  + ${newLines[index] ?? ''}`])].join(
        '\n',
      ),
    ];
  });
}
