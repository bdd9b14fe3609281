import { Box } from 'ink';
import { Table } from 'ink-table';
import type { Fact } from '../../board/setup/board-setup.ts';
import { cellWidth, wrap } from '../../board/text/cells.ts';
import type { Line } from '../../board/text/line.ts';
import type { Look } from '../../board/text/paint.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { skewSentence } from '../../service/clock/clock-skew.ts';
import { formatOffset } from '../../service/clock/service-clock.ts';
import type { Board } from '../board.ts';
import type { PaneSize } from '../layout.ts';
import type { MissingSetup } from './setup.ts';

/** Borders and padding of a table of two columns. */
const tableEdges = 7;

/**
 * Whether the details fit a pane as a table, every value whole. It draws a line between every two rows, and sizes by
 * characters; these texts have no wide ones.
 */
export function fitsTable(details: readonly Fact[], size: PaneSize, { glyphs }: Pick<Look, 'glyphs'>): boolean {
  const widthOf = (texts: readonly string[]): number => Math.max(...texts.map(cellWidth));
  const width = widthOf(details.map(({ name }) => name)) + widthOf(details.map(({ value }) => value)) + tableEdges;
  return glyphs === 'symbols' && details.length * 2 + 3 <= size.height && width <= size.width;
}

/** Service, clock, calls and files as a table, where it fits. */
export function DetailsTable({ details, size }: { readonly details: readonly Fact[]; readonly size: PaneSize }) {
  const rows = details.map(({ name, value }) => ({ what: name, now: value }));
  return (
    <Box flexDirection="column" flexShrink={0} width={size.width} height={size.height}>
      <Table data={rows} columns={['what', 'now']} />
    </Box>
  );
}

/** The same as lines of at most `width` cells. */
export function detailLines(details: readonly Fact[], width: number): readonly Line[] {
  return details.flatMap(({ name, value }): Line[] => [
    [{ text: ` ${name}`, bold: true }],
    ...wrap(value, Math.max(10, width - 4)).map((text): Line => [{ text: `   ${text}` }]),
  ]);
}

const clockSources = {
  configured: 'as configured',
  measured: 'measured at a registration',
  assumed: 'assumed until a registration shows it',
} as const;

function skewDetail(skewMs: number | null): readonly Fact[] {
  if (skewMs === null) return [];
  return [{ name: 'Your clock', value: skewSentence(skewMs) ?? "agrees with the service's" }];
}

/** How to set them stands above the details. */
function missingDetails({ baseUrl, hasKey }: MissingSetup): readonly Fact[] {
  const value = 'not set';
  return [...(hasKey ? [] : [{ name: 'API key', value }]), ...(baseUrl === null ? [{ name: 'Base URL', value }] : [])];
}

/** Rows of the details: service, clock, calls and files. */
export function boardDetails({
  clockSkew,
  facts,
  setup,
  state,
  zone,
}: Pick<Board, 'clockSkew' | 'facts' | 'setup' | 'state' | 'zone'>): readonly Fact[] {
  const { polling, serviceClock } = state;
  const instant = (at: EpochMs | null): string =>
    at === null ? 'none' : `${new Date(at).toISOString().slice(0, 19)}Z`;
  const { problem } = polling;
  const whole = [problem?.message, problem?.code, problem?.traceId].filter((part) => part != null).join(' ');
  return [
    ...facts,
    {
      name: 'Service clock',
      value: `UTC${formatOffset(serviceClock.offsetMinutes)}, ${clockSources[serviceClock.source]}`,
    },
    { name: 'Your zone', value: zone.name },
    ...skewDetail(clockSkew()),
    { name: 'Calls in this run', value: String(polling.callsSent) },
    { name: 'Queries today', value: String(polling.queriesToday) },
    ...(polling.paused ? [{ name: 'Automatic checks', value: 'paused; P resumes' }] : []),
    ...(polling.isFollowing ? [{ name: 'Updates', value: 'from another parcel-monitor; this one shows them' }] : []),
    ...(polling.budget === null ? [] : [{ name: 'Budget', value: polling.budget.message }]),
    { name: 'Last answer', value: instant(polling.lastAnswerAt) },
    { name: 'Next check', value: instant(polling.nextPollAt) },
    ...(problem === null ? [] : [{ name: 'Problem', value: whole }]),
    ...(setup.kind === 'not-set-up' ? missingDetails(setup) : []),
  ];
}
