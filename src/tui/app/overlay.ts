import { clockText } from '../../board/time.ts';
import { cellWidth, fitText, paragraphLines, wrap } from '../../lib/cells.ts';
import { printableText } from '../../lib/clean-text.ts';
import type { EpochMs } from '../../lib/clock.ts';
import { skewSentence } from '../../lib/clock-skew.ts';
import { formatOffset } from '../../lib/date-time.ts';
import type { Line, Segment } from '../../lib/paint.ts';
import type { PollingState } from '../../polling/state.ts';
import { serviceOffset } from '../../service/service-clock.ts';
import { type Fact, type MissingSetup, missingText } from '../../settings/setup/board-setup.ts';
import { arrivalsOverlay, statisticsOverlay } from '../answers.ts';
import type { Board, OverlayContent, ShownOverlay } from '../board.ts';
import { type HelpItem, helpOverlay, type ListedKey, searchHelp } from '../help/help.ts';
import { closeHelp } from '../help/keys.ts';
import { disabledReason } from '../keys/binding.ts';
import { innerSize, type PaneSize, scrollStatus, visibleText } from '../layout.ts';
import { listHeight } from '../list/parcel-list.tsx';
import { newsOverlay } from '../news/news.ts';
import { scanOverlay } from '../scan/found-numbers.ts';
import { setupOverlay } from '../setup/setup.ts';
import { currentKeyContext, type KeyedBoard, keyGroupFor } from './keymap.ts';
import { outputLines } from './own-actions.ts';

type BoardBelow = Omit<KeyedBoard, 'overlay' | 'scroll'>;

export function withOverlay(board: BoardBelow, name: ShownOverlay['name'] | null): KeyedBoard {
  const shown = { ...board, overlay: name === null ? null : createOverlay(board, name) };
  return { ...shown, scroll: currentScroll(shown) };
}

function createOverlay(board: BoardBelow, name: ShownOverlay['name']): ShownOverlay | null {
  const content = board.layout.kind === 'too-small' ? null : overlayContent(board, name, board.layout.body);
  return content === null ? null : { name, choices: [], ...content };
}

function overlayContent(board: BoardBelow, name: ShownOverlay['name'], size: PaneSize): OverlayContent | null {
  const { monitor, scan, ui } = board;
  const inner = innerSize(size);
  const scrollableText = (title: string, lines: readonly Line[]): OverlayContent => {
    const visible = visibleText(lines, ui.overlayOffset, inner.height);
    return { texts: { title, ...scrollStatus(visible.scroll) }, ...visible };
  };
  switch (name) {
    case 'help':
      return helpContent(board, size);
    case 'details':
      return scrollableText('Details', detailsLines(board, inner.width));
    case 'output':
      return scrollableText(ui.output.title, outputLines(ui.output.text, inner.width));
    case 'news':
      return newsOverlay(board, size);
    case 'arrivals':
      return board.arrivals && arrivalsOverlay(board.arrivals, board, inner);
    case 'statistics':
      return board.statistics && statisticsOverlay(board.statistics, board, inner);
    case 'scan':
      return scan === null ? null : scanOverlay(scan, ui.overlayOffset, size, monitor.registrationsLeft());
    case 'setup':
      return ui.setupState === null ? null : setupOverlay(ui.setupState, board, inner);
  }
}

function helpContent(board: BoardBelow, size: PaneSize): OverlayContent {
  const { ui } = board;
  const below = { ...ui, ...closeHelp(ui), helpQuery: ui.helpQuery, helpShowsAll: ui.helpShowsAll };
  const boardBelow = withOverlay({ ...board, ui: below }, below.overlay);
  return helpOverlay(listedKeys(boardBelow), boardBelow, ui, size);
}

/** Returns the bindings that the help can run. */
function listedKeys(board: KeyedBoard): readonly ListedKey[] {
  const { helpShowsAll, helpQuery } = board.ui;
  return searchHelp(board.keymap, currentKeyContext(board.ui), helpQuery.text, helpShowsAll).map((item) => ({
    ...item,
    detail: item.binding.detail?.(board) ?? null,
    disabledReason: unavailableReason(item, board),
  }));
}

/** Returns why a key does not work where the help was opened, or null. */
function unavailableReason({ binding, context }: HelpItem, board: KeyedBoard): string | null {
  const here = keyGroupFor(currentKeyContext(board.ui), board.keymap);
  if (context !== 'global' && context !== here.context) return `Works only in “${keyGroupFor(context).title}”.`;
  const isReached = context !== 'global' || binding.always === true || here.isClosed !== true;
  if (!isReached && !here.bindings.includes(binding)) return `Close “${here.title}” first.`;
  return disabledReason(binding, board);
}

function currentScroll({ layout, list, overlay, timeline, ui }: Omit<KeyedBoard, 'scroll'>): Board['scroll'] {
  if (layout.kind === 'too-small') return { offset: 0, last: 0, rows: 1 };
  const context = currentKeyContext(ui);
  if (overlay !== null && context !== 'picker') return overlay.scroll;
  if (context === 'timeline') return timeline.scroll;
  const picker = overlay?.name === 'scan' ? layout.body : layout.timeline;
  const rows = context === 'picker' ? innerSize(picker).height : listHeight(layout.list);
  return { offset: list.offset, last: 0, rows };
}

