/** Draws a terminal's contents as an SVG file: letters as text, box-drawing characters as lines. */
import type { IBufferCell, Terminal } from '@xterm/headless';

/** A cell is 0.6 em wide, as in most monospaced fonts. */
const fontSize = 14;
const cellWidth = 8.4;
const cellHeight = 19;
/** From the top of a cell to the baseline. */
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

const lightPalette: readonly string[] = [
  ...['#24292f', '#cf222e', '#116329', '#9a6700', '#0969da', '#8250df', '#1b7c83', '#6e7780'],
  ...['#57606a', '#a40e26', '#1a7f37', '#7d4e00', '#218bff', '#a475f9', '#3192aa', '#8c959e'],
];

/** Recolours a picture for a light window. */
export function toLightTheme(picture: string): string {
  const colours = new Map(palette.map((colour, at) => [colour, lightPalette[at] ?? colour]));
  colours.set(background, '#fffffe').set(foreground, '#1f2328').set('#30363d', '#d0d7de');
  return picture.replace(/#[0-9a-f]{6}/g, (colour) => colours.get(colour) ?? colour);
}

/** Neighbouring cells with the same style. */
interface Run {
  readonly text: string;
  readonly column: number;
  readonly width: number;
  readonly colour: string;
  /** Null for the window's own background. */
  readonly behind: string | null;
  readonly classes: string;
}

/** Where the lines of a box-drawing character go from the centre of its cell: left, right, up or down. */
const boxLines: Readonly<Record<string, string>> = {
  '─': 'lr',
  '━': 'lr',
  '│': 'ud',
  '╭': 'rd',
  '╮': 'ld',
  '╰': 'ru',
  '╯': 'lu',
};

/** A screen as the SVG elements of its rows, top to bottom. */
export type DrawnRows = readonly string[];

export interface DrawnFrame {
  readonly rows: DrawnRows;
  /** How long it is shown, in milliseconds. */
  readonly shownMs: number;
}

/** Draws the rows of a terminal's screen. */
export const drawRows = (terminal: Terminal): DrawnRows =>
  Array.from({ length: terminal.rows }, (_, row) =>
    runsOf(terminal, row)
      .map((run) => drawRun(run, row))
      .join(''),
  );

/** A terminal's screen as an SVG file, in a window with a title. */
export const terminalPicture = (terminal: Terminal, title: string): string =>
  inWindow(terminal, title, '', drawRows(terminal));

/**
 * Frames as one SVG file that plays them in a loop. A row that consecutive frames share is in the file only once, with
 * the time during which it is visible.
 */
export function terminalAnimation(
  { cols, rows }: Pick<Terminal, 'cols' | 'rows'>,
  title: string,
  frames: readonly DrawnFrame[],
): string {
  const ends = frames.map((_, index) => frames.slice(0, index + 1).reduce((sum, { shownMs }) => sum + shownMs, 0));
  const totalMs = ends.at(-1) ?? 0;
  const percent = (frame: number): number => round(((ends[frame - 1] ?? 0) * 100) / totalMs);
  const spans = new Map<string, string>();
  const animated = (content: string, from: number, to: number): string => {
    if (content === '' || (from === 0 && to === frames.length)) return content;
    const name = `f${from}-${to}`;
    const shown = from === 0 ? '0%{visibility:visible}' : `0%{visibility:hidden}${percent(from)}%{visibility:visible}`;
    const hidden = to === frames.length ? '' : `${percent(to)}%{visibility:hidden}`;
    spans.set(name, `@keyframes ${name}{${shown}${hidden}}.${name}{animation:${name} ${totalMs}ms step-end infinite}`);
    return `<g class="${name}">${content}</g>`;
  };
  const lines = Array.from({ length: rows }, (_, row) => {
    const contents = frames.map((frame) => frame.rows[row] ?? '');
    const starts = contents.flatMap((content, index) => (content === contents[index - 1] ? [] : [index]));
    return starts.map((from, at) => animated(contents[from] ?? '', from, starts[at + 1] ?? frames.length)).join('');
  });
  return inWindow({ cols, rows }, title, [...spans.values()].join(''), lines);
}

function inWindow(
  { cols, rows }: Pick<Terminal, 'cols' | 'rows'>,
  title: string,
  style: string,
  lines: DrawnRows,
): string {
  const width = Math.ceil(cols * cellWidth + 2 * padding);
  const height = rows * cellHeight + titleHeight + padding;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono","Noto Sans Mono CJK SC",monospace;fill:${foreground};white-space:pre}.b{font-weight:700}.d{fill-opacity:.6;stroke-opacity:.6}.c{text-anchor:middle}path{fill:none}${style}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${background}" stroke="#30363d"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (colour, at) => `<circle cx="${22 + at * 20}" cy="18" r="6" fill="${colour}"/>`,
    ),
    `<text class="c d" x="${width / 2}" y="23">${escapeXml(title)}</text>`,
    `<g transform="translate(${padding} ${titleHeight})" stroke-width="1.2">`,
    ...lines,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function runsOf(terminal: Terminal, row: number): readonly Run[] {
  const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + row);
  const runs: Run[] = [];
  for (let column = 0; column < terminal.cols; column += 1) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const next: Run = { text: cell.getChars() || ' ', column, width: cell.getWidth(), ...styleOf(cell) };
    const last = runs.at(-1);
    const hasSameStyle = last?.colour === next.colour && last.behind === next.behind && last.classes === next.classes;
    if (last !== undefined && hasSameStyle && kindOf(last) !== 'single' && kindOf(last) === kindOf(next)) {
      runs[runs.length - 1] = { ...last, text: last.text + next.text, width: last.width + next.width };
    } else {
      runs.push(next);
    }
  }
  return runs;
}

