import { cellWidth, cut } from '../../board/text/cells.ts';
import type { Line, Segment } from '../../board/text/line.ts';
import type { Board } from '../app/board.ts';
import { fieldSegment, type NamedField } from '../field/field-window.ts';
import { emptyEdit, type TextEdit } from '../field/text-edit.ts';
import { openedBesideHelp } from '../help/state.ts';
import { setupBarText } from '../setup/step.ts';

/** What the line under the panes is for: a question, the filter, or a number to add. */
export interface BarText extends NamedField {
  /** Null for a question that one key answers. */
  readonly edit: TextEdit | null;
}

/** What the line under the panes shows now. */
export function barText({ scan, ui }: Pick<Board, 'scan' | 'ui'>): BarText {
  const isScan = openedBesideHelp(ui) === 'scan';
  const isAsked = ui.overlay === 'scan' && ui.prompt !== null;
  const isCovered = (ui.overlay !== null && !isAsked) || ui.picker !== null;
  if (isScan && ui.prompt === null) {
    const name = ui.picker === null ? 'found' : 'courier';
    return { name, edit: emptyEdit, placeholder: foundWords({ scan, ui }), isFocused: false };
  }
  if (ui.prompt !== null) {
    const { edit, name, placeholder } = ui.prompt;
    return { name, edit, placeholder, isFocused: !isCovered && edit !== null };
  }
  if (ui.settingUp !== null && ui.settingUp.step !== 'numbers') return setupBarText(ui.settingUp, isCovered);
  if (ui.focus === 'filter') {
    const placeholder = 'words, !not, stage: courier: to: from: tag: is: older:3d';
    return { name: 'filter', edit: ui.filter, placeholder, isFocused: !isCovered };
  }
  const isFocused = ui.focus === 'add' && !isCovered;
  const placeholder = `${isFocused ? '' : 'press a: '}number, or number @courier "label"`;
  return { name: 'add', edit: ui.draft, placeholder, isFocused };
}

/** What Enter and Escape do with the numbers that were found. */
function foundWords({ scan, ui }: Pick<Board, 'scan' | 'ui'>): string {
  if (ui.picker !== null) return 'Enter chooses the courier; Esc leaves it as it is';
  if (ui.scan?.stage.kind === 'adding') return 'Esc stops; what is not added stays here';
  if (ui.scan?.stage.kind === 'reading') return 'Esc stops';
  if (scan?.cost.numbers === 0) return 'Nothing is marked ●; Enter closes, and nothing is registered';
  return 'Enter adds what is marked ●; nothing is registered before that';
}

const leadOf = ({ name }: BarText): string => ` ${name} ▸ `;

/** Cells before the field. */
export const barColumn = (text: BarText): number => cellWidth(leadOf(text));

/** Cells of the field in a line of this width; one stays free. */
export const barWidth = (text: BarText, width: number): number => Math.max(2, width - barColumn(text) - 1);

/** What stands before the field. */
export function barLead(text: BarText): Segment {
  const isQuestion = text.edit === null;
  const tone = isQuestion ? 'attention' : text.isFocused ? 'accent' : 'quiet';
  return { text: leadOf(text), bold: text.isFocused || isQuestion, tone };
}

/** The line under the panes. */
export function barLine(text: BarText, width: number): Line {
  const { edit, isFocused, placeholder } = text;
  const field =
    edit === null
      ? { text: cut(placeholder, barWidth(text, width)), bold: true }
      : fieldSegment({ edit, placeholder, isFocused, width: barWidth(text, width) });
  return [barLead(text), field];
}
