import { Box, Text } from 'ink';
import { memo, type ReactNode } from 'react';
import type { Line } from '../../board/text/line.ts';
import { type Look, paint } from '../../board/text/paint.ts';
import type { PaneSize } from '../layout.ts';
import { type FrameTexts, frameEdges, withSides } from './frame.ts';

/** One screen row. Its text has its final width already, so Ink has nothing to wrap or cut. */
const Row = memo(function Row({ text }: { readonly text: string }) {
  return <Text wrap="truncate">{text}</Text>;
});

/** What a frame stands around. */
export interface PaneProps {
  readonly texts: FrameTexts;
  readonly size: PaneSize;
  readonly isFocused: boolean;
  readonly look: Look;
  /** Rows with their own sides, two fewer than the pane is high. */
  readonly children: ReactNode;
}

/** A pane: its edges, with its rows between them. */
export function Pane({ texts, size, isFocused, look, children }: PaneProps) {
  const [top, bottom] = frameEdges(texts, size.width, isFocused);
  return (
    <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
      <Row text={paint(top, look)} />
      {children}
      <Row text={paint(bottom, look)} />
    </Box>
  );
}

/** What is written into a pane line by line. */
export interface PaneRowsProps {
  readonly lines: readonly Line[];
  /** Rows to fill; surplus lines are left out. */
  readonly height: number;
  /** Cells between the sides. */
  readonly width: number;
  readonly isFocused: boolean;
  readonly look: Look;
}

/** Lines as rows of a pane, blank ones below them; a row that did not change is not drawn again. */
export function PaneRows({ lines, height, width, isFocused, look }: PaneRowsProps) {
  return Array.from({ length: Math.max(0, height) }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its position
    <Row key={row} text={paint(withSides(lines[row] ?? [], width, isFocused), look)} />
  ));
}

/** Lines without a frame. */
export function Lines({ lines, look }: { readonly lines: readonly Line[]; readonly look: Look }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its position
        <Row key={row} text={paint(line, look)} />
      ))}
    </Box>
  );
}

/** A pane that holds lines and nothing else. */
export function LinesPane({ lines, ...pane }: Omit<PaneProps, 'children'> & { readonly lines: readonly Line[] }) {
  const { isFocused, look, size } = pane;
  return (
    <Pane {...pane}>
      <PaneRows lines={lines} height={size.height - 2} width={size.width - 2} isFocused={isFocused} look={look} />
    </Pane>
  );
}
