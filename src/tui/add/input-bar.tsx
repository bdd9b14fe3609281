import { Box } from 'ink';
import { cellWidth } from '../../lib/cells.ts';
import type { Segment } from '../../lib/paint.ts';
import type { Board } from '../board.ts';
import type { BarText } from '../field/field-window.ts';
import { emptyEdit } from '../field/text-edit.ts';
import { overlayBelowHelp } from '../help/keys.ts';
import { Lines } from '../pane/pane.tsx';
import { setupBarText } from '../setup/steps.ts';
import { Field } from '../typing/field.tsx';

export function InputBar({ width, ...text }: BarText & { readonly width: number }) {
  const { edit, isFocused, placeholder } = text;
  return (
    <Box width={width} height={1} flexShrink={0} paddingRight={1}>
      <Box flexShrink={0}>
        <Lines lines={[[leadSegment(text)]]} />
      </Box>
      {edit === null ? (
        <Lines lines={[[{ text: placeholder, bold: true }]]} width={barWidth(text, width)} />
      ) : (
        <Field edit={edit} placeholder={placeholder} isFocused={isFocused} width={barWidth(text, width)} />
      )}
    </Box>
  );
}

const leadOf = ({ name }: Pick<BarText, 'name'>): string => ` ${name} ▸ `;

function leadSegment(text: BarText): Segment {
  const isQuestion = text.edit === null;
  const tone = isQuestion ? 'attention' : text.isFocused ? 'accent' : 'quiet';
  return { text: leadOf(text), bold: text.isFocused || isQuestion, tone };
}

/** Width of the text before the field, in cells. */
export const barColumn = (text: Pick<BarText, 'name'>): number => cellWidth(leadOf(text));

/** Width of the field in a line of this width, in cells. One cell stays free. */
export const barWidth = (text: Pick<BarText, 'name'>, width: number): number =>
  Math.max(2, width - barColumn(text) - 1);

export function barText({ scan, ui }: Pick<Board, 'scan' | 'ui'>): BarText {
  const isScan = overlayBelowHelp(ui) === 'scan';
  const isAsked = ui.overlay === 'scan' && ui.prompt !== null;
  const isCovered = (ui.overlay !== null && !isAsked) || ui.picker !== null;
  if (isScan && ui.prompt === null) {
    const name = ui.picker === null ? 'found' : 'courier';
    return { name, edit: emptyEdit, placeholder: foundHint({ scan, ui }), isFocused: false };
  }
  if (ui.overlay === 'news' && ui.isNewsFilterTyped) {
    return { name: 'filter', edit: ui.newsFilter, placeholder: filterPlaceholder, isFocused: true };
  }
  if (ui.prompt !== null) {
    const { edit, name, placeholder } = ui.prompt;
    return { name, edit, placeholder, isFocused: !isCovered && edit !== null };
  }
  if (ui.settingUp !== null && ui.settingUp.step !== 'numbers') return setupBarText(ui.settingUp, isCovered);
  if (ui.focus === 'filter') {
    return { name: 'filter', edit: ui.filter, placeholder: filterPlaceholder, isFocused: !isCovered };
  }
  const isFocused = ui.focus === 'add' && !isCovered;
  const placeholder = `${isFocused ? '' : 'press a: '}number, or number @courier "label"`;
  return { name: 'add', edit: ui.draft, placeholder, isFocused };
}

const filterPlaceholder = 'words, !not, or, stage: due: is: courier: to: tag: older:3d';

function foundHint({ scan, ui }: Pick<Board, 'scan' | 'ui'>): string {
  if (ui.picker !== null) return 'press Enter to choose the courier, or Esc to keep the current one';
  if (ui.scan?.stage.kind === 'adding') return 'press Esc to stop; the other numbers stay here';
  if (ui.scan?.stage.kind === 'reading') return 'press Esc to stop';
  if (scan?.cost.numbers === 0) return 'no number is marked ●; press Enter to close without adding any';
  return 'press Enter to add the ● numbers; nothing is sent before that';
}
