import { Box } from 'ink';
import { cellWidth } from '../../board/text/cells.ts';
import type { GlyphSet } from '../../board/text/line.ts';
import type { KeyContext } from '../keys/context.ts';
import { keyCaps } from '../keys/key-caps.ts';
import { keymap } from '../keys/keymap.ts';
import { Painted, Paragraph } from '../pane/painted.tsx';

const inputBarHelp =
  'Input bar: NUMBER, or NUMBER @courier "label". A number may be in groups, as it is printed; a paste holds one a line, with columns number, courier, label.';

/** What the help depends on. */
export interface HelpProps {
  /** The focused pane, whose keys stand first. */
  readonly first: KeyContext;
  readonly glyphs: GlyphSet;
  /** Cells of its pane. */
  readonly width: number;
}

/** All keys with what they do. */
export function Help({ first, glyphs, width }: HelpProps) {
  const capsOf = (keys: readonly string[]): string => keyCaps(keys, glyphs).join('  ');
  const allKeys = keymap.flatMap(({ bindings }) => bindings.map(({ keys }) => capsOf(keys)));
  const keyWidth = Math.min(20, Math.max(...allKeys.map(cellWidth)));
  const groups = keymap.toSorted((a, b) => Number(b.context === first) - Number(a.context === first));
  return (
    <Box flexDirection="column" rowGap={1} paddingLeft={1}>
      <Paragraph text={inputBarHelp} width={Math.max(10, width - 2)} tone="quiet" />
      {groups.map(({ bindings, context, title }) => (
        <Box key={context} flexDirection="column">
          <Painted line={[{ text: title, bold: true }]} />
          {bindings.map(({ description, keys }) => (
            <Box key={keys.join(' ')} columnGap={1}>
              <Box width={keyWidth} flexShrink={0}>
                <Painted line={[{ text: capsOf(keys), tone: 'accent' }]} />
              </Box>
              <Paragraph text={description} width={Math.max(10, width - keyWidth - 3)} />
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  );
}
