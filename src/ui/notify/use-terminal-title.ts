import { useEffect, useMemo } from 'react';
import { terminalTitle } from '../../board/header/terminal-title.ts';
import type { Terminal } from '../../process/terminal.ts';
import type { Board } from '../board.ts';

/** Keeps the title of the terminal's window as the board is; writes only what reads differently. */
export function useTerminalTitle(
  { counted, glyphs, title: isWanted }: Board,
  terminal: Pick<Terminal, 'showTitle'>,
): void {
  const text = useMemo(() => terminalTitle(counted, glyphs), [counted, glyphs]);
  useEffect(() => terminal.showTitle(isWanted ? text : null), [terminal, text, isWanted]);
}
