import { Box } from 'ink';
import { cellWidth, paragraphLines } from '../lib/cells.ts';
import type { EpochMs } from '../lib/clock.ts';
import { skewSentence } from '../lib/clock-skew.ts';
import { formatOffset } from '../lib/date-time.ts';
import type { Line } from '../lib/paint.ts';
import { serviceOffset } from '../service/service-clock.ts';
import type { Fact, MissingSetup } from '../settings/setup/setup-lines.ts';
import type { PollingState } from '../store/polling-state.ts';
import type { Board, ShownOverlay } from './board.ts';
import type { PaneSize } from './layout.ts';
import { scrollStatus } from './pane/frame.ts';
import { Pane, Table } from './pane/pane.tsx';

const clockSources = {
  configured: 'as configured',
  measured: 'measured at a registration',
  assumed: 'assumed until the first registration',
} as const;

/** Who checks, if it is another process, and who else is connected. */
function updatesFact({ company, isFollowing }: PollingState): readonly Fact[] {
  const host = company?.checkedBy?.isUs === false ? company.checkedBy.host : null;
  const boards = company == null || company.boards < 2 ? [] : [{ name: 'Boards', value: `${company.boards} are open` }];
  if (!isFollowing && host === null) return boards;
  const from = host === null ? 'another parcel-monitor' : `the parcel-monitor on ${host}`;
  return [{ name: 'Updates', value: `checked by ${from}` }, ...boards];
}

function skewDetail(skewMs: number | null): readonly Fact[] {
  if (skewMs === null) return [];
  return [{ name: 'Your clock', value: skewSentence(skewMs) ?? "matches the service's clock" }];
}

function missingDetails({ baseUrl, hasKey }: MissingSetup): readonly Fact[] {
  const value = 'not set';
  return [...(hasKey ? [] : [{ name: 'API key', value }]), ...(baseUrl === null ? [{ name: 'Base URL', value }] : [])];
}

type DetailsSource = Pick<Board, 'clockSkew' | 'facts' | 'now' | 'setup' | 'state' | 'zone'>;

export function boardDetails({ clockSkew, facts, now, setup, state, zone }: DetailsSource): readonly Fact[] {
  const { polling, serviceClock } = state;
  const zoned = serviceClock.zone === undefined ? '' : `${serviceClock.zone.name}, `;
  const instant = (at: EpochMs | null): string =>
    at === null ? 'none' : `${new Date(at).toISOString().slice(0, 19)}Z`;
  const { problem } = polling;
  const whole = [problem?.message, problem?.code, problem?.traceId].filter((part) => part != null).join(' ');
  return [
    ...facts,
    {
      name: 'Service clock',
      value: `${zoned}UTC${formatOffset(serviceOffset(serviceClock, now))}${zoned === '' ? '' : ' now'}, ${clockSources[serviceClock.source]}`,
    },
    { name: 'Your zone', value: zone.name },
    ...skewDetail(clockSkew()),
    { name: 'Calls since the start', value: String(polling.callsSent) },
    { name: 'Queries today', value: String(polling.queriesToday) },
    ...(polling.paused ? [{ name: 'Automatic checks', value: 'paused; press P to resume' }] : []),
    ...updatesFact(polling),
    ...(polling.budget === null ? [] : [{ name: 'Budget', value: polling.budget.message }]),
    { name: 'Last answer', value: instant(polling.lastAnswerAt) },
    { name: 'Next check', value: instant(polling.nextPollAt) },
    ...(problem === null ? [] : [{ name: 'Problem', value: whole }]),
    ...(setup.kind === 'not-set-up' ? missingDetails(setup) : []),
  ];
}

interface DetailsProps extends Pick<ShownOverlay, 'lines' | 'scroll'> {
  /** A table if it fits; null while the service is not set up. */
  readonly facts: readonly Fact[] | null;
  readonly size: PaneSize;
}

/** Connection, calls and files: a table if it fits, else lines that scroll. */
export function Details({ facts, lines, scroll, size }: DetailsProps) {
  if (facts === null || !fitsTable(facts, size)) {
    return <Pane texts={{ title: 'Details', ...scrollStatus(scroll) }} size={size} isFocused lines={lines} />;
  }
  const rows = facts.map(({ name, value }) => [[{ text: name }], [{ text: value }]]);
  return (
    <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
      <Table headings={['what', 'now']} rows={rows} />
    </Box>
  );
}

const tableEdges = 7;

function fitsTable(details: readonly Fact[], size: PaneSize): boolean {
  const widthOf = (texts: readonly string[]): number => Math.max(...texts.map(cellWidth));
  const width = widthOf(details.map(({ name }) => name)) + widthOf(details.map(({ value }) => value)) + tableEdges;
  return details.length * 2 + 3 <= size.height && width <= size.width;
}

export function detailsText(details: readonly Fact[], width: number): readonly Line[] {
  const room = Math.max(10, width - 1);
  return details.flatMap(({ name, value }) => [
    ...paragraphLines(name, room, { bold: true }, 1),
    ...paragraphLines(value, room, {}, 3),
  ]);
}
