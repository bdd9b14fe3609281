import { Box, Text, useApp, useInput, usePaste } from 'ink';
import { useEffect, useLayoutEffect } from 'react';
import { wrap } from '../../board/text/cells.ts';
import type { Terminal } from '../../process/terminal.ts';
import { finishLookup } from '../add/submit.ts';
import { keyPressOf } from '../keys/key-names.ts';
import { leastColumns, leastRows } from '../layout.ts';
import { useTerminalTitle } from '../notify/use-terminal-title.ts';
import { LookContext } from '../pane/lines.tsx';
import type { KeyStream } from '../terminal/key-stream.ts';
import type { Board } from './board.ts';
import { handleKey, handlePaste } from './handle-key.ts';
import { isRepeatable, keysOf } from './keymap.ts';
import { Screen } from './screen.tsx';
import { keyContextOf } from './state.ts';
import { type BoardSource, useBoard } from './use-board.ts';

/** What the root needs of the terminal. */
export interface AppProps extends BoardSource {
  /** Draws rows of which none is like a row of the board. */
  readonly isBlank: boolean;
  /** Where the keys come from. */
  readonly keys: Pick<KeyStream, 'merge' | 'repeats' | 'setTyping'>;
  /** Called with what is drawn, each time. */
  readonly onDrawn: (board: Board) => void;
  /** The terminal that it is drawn on. */
  readonly terminal: Pick<Terminal, 'showTitle' | 'suspend' | 'suspendWith'>;
}

/** The board: keys in, one frame out that is never wider or taller than the terminal. */
export function App(props: AppProps) {
  const { services, size, isBlank, keys, onDrawn, terminal } = props;
  const { columns, rows } = size;
  const board = useBoard(props);
  const { layout, suspension, ui } = board;
  useLayoutEffect(() => onDrawn(board));
  // Before any further key, so that it decides on what the user sees.
  useLayoutEffect(() => finishLookup(board));
  useInput((input, key) => handleKey(board, keyPressOf(input, key), keys.repeats));
  usePaste((text) => handlePaste(board, text));
  useLending(terminal, suspension);
  useTerminalTitle(board.counted, board.glyphs, terminal, board.title);
  const keyContext = keyContextOf(ui);
  useEffect(() => {
    keys.merge((raw) => isRepeatable(keyContext, raw));
    keys.setTyping(keysOf(keyContext).text !== undefined);
  }, [keys, keyContext]);

  if (isBlank) return <Text>{Array<string>(rows).fill(unlikeAnyRow).join('\n')}</Text>;
  if (layout.kind === 'too-small') return <TooSmall columns={columns} rows={rows} />;
  return (
    <LookContext value={services}>
      <Screen board={board} layout={layout} />
    </LookContext>
  );
}

/** No row begins with it. */
const unlikeAnyRow = '□';

/** Leaves the screen for the shell, and for programs that need the terminal. */
function useLending(terminal: AppProps['terminal'], suspension: Board['suspension']): void {
  const { suspendTerminal } = useApp();
  useEffect(() => {
    terminal.suspendWith(suspendTerminal);
    return () => terminal.suspendWith(null);
  }, [terminal, suspendTerminal]);
  useEffect(() => suspension?.subscribe((stopProcess) => void terminal.suspend(stopProcess)), [terminal, suspension]);
}

/** One sentence for a window that is too small for a board. */
function TooSmall({ columns, rows }: { readonly columns: number; readonly rows: number }) {
  const sentence = `parcel-monitor needs ${leastColumns}x${leastRows}; this window is ${columns}x${rows}. Make it larger, or press q.`;
  return (
    <Box height={rows} flexDirection="column">
      <Text>{wrap(sentence, columns).slice(0, rows).join('\n')}</Text>
    </Box>
  );
}
