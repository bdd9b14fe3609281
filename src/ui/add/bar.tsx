import { Box } from 'ink';
import { Field } from '../field/field.tsx';
import { Lines } from '../pane/lines.tsx';
import { type BarText, barLead, barWidth } from './bar-text.ts';

/** The line under the panes, exactly `width` cells. */
export function InputBar({ text, width }: { readonly text: BarText; readonly width: number }) {
  const { edit, isFocused, placeholder } = text;
  return (
    <Box width={width} height={1} flexShrink={0} paddingRight={1}>
      <Box flexShrink={0}>
        <Lines lines={[[barLead(text)]]} />
      </Box>
      {edit === null ? (
        <Lines lines={[[{ text: placeholder, bold: true }]]} width={barWidth(text, width)} />
      ) : (
        <Field edit={edit} placeholder={placeholder} isFocused={isFocused} width={barWidth(text, width)} />
      )}
    </Box>
  );
}
