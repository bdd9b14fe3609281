import { Box, Text, useApp, useInput, usePaste } from 'ink';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { wrap } from '../../board/text/cells.ts';
import type { TerminalLoan } from '../../process/terminal-loan.ts';
import { finishLookup } from '../add/submit.ts';
import { keyPressOf } from '../keys/key-names.ts';
import { leastColumns, leastRows } from '../layout.ts';
import type { TerminalTitle } from '../notify/terminal-title.ts';
import { useTerminalTitle } from '../notify/use-terminal-title.ts';
import { LookContext } from '../pane/lines.tsx';
import type { KeyStream } from '../terminal/key-stream.ts';
import type { Board } from './board.ts';
import { handleKey } from './handle-key.ts';
import { handlePaste } from './handle-paste.ts';
import { isRepeatable, keysOf } from './keymap.ts';
import { Screen } from './screen.tsx';
import { keyContextOf } from './state.ts';
import { type BoardSource, useBoard } from './use-board.ts';

/** What the root needs of the terminal. */
export interface AppProps extends BoardSource {
  /** Draws an empty frame. */
  readonly isBlank: boolean;
  /** Where the keys come from. */
  readonly keys: Pick<KeyStream, 'merge' | 'repeats' | 'setTyping'>;
  /** Called with what is drawn, each time. */
  readonly onDrawn: (board: Board) => void;
  /** The title of the terminal's window. */
  readonly title: TerminalTitle;
  /** Lends the terminal to the shell until the process goes on. */
  readonly lend: (stopProcess: () => Promise<void>) => Promise<void>;
  /** Lends it to a program. */
  readonly lendTo: (program: string, work: () => Promise<void>) => Promise<void>;
  /** Where programs ask for it; null where none do. */
  readonly terminalLoan: TerminalLoan | null;
}

/** The board: keys in, one frame out that is never wider or taller than the terminal. */
export function App(props: AppProps) {
  const { services, size, isBlank, keys, onDrawn, title } = props;
  const { columns, rows } = size;
  const board = useBoard(props);
  const { layout, suspension, ui } = board;
  useLayoutEffect(() => onDrawn(board));
  // Before any further key, so that it decides on what the user sees.
  useLayoutEffect(() => finishLookup(board));
  useInput((input, key) => handleKey(board, keyPressOf(input, key), keys.repeats));
  usePaste((text) => handlePaste(board, text));
  useLending(props, suspension);
  useTerminalTitle(board.counted, board.glyphs, title, board.title);
  const keyContext = keyContextOf(ui);
  useEffect(() => {
    keys.merge((raw) => isRepeatable(keyContext, raw));
    keys.setTyping(keysOf(keyContext).text !== undefined);
  }, [keys, keyContext]);

  if (isBlank) return <Box height={rows} width={columns} />;
  if (layout.kind === 'too-small') return <TooSmall columns={columns} rows={rows} />;
  return (
    <LookContext value={services}>
      <Screen board={board} layout={layout} />
    </LookContext>
  );
}

/** Leaves the screen for the shell, and for programs that need the terminal. */
function useLending({ lend, lendTo, redraw, terminalLoan }: AppProps, suspension: Board['suspension']): void {
  const { suspendTerminal } = useApp();
  const isLent = useRef(false);
  useEffect(
    () =>
      suspension?.subscribe((stopProcess) => {
        // The program that has it stops as well; the screen has been left already.
        if (isLent.current) void stopProcess();
        else void suspendTerminal(() => lend(stopProcess)).then(redraw, redraw);
      }),
    [suspension, suspendTerminal, lend, redraw],
  );
  useEffect(
    () =>
      terminalLoan?.hold(async (program, work) => {
        isLent.current = true;
        try {
          await suspendTerminal(() => lendTo(program, work));
        } finally {
          isLent.current = false;
          redraw();
        }
      }),
    [terminalLoan, suspendTerminal, lendTo, redraw],
  );
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
