import { cellWidth, paragraphLines, wrap } from '../../lib/cells.ts';
import type { Line, Tone } from '../../lib/paint.ts';

/** A sentence and its tone: about an earlier answer, a failure, or a test. */
export interface SetupNote {
  readonly text: string;
  readonly tone: Tone;
}

/** A choice in a step. */
export interface SetupChoice {
  /** Unique in its step. */
  readonly id: string;
  readonly title: string;
  /** Sentences below the title. Each starts a new line. */
  readonly details: readonly string[];
  /** Why it cannot be chosen and what to do about it, or null. */
  readonly unusable: string | null;
  /** A checkbox before the title, if any. */
  readonly isOn?: boolean;
  /** The result of trying it, below the details. */
  readonly outcome?: SetupNote | undefined;
}

/** Lines of a pane, and the rows of the selected choice. */
export interface ChoiceLines {
  readonly lines: readonly Line[];
  /** The first row of the selected choice, and the row after its last. Both are 0 if nothing is selected. */
  readonly selected: { readonly from: number; readonly to: number };
}

/**
 * Lays out choices below each other, each with its details, in `width` cells. Puts a blank row between them if they
 * then fit into `rows` rows, and if any has more than a title.
 */
export function choiceLines(
  choices: readonly SetupChoice[],
  index: number,
  { rows, width }: { readonly rows: number; readonly width: number },
): ChoiceLines {
  const dense = choices.map((choice, at) => choiceBlock(choice, at === index, width));
  const needed = dense.reduce((sum, block) => sum + block.length + 1, -1);
  const isSpaced = needed <= rows && dense.some((block) => block.length > 1);
  const blocks = dense.map((block, at) => (isSpaced && at < dense.length - 1 ? [...block, []] : block));
  const from = blocks.slice(0, index).reduce((sum, block) => sum + block.length, 0);
  return { lines: blocks.flat(), selected: { from, to: from + (dense[index]?.length ?? 0) } };
}

function choiceBlock(choice: SetupChoice, isSelected: boolean, width: number): readonly Line[] {
  const { details, isOn, outcome, title, unusable } = choice;
  const lead = isSelected ? '▌ ' : '  ';
  const box = isOn === undefined ? '' : isOn ? '[x] ' : '[ ] ';
  const indent = lead.length + box.length;
  const room = Math.max(1, width - indent);
  const bar = { text: lead, tone: 'accent', bold: true } as const;
  const rows = (text: string, tone: Tone): readonly Line[] =>
    wrap(text, room).map((row): Line => [bar, { text: `${' '.repeat(box.length)}${row}`, tone }]);
  const titleRows = wrap(title, room).map((row, at): Line => {
    const text = `${at === 0 ? box : ' '.repeat(box.length)}${row}`;
    return [bar, unusable === null ? { text, bold: isSelected } : { text, tone: 'quiet' }];
  });
  return [
    ...titleRows,
    ...details.filter((detail) => cellWidth(detail) > 0).flatMap((detail) => rows(detail, 'quiet')),
    ...(unusable === null ? [] : rows(unusable, isSelected ? 'attention' : 'quiet')),
    ...(outcome === undefined ? [] : rows(outcome.text, outcome.tone)),
  ];
}

/**
 * Returns the first visible row of a window of `rows` rows over `total` rows, so that a span is visible. Stays at the
 * top as long as possible. A span that is longer than the window shows its beginning.
 */
export function offsetFor(span: ChoiceLines['selected'], total: number, rows: number): number {
  const last = Math.max(0, total - rows);
  const min = Math.min(span.to - rows, span.from);
  return Math.min(Math.max(0, min), last);
}

/** The base URL or the API key is missing. */
export interface MissingSetup {
  readonly kind: 'not-set-up';
  /** Whether a key is configured. Then the base URL is missing. */
  readonly hasKey: boolean;
  /** Null if no base URL is configured. */
  readonly baseUrl: string | null;
  /** The file for both settings. */
  readonly configFile: string;
}

/** Returns what the user can do while the board cannot query the service. */
export type BoardSetup = { readonly kind: 'ready' } | MissingSetup;

/** Returns the first missing setting, as a noun. Nothing is checked without it. */
export const missingSetting = ({ hasKey }: MissingSetup): string => (hasKey ? 'base URL' : 'API key');

/** Explains what is missing and how to set it, in `width` cells. Empty if nothing is missing. */
export function missingText(setup: BoardSetup, width: number): readonly Line[] {
  if (setup.kind === 'ready') return [];
  const room = Math.max(10, width - 1);
  return [
    ...paragraphLines(`There is no ${missingSetting(setup)} yet, so nothing is checked.`, room, { bold: true }, 1),
    ...paragraphLines('Press C to set it up, or run "parcel-monitor setup".', room, {}, 1),
    ...(setup.baseUrl === null ? [] : paragraphLines(`The service is ${setup.baseUrl}.`, room, {}, 1)),
    ...paragraphLines(`The setup is saved in ${setup.configFile}; an open board uses it immediately.`, room, {}, 1),
    ...paragraphLines('Numbers that you add now are saved and registered once the service is set up.', room, {}, 1),
  ];
}

/** A fact about the program and its service, for the details. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}
