import { renderToString } from 'ink';
import type { Words } from '../../board/header/fit-header.ts';
import { headerRow } from '../../board/header/header.ts';
import { paint } from '../../board/text/paint.ts';
import { asOfDay, asOfTime } from '../../board/time/as-of.ts';
import { nextMidnight } from '../../board/time/zone-time.ts';
import type { Frame } from '../../process/kept-screen.ts';
import { LookContext } from '../pane/lines.tsx';
import type { Board } from './board.ts';
import { headerOf, Screen } from './screen.tsx';

/**
 * The frame that a board leaves behind, with the time in the place of the state of polling; null while it shows something
 * else than its panes, or a text that is being typed.
 */
export function leftFrame(board: Board): Frame | null {
  const { layout } = board;
  if (!isPlain(board) || layout.kind === 'too-small') return null;
  const { clock, ui, zone } = board;
  const keptAt = clock.now();
  const header = (asOf: Words): string => paint(headerRow({ ...headerOf(board), asOf }), board);
  // What was said in passing has passed.
  const shown = { ...board, ui: { ...ui, message: null } };
  const rows = renderToString(
    <LookContext value={board}>
      <Screen board={shown} layout={layout} />
    </LookContext>,
    { columns: board.columns },
  ).split('\n');
  return {
    rows: [header(asOfTime(keptAt, zone)), ...rows.slice(1)],
    laterHeader: header(asOfDay(keptAt, zone)),
    keptAt,
    dayEndsAt: nextMidnight(keptAt, zone),
  };
}

/** Whether it shows header, panes, an empty input bar and the footer, of the user's own watchlist. */
function isPlain({ badge, foundAlready, overlay, ui }: Board): boolean {
  const { draft, focus, picker, prompt, settingUp, sortingBefore } = ui;
  return (
    badge === null &&
    foundAlready === undefined &&
    overlay === null &&
    picker === null &&
    prompt === null &&
    settingUp === null &&
    sortingBefore === null &&
    draft.text === '' &&
    (focus === 'list' || focus === 'timeline')
  );
}
