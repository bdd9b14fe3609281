/** Draws what a terminal shows as an SVG file: letters as text, frames as lines, every piece in its own cells. */
import type { IBufferCell, Terminal } from '@xterm/headless';

/** A cell is 0.6 em wide, as in most monospaced fonts. */
const fontSize = 14;
const cellWidth = 8.4;
const cellHeight = 19;
/** From the top of a cell to the line on which letters stand. */
const baseline = 14;
const padding = 16;
const titleHeight = 36;

const background = '#0d1117';
const foreground = '#d1d7e0';
/** The terminal's sixteen colours. */
const palette: readonly string[] = [
  ...['#484f58', '#ff7b72', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#b1bac4'],
  ...['#6e7681', '#ffa198', '#7ee787', '#f2cc60', '#a5d6ff', '#e2c5ff', '#b3f0ff', '#f0f6fc'],
];

interface Style {
  readonly colour: string;
  /** Null for the window's own. */
  readonly behind: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
}

/** What stands in one cell; a wide character takes two. */
interface DrawnCell {
  readonly text: string;
  readonly column: number;
  readonly width: number;
  readonly style: Style;
}

/** A piece of a row that is drawn as one. */
interface Piece {
  readonly text: string;
  readonly column: number;
  readonly width: number;
  readonly style: Style;
  readonly kind: Kind;
}

/**
 * `word` begins at its cell and is stretched to its cells; `centred` stands in the middle of them: signs and wide
 * characters, whose widths depend on the font, and right-to-left words.
 */
type Kind = 'word' | 'centred';

/** The screen of a terminal as an SVG file, in a window with a title. */
export function terminalPicture(terminal: Terminal, title: string): string {
  const width = Math.ceil(terminal.cols * cellWidth + 2 * padding);
  const height = terminal.rows * cellHeight + titleHeight + padding;
  const rows = Array.from({ length: terminal.rows }, (_, row) => cellsOf(terminal, row));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono","Noto Sans Mono CJK SC",monospace;fill:${foreground};white-space:pre}.b{font-weight:700}.d{fill-opacity:.6;stroke-opacity:.6}.c{text-anchor:middle}path{fill:none}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${background}" stroke="#30363d"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (colour, index) => `<circle cx="${22 + index * 20}" cy="18" r="6" fill="${colour}"/>`,
    ),
    `<text class="c d" x="${width / 2}" y="23">${escapeXml(title)}</text>`,
    `<g transform="translate(${padding} ${titleHeight})" stroke-width="1.2">`,
    ...rows.flatMap((cells, row) => backgrounds(cells, row)),
    ...strokes(rows),
    ...rows.flatMap((cells, row) => texts(cells, row)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function cellsOf(terminal: Terminal, row: number): readonly DrawnCell[] {
  const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + row);
  return Array.from({ length: terminal.cols }, (_, column) => ({ column, cell: line?.getCell(column) })).flatMap(
    ({ column, cell }) =>
      cell === undefined || cell.getWidth() === 0
        ? []
        : [{ text: cell.getChars(), column, width: cell.getWidth(), style: styleOf(cell) }],
  );
}

function styleOf(cell: IBufferCell): Style {
  const ink = cell.isFgDefault() ? foreground : (palette[cell.getFgColor()] ?? foreground);
  const paper = cell.isBgDefault() ? null : (palette[cell.getBgColor()] ?? null);
  const isInverse = cell.isInverse() !== 0;
  return {
    colour: isInverse ? (paper ?? background) : ink,
    behind: isInverse ? ink : paper,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
  };
}

const sameStyle = (a: Style, b: Style): boolean =>
  a.colour === b.colour && a.behind === b.behind && a.bold === b.bold && a.dim === b.dim;

function backgrounds(cells: readonly DrawnCell[], row: number): readonly string[] {
  return cells
    .filter(({ style }) => style.behind !== null)
    .map(({ column, width, style }) => block(column, row, width, style.behind ?? background));
}

function block(column: number, row: number, width: number, colour: string): string {
  return `<rect x="${x(column)}" y="${row * cellHeight}" width="${round(width * cellWidth)}" height="${cellHeight}" fill="${colour}"/>`;
}

/** Where a line through a cell goes: left, right, up, down from its middle. */
const arms: Readonly<Record<string, string>> = {
  '─': 'lr',
  '━': 'lr',
  '│': 'ud',
  '╭': 'rd',
  '╮': 'ld',
  '╰': 'ru',
  '╯': 'lu',
};

/** All frames, a path for each look; neighbouring cells of a line are one stroke. */
function strokes(rows: readonly (readonly DrawnCell[])[]): readonly string[] {
  const paths = new Map<string, string>();
  const add = (cell: DrawnCell, path: string): void => {
    const look = `stroke="${cell.style.colour}"${cell.style.dim ? ' class="d"' : ''}${cell.text === '━' ? ' stroke-width="2.6"' : ''}`;
    paths.set(look, (paths.get(look) ?? '') + path);
  };
  rows.forEach((cells, row) => {
    const middle = row * cellHeight + cellHeight / 2;
    let last: DrawnCell | null = null;
    let length = 0;
    const end = (): void => {
      if (last !== null) add(last, `M${x(last.column + 1 - length)} ${middle}h${round(length * cellWidth)}`);
      last = null;
      length = 0;
    };
    for (const cell of cells) {
      const isLine = arms[cell.text] === 'lr';
      if (last !== null && !(isLine && sameStyle(last.style, cell.style) && last.text === cell.text)) end();
      if (isLine) {
        last = cell;
        length += 1;
      } else if (cell.text in arms) {
        add(cell, cell.text === '│' ? `M${centre(cell)} ${row * cellHeight}v${cellHeight}` : corner(cell, row));
      }
    }
    end();
  });
  return [...paths].map(([look, path]) => `<path ${look} d="${path}"/>`);
}

/** A round corner, from the side of its cell to the bottom or the top. */
function corner(cell: DrawnCell, row: number): string {
  const directions = arms[cell.text] ?? '';
  const side = directions.includes('l') ? cell.column : cell.column + 1;
  const middle = row * cellHeight + cellHeight / 2;
  const end = directions.includes('d') ? (row + 1) * cellHeight : row * cellHeight;
  return `M${x(side)} ${middle}Q${centre(cell)} ${middle} ${centre(cell)} ${end}`;
}

function texts(cells: readonly DrawnCell[], row: number): readonly string[] {
  const pieces = piecesOf(cells.filter(({ text }) => text.trim() !== '' && !(text in arms)));
  const bars = pieces.filter(({ text }) => text === '▌');
  const drawn = pieces.filter(({ text }) => text !== '▌').map(span);
  return [
    ...bars.map((bar) => block(bar.column, row, 0.5, bar.style.colour)),
    ...(drawn.length === 0 ? [] : [`<text y="${row * cellHeight + baseline}">${drawn.join('')}</text>`]),
  ];
}

/** Neighbouring letters of one look make a word. */
function piecesOf(cells: readonly DrawnCell[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const cell of cells) {
    const last = pieces.at(-1);
    const { isLetter, kind } = classify(cell);
    if (
      last !== undefined &&
      isLetter &&
      classify({ ...cell, text: last.text }).isLetter &&
      last.kind === kind &&
      last.column + last.width === cell.column &&
      sameStyle(last.style, cell.style)
    ) {
      pieces[pieces.length - 1] = { ...last, text: last.text + cell.text, width: last.width + cell.width };
    } else {
      pieces.push({ ...cell, kind });
    }
  }
  return pieces;
}

function classify({ text, width }: Pick<DrawnCell, 'text' | 'width'>): {
  readonly isLetter: boolean;
  readonly kind: Kind;
} {
  if (/\p{Script=Arabic}|\p{Script=Hebrew}/u.test(text)) return { isLetter: true, kind: 'centred' };
  if (width > 1) return { isLetter: false, kind: 'centred' };
  const isLetter = /^[\x21-\x7E\p{L}\p{M}\p{N}]+$/u.test(text);
  return { isLetter, kind: isLetter ? 'word' : 'centred' };
}

function span({ text, column, width, style, kind }: Piece): string {
  const classes = [kind === 'centred' ? 'c' : '', style.bold ? 'b' : '', style.dim ? 'd' : ''].filter(Boolean);
  const attributes = [
    `x="${kind === 'centred' ? round((column + width / 2) * cellWidth) : x(column)}"`,
    // Fonts differ in width; words must end where their cells end.
    kind === 'word' && width > 1 ? `textLength="${round(width * cellWidth)}" lengthAdjust="spacingAndGlyphs"` : '',
    classes.length === 0 ? '' : `class="${classes.join(' ')}"`,
    style.colour === foreground ? '' : `fill="${style.colour}"`,
  ].filter(Boolean);
  return `<tspan ${attributes.join(' ')}>${escapeXml(text)}</tspan>`;
}

const round = (value: number): number => Number(value.toFixed(1));
const x = (column: number): number => round(column * cellWidth);
const centre = (cell: DrawnCell): number => round((cell.column + 0.5) * cellWidth);

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
