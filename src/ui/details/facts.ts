import type { BoardSetup, Fact, MissingSetup } from '../../board/setup/board-setup.ts';
import type { MonitorState } from '../../polling/core/state.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import { skewSentence } from '../../service/clock/clock-skew.ts';
import { serviceOffset } from '../../service/clock/service-clock.ts';
import { formatOffset } from '../../service/clock/utc-offset.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { PollingState } from '../../watchlist/state/polling-state.ts';

const clockSources = {
  configured: 'as configured',
  measured: 'measured at a registration',
  assumed: 'assumed until a registration shows it',
} as const;

/** Who polls, where that is another process, and who else is there. */
function updatesFact({ company, isFollowing }: PollingState): readonly Fact[] {
  const host = company?.checkedBy?.isUs === false ? company.checkedBy.host : null;
  const boards = company == null || company.boards < 2 ? [] : [{ name: 'Boards', value: `${company.boards} are open` }];
  if (!isFollowing && host === null) return boards;
  const from = host === null ? 'another parcel-monitor' : `the parcel-monitor on ${host}`;
  return [{ name: 'Updates', value: `from ${from}; this one shows them` }, ...boards];
}

function skewDetail(skewMs: number | null): readonly Fact[] {
  if (skewMs === null) return [];
  return [{ name: 'Your clock', value: skewSentence(skewMs) ?? "agrees with the service's" }];
}

/** How to set them stands above the details. */
function missingDetails({ baseUrl, hasKey }: MissingSetup): readonly Fact[] {
  const value = 'not set';
  return [...(hasKey ? [] : [{ name: 'API key', value }]), ...(baseUrl === null ? [{ name: 'Base URL', value }] : [])];
}

/** What the details depend on. */
export interface DetailsSource {
  /** Facts that only the caller of the board knows: base URL, files. */
  readonly facts: readonly Fact[];
  /** How far the service's clock is ahead of this machine's, in milliseconds; null while nothing is known. */
  readonly clockSkew: () => number | null;
  readonly now: EpochMs;
  readonly setup: BoardSetup;
  readonly state: MonitorState;
  /** The viewer's. */
  readonly zone: Zone;
}

/** Rows of the details: service, clock, calls and files. */
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
    { name: 'Calls in this run', value: String(polling.callsSent) },
    { name: 'Queries today', value: String(polling.queriesToday) },
    ...(polling.paused ? [{ name: 'Automatic checks', value: 'paused; P resumes' }] : []),
    ...updatesFact(polling),
    ...(polling.budget === null ? [] : [{ name: 'Budget', value: polling.budget.message }]),
    { name: 'Last answer', value: instant(polling.lastAnswerAt) },
    { name: 'Next check', value: instant(polling.nextPollAt) },
    ...(problem === null ? [] : [{ name: 'Problem', value: whole }]),
    ...(setup.kind === 'not-set-up' ? missingDetails(setup) : []),
  ];
}
