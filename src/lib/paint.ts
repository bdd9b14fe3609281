export type Tone = 'plain' | 'attention' | 'today' | 'moving' | 'done' | 'quiet' | 'accent';

export interface Segment {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly dim?: boolean;
  /** Reverse video, which is readable with every palette and without colours. */
  readonly reverse?: boolean;
  readonly link?: string;
}

export type Line = readonly Segment[];

export type GlyphSet = 'symbols' | 'ascii';

/**
 * Regional indicators, keycaps, skin tones, joiners, variation selectors, Thai and Lao AM, and the linkers in Indic and
 * Khmer conjuncts.
 */
const ambiguousClusters =
  /[\u{1F1E6}-\u{1F1FF}\u20E3\u{1F3FB}-\u{1F3FF}\u0E33\u0EB3\u094D\u09CD\u0ACD\u0B4D\u0C4D\u0D4D\u1039\u17D2\u1A60\u1B44\u1BAB\uA9C0\uAAF6]|\u200D|[\uFE00-\uFE0F]/u;
const regionalIndicator = /[\u{1F1E6}-\u{1F1FF}]/gu;
const regionalIndicatorA = 0x1f1e6;
const droppedMarks = /[\u20E3\u{1F3FB}-\u{1F3FF}]|\u200D|[\uFE00-\uFE0F]/gu;
const thaiAm = /([\u0E48-\u0E4B]?)\u0E33/g;
const laoAm = /([\u0EC8-\u0ECB]?)\u0EB3/g;
const conjunct = (): RegExp =>
  /([\u094D\u09CD\u0ACD\u0B4D\u0C4D\u0D4D\u1039\u17D2\u1A60\u1B44\u1BAB\uA9C0\uAAF6]\p{M}*)(?=\p{L})/gu;

/** Rewrites clusters whose width varies between terminals. We measure, cut and paint the rewritten text. */
export function drawable(text: string): string {
  if (!ambiguousClusters.test(text)) return text;
  return text
    .replace(regionalIndicator, (indicator) => {
      const letter = (indicator.codePointAt(0) ?? regionalIndicatorA) - regionalIndicatorA;
      return String.fromCodePoint(0x41 + letter);
    })
    .replace(droppedMarks, '')
    .replace(thaiAm, '\u0E4D$1\u0E32')
    .replace(laoAm, '\u0ECD$1\u0EB2')
    .replace(conjunct(), '$1\u200C');
}

/** ASCII replacements for the board's symbols. */
const asciiSymbols: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '-': '·–▫─',
    '+': '›■╭╮╰╯┌┬┐├┼┤└┴┘',
    '*': '•●↻',
    '=': '≋━',
    '^': '↑▲',
    '>': '…→▸✈',
    '|': '⏎│',
    v: '↓✓',
    x: '×✗✖',
    o: '○',
    '"': '“”',
    '?': '±',
    '[': '▌',
    '#': '◆',
    '%': '◇',
    '.': '∙',
    '/': '□',
    '@': '◔',
    ':': '┆',
    X: '⊗',
  }).flatMap(([ascii, symbols]) => [...symbols].map((symbol) => [symbol, ascii] as const)),
);
const symbolPattern = new RegExp(`[${[...asciiSymbols.keys()].join('')}]`, 'gu');

export function inGlyphs(text: string, glyphs: GlyphSet): string {
  return glyphs === 'symbols' ? text : text.replace(symbolPattern, (symbol) => asciiSymbols.get(symbol) ?? symbol);
}

/** `none` turns colours off. */
export const themes = ['dark', 'light', 'high-contrast', 'colour-blind', 'none'] as const;
export type Theme = (typeof themes)[number];

/** Colours for selection and focus, in the order of their ANSI codes. */
export const accents = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;
export type Accent = (typeof accents)[number];

export interface Look {
  /** Defaults to the terminal's standard colours, which suit dark and light backgrounds. */
  readonly theme?: Theme | undefined;
  /** Defaults to the theme's accent. */
  readonly accent?: Accent | null;
  /** Whether the terminal supports 24-bit colours, which some themes use. Defaults to false. */
  readonly trueColour?: boolean;
  readonly colour: boolean;
  readonly hyperlinks: boolean;
  readonly glyphs: GlyphSet;
}

export type Painter = (segment: Segment) => string;

type Style = readonly [begin: string, end: string];

const ansiStyle = (begin: number, end: number): Style => [`\u001b[${begin}m`, `\u001b[${end}m`];

const none: Style = ['', ''];
const bold = ansiStyle(1, 22);
const dim = ansiStyle(2, 22);
const reverse = ansiStyle(7, 27);

/** Sticks to the terminal's sixteen colours, so that the user's palette applies. */
const defaultStyles: Readonly<Record<Tone, Style>> = {
  plain: none,
  attention: ansiStyle(31, 39),
  today: ansiStyle(33, 39),
  moving: ansiStyle(36, 39),
  done: ansiStyle(32, 39),
  quiet: dim,
  accent: ansiStyle(35, 39),
};

