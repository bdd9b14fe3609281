import type { GlyphSet } from '../../board/text/line.ts';
import type { PaneSize } from '../layout.ts';
import type { OverlayState, ShownOverlay } from '../overlay/state.ts';
import { innerSize } from '../pane/frame.ts';
import { scrollWithin } from '../pane/scroll.ts';
import { helpText, type ListedKey } from './help-text.ts';
import type { HelpState } from './state.ts';

/** What the help is opened over, and what is looked for in it. */
interface HelpSource<Board extends { readonly glyphs: GlyphSet }> {
  /** The board without it, on which a key is done. */
  readonly uncovered: Board;
  readonly ui: Pick<HelpState & OverlayState, 'helpIndex' | 'helpQuery' | 'overlayOffset'>;
  /** The keys that it lists. */
  readonly listed: readonly ListedKey<Board>[];
  /** Of its pane. */
  readonly size: PaneSize;
}

/** The help, as far as it is in sight. */
export function helpOverlay<Board extends { readonly glyphs: GlyphSet }>(source: HelpSource<Board>): ShownOverlay {
  const { listed, size, ui, uncovered } = source;
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
