import { Box, Text, useApp, useInput, usePaste } from 'ink';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { wrap } from '../../lib/cells.ts';
import { cleanText } from '../../lib/clean-text.ts';
import type { CustomActions } from '../../settings/board-settings.ts';
import type { Terminal } from '../../system/terminal.ts';
import { finishLookup } from '../add/input-bar.ts';
import type { Board } from '../board.ts';
import { maxLineLength, type Typing, TypingContext } from '../field/field.tsx';
import { showMessage, showProblem } from '../footer.ts';
import { disabledReason } from '../keys/binding.ts';
import { type KeyPress, keyCap, toKeyPress } from '../keys/key-names.ts';
import { minColumns, minRows } from '../layout.ts';
import { useTerminalTitle } from '../notify.ts';
import { LookContext } from '../pane.tsx';
import type { KeyStream } from '../terminal/key-stream.ts';
import { handlePaste, lineFullMessage } from './handle-paste.ts';
import { currentKeyContext, findBinding, type KeyedBoard, type Keymap, keyGroupFor, toRunKeys } from './keymap.ts';
import { useMouse } from './mouse.ts';
import { applyUserKeys } from './own-actions.ts';
import { Screen } from './screen.tsx';
import { type BoardSource, useBoard } from './use-board.ts';

export interface AppProps extends Omit<BoardSource, 'keymap'> {
  /** Draws rows that all differ from the board's, so that Ink then redraws every row. */
  readonly isBlank: boolean;
  readonly keys: Pick<KeyStream, 'isMerged' | 'isTyping' | 'off' | 'on' | 'repeats' | 'runKeys' | 'sequence'>;
  readonly onDrawn: (board: KeyedBoard) => void;
  readonly terminal: Pick<Terminal, 'reportMouse' | 'showTitle' | 'suspend' | 'suspendWith'>;
}

export function App(props: AppProps) {
  const { services, size, isBlank, keys, onDrawn, terminal } = props;
  const { columns, rows } = size;
  const keymap = useUserKeymap(services, keys);
  const board = useBoard({ ...props, keymap });
  const { layout, suspension, ui } = board;
  const keyContext = currentKeyContext(ui);
  useLayoutEffect(() => onDrawn(board));
  // Runs before the next key is handled, so that the key acts on what the user sees.
  useLayoutEffect(() => finishLookup(board, keyContext));
  const [typing, isFieldTyping] = useTyping(board);
  useInput((input, key) => {
    const press = toKeyPress(input, key, keys.sequence);
    if (!isTyped(board, press)) keys.isMerged = handleKey(board, press, keys.repeats);
    else if (!isFieldTyping()) typeText(board, press.text ?? '');
  });
  usePaste((text) => handlePaste(board, text));
  useMouse(board, keys, terminal);
  useSuspension(terminal, suspension);
  useTerminalTitle(board.counted, board.glyphs, terminal, board.title);
  useEffect(() => {
    keys.isMerged = false;
    keys.isTyping = keyGroupFor(keyContext).text !== undefined;
  }, [keys, keyContext]);

  if (isBlank) return <Text>{Array<string>(rows).fill(blankRow).join('\n')}</Text>;
  if (layout.kind === 'too-small') return <TooSmall columns={columns} rows={rows} />;
  return (
    <LookContext value={services}>
      <TypingContext value={typing}>
        <Screen board={board} />
      </TypingContext>
    </LookContext>
  );
}

const noUserActions: CustomActions = { keys: {}, commands: [], refused: null };

/** Applies the user's keys and commands, and shows notices about invalid ones until the settings change. */
function useUserKeymap(
  { monitor, customActions = noUserActions }: AppProps['services'],
  keys: AppProps['keys'],
): Keymap {
  const { keymap, problems } = useMemo(() => applyUserKeys(customActions), [customActions]);
  useEffect(() => {
    keys.runKeys = toRunKeys(keymap);
  }, [keys, keymap]);
  useEffect(() => {
    const notices = problems.map(({ advice, found }) => `${found} ${advice}`);
    for (const notice of notices) monitor.notify(notice);
    return () => {
      for (const notice of notices) monitor.withdrawNotice(notice);
    };
  }, [monitor, problems]);
  return keymap;
}

/** Returns what text fields need, and whether one of them handles typing. */
function useTyping(board: Board): readonly [typing: Typing, isFieldTyping: () => boolean] {
  const fields = useRef(0);
  const listen = useCallback(() => {
    fields.current += 1;
    return () => {
      fields.current -= 1;
    };
  }, []);
  const typing = {
    isCommand: (press: KeyPress) => !isTyped(board, press),
    type: (text: string) => typeText(board, text),
    listen,
  };
  return [typing, () => fields.current > 0];
}

/** No row of the board starts with this character. */
const blankRow = '□';

function useSuspension(terminal: AppProps['terminal'], suspension: Board['suspension']): void {
  const { suspendTerminal } = useApp();
  useEffect(() => {
    terminal.suspendWith(suspendTerminal);
    return () => terminal.suspendWith(null);
  }, [terminal, suspendTerminal]);
  useEffect(() => suspension?.subscribe((stopProcess) => void terminal.suspend(stopProcess)), [terminal, suspension]);
}

function TooSmall({ columns, rows }: { readonly columns: number; readonly rows: number }) {
  const sentence = `parcel-monitor needs ${minColumns}x${minRows}; this window is ${columns}x${rows}. Make it larger, or press q.`;
  return (
    <Box height={rows} flexDirection="column">
      <Text>{wrap(sentence, columns).slice(0, rows).join('\n')}</Text>
    </Box>
  );
}

/**
 * Clears the message and runs the key's action in the current context. Returns whether repeats of the key may be
 * combined.
 * @param times number of presses in a row
 */
export function handleKey(board: KeyedBoard, press: KeyPress, times = 1): boolean {
  board.change({ message: null });
  const binding = findBinding(currentKeyContext(board.ui), press.name, board.keymap);
  if (binding === null) {
    if (press.name.trim() !== '')
      showMessage(board, `${keyCap(press.name, board.glyphs)} does nothing here. Press ? for help.`);
    return false;
  }
  const reason = disabledReason(binding, board);
  if (reason === null) binding.run(board, times, binding.keys.indexOf(press.name));
  else showMessage(board, reason);
  return binding.repeats !== undefined;
}

/** Whether the key types a character here, because it has no action. */
export const isTyped = ({ ui }: Board, { name, text }: KeyPress): boolean => {
  const context = currentKeyContext(ui);
  return text !== null && keyGroupFor(context).text !== undefined && findBinding(context, name) === null;
};

export function typeText(board: Board, text: string): void {
  const { change, ui } = board;
  change({ message: null });
  const typed = typeableText(text);
  if (typed === '') return;
  const length = keyGroupFor(currentKeyContext(ui)).text?.read(ui).text.length ?? 0;
  if (length + typed.length > maxLineLength) showProblem(board, lineFullMessage);
  else board.editLine({ kind: 'insert', text: typed });
}

/** Removes joiners, variation selectors and bidirectional controls, because labels cannot contain them. */
const typeableText = (text: string): string => (text.trim() === '' ? text : cleanText(text));