const boldColour = (begin: number): Style => [`\u001b[1;${begin}m`, '\u001b[22;39m'];

/** The styles that each theme overrides. */
const themeStyles: Readonly<Record<Theme, Partial<Record<Tone, Style>>>> = {
  dark: {
    attention: ansiStyle(91, 39),
    today: ansiStyle(93, 39),
    moving: ansiStyle(96, 39),
    done: ansiStyle(92, 39),
    accent: ansiStyle(95, 39),
  },
  // Yellow and cyan are hard to read on white.
  light: { today: ansiStyle(34, 39), moving: none },
  // The terminal's own text colour has the highest contrast.
  'high-contrast': {
    attention: ['\u001b[1;4m', '\u001b[24;22m'],
    today: bold,
    moving: none,
    done: none,
    quiet: none,
    accent: bold,
  },
  // Avoids red and green. Parcels that need attention are also bold.
  'colour-blind': { attention: boldColour(33), today: ansiStyle(35, 39), done: ansiStyle(34, 39), accent: bold },
  none: {},
};

const rgbStyle = (rgb: string, isBold = false): Style => [
  `\u001b[${isBold ? '1;' : ''}38;2;${rgb}m`,
  isBold ? '\u001b[22;39m' : '\u001b[39m',
];

/** The styles that each theme overrides on terminals with 24-bit colours. */
const trueColourStyles: Readonly<Partial<Record<Theme, Partial<Record<Tone, Style>>>>> = {
  // An amber and a green that are readable on white.
  light: { today: rgbStyle('138;90;0'), done: rgbStyle('0;110;60') },
  // From the Okabe-Ito palette: vermilion, reddish purple, blue.
  'colour-blind': {
    attention: rgbStyle('213;94;0', true),
    today: rgbStyle('204;121;167'),
    done: rgbStyle('0;114;178'),
  },
};

function toneStyle(tone: Tone, { accent, theme, trueColour }: Pick<Look, 'accent' | 'theme' | 'trueColour'>): Style {
  if (tone === 'accent' && accent != null) return ansiStyle((theme === 'dark' ? 91 : 31) + accents.indexOf(accent), 39);
  if (theme === undefined) return defaultStyles[tone];
  return (
    (trueColour === true ? trueColourStyles[theme]?.[tone] : undefined) ??
    themeStyles[theme][tone] ??
    defaultStyles[tone]
  );
}

type ColourLook = Pick<Look, 'accent' | 'colour' | 'theme' | 'trueColour'>;

function segmentStyle(
  { bold: isBold, dim: isDim, reverse: isReverse, tone = 'plain' }: Segment,
  look: ColourLook,
): Style {
  const isColoured = (look.colour && look.theme !== 'none') || tone === 'quiet';
  const [begin, end] = isColoured ? toneStyle(tone, look) : none;
  const [boldBegin, boldEnd] = isBold === true ? bold : none;
  const [dimBegin, dimEnd] = isDim === true && tone !== 'quiet' ? dim : none;
  const [reverseBegin, reverseEnd] = isReverse === true ? reverse : none;
  return [begin + boldBegin + dimBegin + reverseBegin, reverseEnd + dimEnd + boldEnd + end];
}

/**
 * The only place where colours, links and ASCII symbols are applied. Merges adjacent segments of the same style, because
 * Ink parses every escape sequence.
 */
export function paint(line: Line, look: Look): string {
  const { glyphs, hyperlinks } = look;
  let painted = '';
  let run = '';
  let begin = '';
  let end = '';
  const closeRun = (): void => {
    if (run !== '') painted += begin + run + end;
    run = '';
    begin = '';
    end = '';
  };
  for (const segment of line) {
    const text = inGlyphs(drawable(segment.text), glyphs);
    const link = hyperlinks ? segment.link : undefined;
    if (link === undefined && segment.reverse !== true && text.trim() === '') {
      run += text;
      continue;
    }
    const [segmentBegin, segmentEnd] = segmentStyle(segment, look);
    if (segmentBegin !== begin || link !== undefined) {
      closeRun();
      begin = segmentBegin;
      end = segmentEnd;
    }
    run += link === undefined ? text : `\u001b]8;;${link}\u001b\\${text}\u001b]8;;\u001b\\`;
    if (link !== undefined) closeRun();
  }
  closeRun();
  return painted;
}

export const plainPainter =
  (glyphs: GlyphSet): Painter =>
  ({ text }) =>
    inGlyphs(text, glyphs);

export const colourPainter =
  (glyphs: GlyphSet): Painter =>
  ({ link: _link, ...segment }) =>
    paint([segment], { colour: true, hyperlinks: false, glyphs });