const clockSources = {
  configured: 'as configured',
  measured: 'measured at a registration',
  assumed: 'assumed until the first registration',
} as const;

/** Returns which process polls, if it is not this one, and the number of open boards. */
function updatesFact({ connectedPrograms, isFollowing }: PollingState): readonly Fact[] {
  const host = connectedPrograms?.checkedBy?.isHeldByUs === false ? connectedPrograms.checkedBy.host : null;
  const boards =
    connectedPrograms == null || connectedPrograms.boards < 2
      ? []
      : [{ name: 'Boards', value: `${connectedPrograms.boards} are open` }];
  if (!isFollowing && host === null) return boards;
  const from = host === null ? 'a different parcel-monitor process' : `the parcel-monitor on ${host}`;
  return [{ name: 'Updates', value: `checked by ${from}` }, ...boards];
}

function missingDetails({ baseUrl, hasKey }: MissingSetup): readonly Fact[] {
  const value = 'not set';
  return [...(hasKey ? [] : [{ name: 'API key', value }]), ...(baseUrl === null ? [{ name: 'Base URL', value }] : [])];
}

type DetailsSource = Pick<Board, 'clockSkew' | 'facts' | 'now' | 'setup' | 'state' | 'zone'>;

function boardDetails({ clockSkew, facts, now, setup, state, zone }: DetailsSource): readonly Fact[] {
  const { notices, polling, serviceClock } = state;
  const zonePrefix = serviceClock.zone === undefined ? '' : `${serviceClock.zone.name}, `;
  const skewMs = clockSkew();
  const skew = skewSentence(skewMs) ?? "matches the service's clock";
  return [
    ...facts,
    {
      name: 'Service clock',
      value: `${zonePrefix}UTC${formatOffset(serviceOffset(serviceClock, now))}${zonePrefix === '' ? '' : ' now'}, ${clockSources[serviceClock.source]}`,
    },
    { name: 'Your zone', value: zone.name },
    ...(skewMs === null ? [] : [{ name: 'Your clock', value: skew }]),
    { name: 'Queries today', value: String(polling.queriesToday) },
    { name: 'Requests since start', value: String(polling.callsSent) },
    ...updatesFact(polling),
    ...(polling.budget === null ? [] : [{ name: 'Budget', value: polling.budget.message }]),
    ...(setup.kind === 'not-set-up' ? missingDetails(setup) : []),
    ...notices.map((notice) => ({ name: 'Notice', value: printableText(notice) })),
  ];
}

/** Returns whether everything works or what to do, and the times of the last response and the next check. */
function summary({ now, state: { polling }, zone }: DetailsSource): Omit<Segment, 'dim'> {
  const { lastResponseAt, nextPollAt, paused, problem } = polling;
  const sentence = (what: string, at: EpochMs | null): string =>
    at === null ? '' : ` ${what} ${clockText(at, now, zone)}.`;
  const times = `${sentence('Last response', lastResponseAt)}${paused ? '' : sentence('Next check', nextPollAt)}`;
  if (problem !== null) {
    const { code, message, traceId } = problem;
    const isNew = (part: string | null): boolean => part !== null && !message.includes(part);
    const references = [code, traceId].filter(isNew).join(' ');
    const sentenceWithReferences = references === '' ? message : `${message} (${references})`;
    return { text: `! ${sentenceWithReferences}${times}`, tone: 'attention' };
  }
  if (paused) return { text: `! Automatic checks are paused. Press P to resume.${times}`, tone: 'today' };
  return { text: `✓ Everything works.${times}`, tone: 'done' };
}

/** In a narrower pane, names appear above their values instead of in a column. */
const minWidthForColumn = 50;

/** Returns the summary and the facts. Before setup, the missing settings replace the summary. */
export function detailsLines(board: DetailsSource, width: number): readonly Line[] {
  const room = Math.max(10, width - 2);
  const { text, ...style } = summary(board);
  const missing = missingText(board.setup, width);
  const heading = missing.length > 0 ? missing : paragraphLines(text, room, { ...style, bold: true }, 1);
  return [...heading, [], ...factLines(boardDetails(board), room)];
}

function factLines(facts: readonly Fact[], width: number): readonly Line[] {
  if (width < minWidthForColumn) {
    return facts.flatMap(({ name, value }) => [
      ...paragraphLines(name, width, { bold: true }, 1),
      ...paragraphLines(value, width, {}, 3),
    ]);
  }
  const nameWidth = Math.max(0, ...facts.map(({ name }) => cellWidth(name))) + 3;
  return facts.flatMap(({ name, value }) =>
    wrap(value, width - nameWidth).map((row, index): Line => {
      const nameCell = fitText(index === 0 ? ` ${name}` : '', nameWidth);
      return [{ text: nameCell, tone: 'quiet' }, { text: row }];
    }),
  );
}
