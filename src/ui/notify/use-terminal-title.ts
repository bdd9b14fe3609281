import { useEffect, useMemo } from 'react';
import { terminalTitle } from '../../board/header/terminal-title.ts';
import type { Board } from '../app/board.ts';
import type { TerminalTitle } from './terminal-title.ts';

/** Keeps the title of the terminal's window as the board is; writes only what reads differently. */
export function useTerminalTitle({ counted, glyphs, title: isWanted }: Board, title: TerminalTitle): void {
  const text = useMemo(() => terminalTitle(counted, glyphs), [counted, glyphs]);
  useEffect(() => title.show(isWanted ? text : null), [title, text, isWanted]);
}
