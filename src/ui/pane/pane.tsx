import { Box, Text } from 'ink';
import { type ReactNode, use } from 'react';
import type { Line } from '../../board/text/line.ts';
import { paint } from '../../board/text/paint.ts';
import type { PaneSize } from '../layout.ts';
import { type FrameTexts, frameEdges, innerSize } from './frame.ts';
import { LookContext, Painted } from './painted.tsx';
import { frameSide } from './pane-rows.ts';

/** What a frame stands around. */
export interface PaneProps {
  readonly texts: FrameTexts;
  readonly size: PaneSize;
  readonly isFocused: boolean;
  readonly children: ReactNode;
}

/** A pane with its frame. Ink's own borders hold no texts, and have colours where the user wants none. */
export function Pane({ texts, size, isFocused, children }: PaneProps) {
  const [top, bottom] = frameEdges(texts, size.width, isFocused);
  const { height, width } = innerSize(size);
  return (
    <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
      <Painted line={top} />
      <Box height={height}>
        <Side rows={height} isFocused={isFocused} />
        <Box flexDirection="column" flexShrink={0} width={width}>
          {children}
        </Box>
        <Side rows={height} isFocused={isFocused} />
      </Box>
      <Painted line={bottom} />
    </Box>
  );
}

function Side({ rows, isFocused }: { readonly rows: number; readonly isFocused: boolean }) {
  const side = paint([frameSide(isFocused)], use(LookContext));
  return <Text>{Array<string>(rows).fill(side).join('\n')}</Text>;
}

/** Lines as rows below each other. */
export function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return lines.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its position
    <Painted key={row} line={line.length === 0 ? blank : line} />
  ));
}

/** A text without any characters has no height. */
const blank: Line = [{ text: ' ' }];
