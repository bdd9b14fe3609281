import type { Words } from '../../board/header/fit-header.ts';
import { headerRow } from '../../board/header/header.ts';
import type { Line } from '../../board/text/line.ts';
import { paint } from '../../board/text/paint.ts';
import { inGlyphs } from '../../board/text/stand-in.ts';
import { asOfDay, asOfTime } from '../../board/time/as-of.ts';
import { nextMidnight } from '../../board/time/zone-time.ts';
import type { Frame } from '../../process/kept-screen.ts';
import { footerLine, footerOf } from '../footer/footer-line.ts';
import type { Board } from './board.ts';
import { headerOf } from './screen.tsx';

/**
 * The frame that a board leaves behind, with the time in the place of the state of polling; null while it shows something
 * else than its panes, or a text that is being typed.
 * @param rows those that stand on the screen
 */
export function leftFrame(board: Board, rows: readonly string[]): Frame | null {
  // A frame is blank for a moment where the screen is drawn again.
  if (!isPlain(board) || (rows[1] ?? '') === '') return null;
  const { clock, glyphs, ui, zone } = board;
  const keptAt = clock.now();
  const written = (line: Line): string => inGlyphs(paint(line, board), glyphs);
  const header = (asOf: Words): string => written(headerRow({ ...headerOf(board), asOf }));
  const below = rows.slice(1);
  const footer = (): string => written(footerLine(footerOf({ ...board, ui: { ...ui, message: null } })));
  return {
    // What was said in passing has passed.
    rows: [header(asOfTime(keptAt, zone)), ...(ui.message === null ? below : below.with(-1, footer()))],
    laterHeader: header(asOfDay(keptAt, zone)),
    keptAt,
    dayEndsAt: nextMidnight(keptAt, zone),
  };
}

/** Whether it shows header, panes, an empty input bar and the footer, of the user's own watchlist. */
function isPlain({ badge, foundAlready, layout, overlay, ui }: Board): boolean {
  const { draft, focus, picker, prompt, settingUp, sortingBefore } = ui;
  return (
    badge === null &&
    foundAlready === undefined &&
    layout.kind !== 'too-small' &&
    overlay === null &&
    picker === null &&
    prompt === null &&
    settingUp === null &&
    sortingBefore === null &&
    draft.text === '' &&
    (focus === 'list' || focus === 'timeline')
  );
}
