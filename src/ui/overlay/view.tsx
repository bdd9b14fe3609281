import { Box, type DOMElement, measureElement } from 'ink';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Board } from '../board.ts';
import { boardDetails } from '../details/facts.ts';
import { Details, DetailsTable, fitsTable } from '../details/view.tsx';
import { Help } from '../help/view.tsx';
import type { PaneSize } from '../layout.ts';
import { innerSize } from '../pane/frame.ts';
import { Pane } from '../pane/pane.tsx';
import { type Scroll, scrollStatus } from '../pane/scroll.ts';
import { SetupSteps } from '../setup/view.tsx';
import type { OverlayName } from './state.ts';

const titles: Readonly<Record<OverlayName, string>> = { help: 'Keys', details: 'Details', setup: 'Set up' };

/** What an overlay is drawn from. */
interface OverlayProps {
  readonly board: Board;
  readonly overlay: NonNullable<Board['overlay']>;
  readonly size: PaneSize;
}

/** A text in place of the panes. */
export function Overlay({ board, overlay: { name, scroll }, size }: OverlayProps) {
  const { change, setup, ui } = board;
  const { width } = innerSize(size);
  const details = name === 'details' ? boardDetails(board) : [];
  if (name === 'details' && setup.kind === 'ready' && fitsTable(details, size)) {
    return <DetailsTable details={details} size={size} />;
  }
  return (
    <ScrolledPane title={titles[name]} scroll={scroll} size={size} onDrawn={(overlayRows) => change({ overlayRows })}>
      {name === 'help' && <Help first={ui.focus} glyphs={board.glyphs} width={width} />}
      {name !== 'help' && setup.kind === 'not-set-up' && <SetupSteps setup={setup} width={width} />}
      {name === 'details' && (
        <Box flexDirection="column" marginTop={setup.kind === 'not-set-up' ? 1 : 0}>
          <Details details={details} width={width} />
        </Box>
      )}
    </ScrolledPane>
  );
}

interface ScrolledPaneProps {
  readonly title: string;
  readonly scroll: Scroll;
  readonly size: PaneSize;
  /** Called with the rows of the whole text. */
  readonly onDrawn: (rows: number) => void;
  readonly children: ReactNode;
}

/** A pane with a text that may be longer than the pane is high. */
function ScrolledPane({ title, scroll, size, onDrawn, children }: ScrolledPaneProps) {
  const text = useRef<DOMElement>(null);
  // Ink has laid it out by then.
  useLayoutEffect(() => {
    if (text.current !== null) onDrawn(measureElement(text.current).height);
  });
  return (
    <Pane texts={{ title, ...scrollStatus(scroll) }} size={size} isFocused>
      <Box flexDirection="column" height={innerSize(size).height} overflowY="hidden">
        <Box ref={text} flexDirection="column" flexShrink={0} marginTop={-scroll.offset}>
          {children}
        </Box>
      </Box>
    </Pane>
  );
}
