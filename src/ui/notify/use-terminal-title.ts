import { useEffect, useMemo } from 'react';
import type { StageCounts } from '../../board/header/header-counts.ts';
import { terminalTitle } from '../../board/header/terminal-title.ts';
import type { GlyphSet } from '../../board/text/line.ts';
import type { TerminalTitle } from './terminal-title.ts';

/** Keeps the title of the terminal's window as the board is; writes only what reads differently. */
export function useTerminalTitle(
  counted: StageCounts,
  glyphs: GlyphSet,
  title: TerminalTitle,
  isWanted: boolean,
): void {
  const text = useMemo(() => terminalTitle(counted, glyphs), [counted, glyphs]);
  useEffect(() => title.show(isWanted ? text : null), [title, text, isWanted]);
}
