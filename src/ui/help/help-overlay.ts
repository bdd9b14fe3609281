import type { Board } from '../app/board.ts';
import type { UiState } from '../app/state.ts';
import type { PaneSize } from '../layout.ts';
import type { ShownOverlay } from '../overlay/state.ts';
import { innerSize } from '../pane/frame.ts';
import { scrollWithin } from '../pane/scroll.ts';
import { helpText, type ListedKey } from './help-text.ts';

/** What the help is opened over, and what is looked for in it. */
interface HelpSource {
  /** The board without it, on which a key is done. */
  readonly uncovered: Board;
  readonly ui: Pick<UiState, 'helpIndex' | 'helpQuery' | 'overlayOffset'>;
  /** The keys that it lists. */
  readonly listed: readonly ListedKey[];
  /** Of its pane. */
  readonly size: PaneSize;
}

/** The help, as far as it is in sight. */
export function helpOverlay({ listed, size, ui, uncovered }: HelpSource): ShownOverlay {
  const { height, width } = innerSize(size);
  const isSearch = ui.helpQuery.text.trim() !== '';
  const { lines, spans } = helpText({ listed, index: ui.helpIndex, isSearch, glyphs: uncovered.glyphs, width });
  const choices = listed.flatMap(({ binding, why }, index) => {
    const span = spans[index];
    return span === undefined ? [] : [{ ...span, why, run: () => binding.run(uncovered, 1) }];
  });
  // Its first row is its search.
  const scroll = scrollWithin(lines.length, ui.overlayOffset, height - 1);
  return { name: 'help', choices, lines: lines.slice(scroll.offset, scroll.offset + scroll.rows), scroll };
}
