import { Box, Text, useApp, useInput, usePaste } from 'ink';
import { useEffect, useLayoutEffect, useMemo } from 'react';
import { wrap } from '../board/text/cells.ts';
import { finishLookup } from './add/submit-draft.ts';
import type { BoardContext } from './board-options.ts';
import { keyPressOf } from './keys/key-names.ts';
import { handleKey, handlePaste } from './keys/perform.ts';
import { isRepeatable } from './keys/repeatable-keys.ts';
import { leastColumns, leastRows } from './layout.ts';
import type { BoardScope } from './scope.ts';
import { Screen } from './screen.tsx';
import { keyContextOf } from './state.ts';
import type { KeyStream } from './terminal/key-stream.ts';
import type { Token } from './terminal/tokens.ts';
import type { Theme } from './theme.ts';
import { scrollOf, useBoard } from './use-board.ts';

/** What the root needs of the terminal. */
export interface AppProps {
  readonly board: BoardContext;
  /** The terminal's size in cells; 0 where it tells none. */
  readonly size: { readonly columns: number; readonly rows: number };
  /** Draws an empty frame. */
  readonly isBlank: boolean;
  readonly quit: () => void;
  /** Makes the next frame draw every row anew. */
  readonly redraw: () => void;
  /** Where the keys come from. */
  readonly keys: Pick<KeyStream, 'withhold' | 'merge' | 'repeats'>;
}

/** `ink-text-input` inserts the letter of a control key that it does not know. */
const isStrayControl = (token: Token): boolean =>
  token.kind === 'sequence' &&
  /^[\u0001-\u001f]$/.test(token.raw) &&
  !'\u0003\b\t\f\r\u000e\u0010\u001a\u001b'.includes(token.raw);

/** The board: keys in, one frame out that is never wider or taller than the terminal. */
export function App({ board, size, isBlank, quit, redraw, keys }: AppProps) {
  const { columns, rows } = size;
  const { colour, glyphs, hyperlinks } = board;
  const theme = useMemo<Theme>(() => ({ colour, glyphs, hyperlinks }), [colour, glyphs, hyperlinks]);
  const view = useBoard(board, theme, columns, rows);
  const { couriers, dispatch, layout, matches, monitor, selected, selection, ui } = view;
  const scroll = scrollOf(view);
  const scope: BoardScope = {
    board,
    ui,
    dispatch,
    monitor,
    order: view.arrangement.order.map((parcel) => parcel.id),
    selection,
    selected,
    canAsk: board.setup.kind === 'ready',
    couriers,
    matches,
    isOverBody: view.overlay !== null,
    pageRows: scroll.rows,
    scrollOffset: scroll.offset,
    scrollLast: scroll.last,
    quit,
    redraw,
  };
  // Before any further key, so that it decides on what the user sees.
  useLayoutEffect(() => finishLookup(scope));
  useInput((input, key) => handleKey(scope, keyPressOf(input, key), keys.repeats));
  usePaste((text) => handlePaste(scope, text));
  const { suspension } = board;
  const { suspendTerminal } = useApp();
  useEffect(
    () => suspension?.subscribe((stopProcess) => void suspendTerminal(stopProcess).then(redraw, redraw)),
    [suspension, suspendTerminal, redraw],
  );
  const keyContext = keyContextOf(ui);
  useEffect(() => {
    keys.withhold(keyContext === 'picker' ? isStrayControl : null);
    keys.merge((raw) => isRepeatable(keyContext, raw));
  }, [keys, keyContext]);

  if (isBlank) return <Box height={rows} width={columns} />;
  if (layout.kind === 'too-small') return <TooSmall columns={columns} rows={rows} />;
  return <Screen board={board} view={view} layout={layout} theme={theme} />;
}

/** One sentence for a window that is too small for a board. */
function TooSmall({ columns, rows }: { readonly columns: number; readonly rows: number }) {
  const sentence = `parcel-monitor needs ${leastColumns}x${leastRows}; this window is ${columns}x${rows}. Make it larger, or press q.`;
  return (
    <Box flexDirection="column">
      <Text>{wrap(sentence, columns).slice(0, rows).join('\n')}</Text>
    </Box>
  );
}
