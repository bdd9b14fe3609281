import { useEffect, useMemo } from 'react';
import type { StageCounts } from '../../board/header/header-counts.ts';
import { terminalTitle } from '../../board/header/terminal-title.ts';
import type { GlyphSet } from '../../board/text/line.ts';
import type { Environment } from '../../process/environment.ts';
import type { Terminal } from '../../process/terminal.ts';

/** Keeps the title of the terminal's window as the board is; writes only what reads differently. */
export function useTerminalTitle(
  counted: StageCounts,
  glyphs: GlyphSet,
  terminal: Pick<Terminal, 'showTitle'>,
  isWanted: boolean,
): void {
  const text = useMemo(() => terminalTitle(counted, glyphs), [counted, glyphs]);
  useEffect(() => terminal.showTitle(isWanted ? text : null), [terminal, text, isWanted]);
}

/** Whether a terminal has a title: consoles have none, and what does not say what it is might print the sequence. */
export function hasTitle({ TERM = '' }: Environment, platform: string): boolean {
  return platform === 'win32' || !['', 'dumb', 'linux'].includes(TERM);
}