/** What a run consists of. Letters and lines are drawn in one piece, symbols and wide characters one by one. */
function kindOf({ text, width }: Run): string {
  if (/^[─━]+$/.test(text)) return `line ${text[0]}`;
  if (/[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)) return 'right to left';
  if (text.trim() === '') return 'blank';
  return width === [...text].length && /^[\x21-\x7E\p{L}\p{N}]+$/u.test(text) ? 'letters' : 'single';
}

function styleOf(cell: IBufferCell): Pick<Run, 'colour' | 'behind' | 'classes'> {
  const ink = cell.isFgDefault() ? foreground : (palette[cell.getFgColor()] ?? foreground);
  const paper = cell.isBgDefault() ? null : (palette[cell.getBgColor()] ?? null);
  const isInverse = cell.isInverse() !== 0;
  return {
    colour: isInverse ? (paper ?? background) : ink,
    behind: isInverse ? ink : paper,
    classes: [cell.isBold() === 0 ? '' : 'b', cell.isDim() === 0 ? '' : 'd'].join(' ').trim(),
  };
}

function drawRun(run: Run, row: number): string {
  const { behind, classes, colour, column, text, width } = run;
  const [x, y, length] = [round(column * cellWidth), row * cellHeight, round(width * cellWidth)];
  const block = (fill: string, part = 1) =>
    `<rect x="${x}" y="${y}" width="${round(length * part)}" height="${cellHeight}" fill="${fill}"/>`;
  const paper = behind === null ? '' : block(behind);
  if (text.trim() === '') return paper;
  if (text === '▌') return paper + block(colour, 0.5);
  const lines = boxLines[text[0] ?? ''];
  if (lines !== undefined) {
    const thickness = text.startsWith('━') ? ' stroke-width="2.6"' : '';
    const dim = classes.includes('d') ? ' class="d"' : '';
    return `${paper}<path stroke="${colour}"${dim}${thickness} d="${framePath(lines, x, y, length)}"/>`;
  }
  const isCentred = kindOf(run) !== 'letters';
  const attributes = [
    `x="${isCentred ? round(x + length / 2) : x}" y="${y + baseline}"`,
    // Fonts differ in width, but text must end where its cells end.
    !isCentred && width > 1 ? `textLength="${length}" lengthAdjust="spacingAndGlyphs"` : '',
    isCentred || classes !== '' ? `class="${`${isCentred ? 'c' : ''} ${classes}`.trim()}"` : '',
    colour === foreground ? '' : `fill="${colour}"`,
  ].filter(Boolean);
  return `${paper}<text ${attributes.join(' ')}>${escapeXml(text)}</text>`;
}

/** A straight line through the cells of a run, or a round corner from the side of a cell to its bottom or top. */
function framePath(lines: string, x: number, y: number, length: number): string {
  const [centre, middle] = [round(x + cellWidth / 2), y + cellHeight / 2];
  if (lines === 'lr') return `M${x} ${middle}h${length}`;
  if (lines === 'ud') return `M${centre} ${y}v${cellHeight}`;
  const side = lines.includes('l') ? x : round(x + cellWidth);
  return `M${side} ${middle}Q${centre} ${middle} ${centre} ${lines.includes('d') ? y + cellHeight : y}`;
}

const round = (value: number): number => Number(value.toFixed(1));

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
