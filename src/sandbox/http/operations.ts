import type { Clock } from '../../service/clock/clock.ts';
import type { OperationName } from '../../service/operations.ts';
import type { WireCourier } from '../../service/record/wire.ts';
import type { JsonValue } from '../../service/text/json.ts';
import type { Account } from '../world/account.ts';
import type { Credit } from './credit.ts';
import { deleteTrackings } from './delete-trackings.ts';
import { changeCourier, editTracking } from './edit-tracking.ts';
import { instantTracking } from './instant-tracking.ts';
import { queryTrackings } from './query-trackings.ts';
import { refreshTracking, refreshTrackings } from './refresh-trackings.ts';
import { registerTrackings } from './register-trackings.ts';

/** What operations answer from. */
export interface OperationSources {
  readonly account: Account;
  readonly credit: Credit;
  readonly clock: Clock;
  /** The answer of Get Carriers. */
  readonly courierRows: readonly WireCourier[];
}

/** One path of the service. */
export interface ServedOperation {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Calls in a second that are let through. */
  readonly callsPerSecond: number;
  /** Answers `data`; the body is null for GET. Throws a `RefusedCallError` for a call that fails as a whole. */
  readonly answer: (body: JsonValue) => unknown;
}

const callsPerSecond = 5;

/** All operations, by paths written down here and not taken from the client, so that the two can disagree. */
export function operationsOf({ account, credit, clock, courierRows }: OperationSources): readonly ServedOperation[] {
  const post = (
    name: OperationName,
    path: string,
    answer: (body: JsonValue, now: number) => unknown,
  ): ServedOperation => ({
    name,
    method: 'POST',
    path,
    callsPerSecond: name === 'instant' ? 1 : callsPerSecond,
    answer: (body) => answer(body, clock.now()),
  });
  const couriers = (path: string): ServedOperation => ({
    name: 'couriers',
    method: 'GET',
    path,
    callsPerSecond,
    answer: () => courierRows,
  });
  const register = (body: JsonValue, now: number): unknown => registerTrackings(account, credit, body, now);
  return [
    post('register', '/tk/v2/track/import', register),
    post('registerV21', '/tk/v2.1/track/import', register),
    post('queryV2', '/tk/v2/track/query', (body, now) => queryTrackings(account, body, now)),
    post('query', '/tk/v2.1/track/query', (body, now) => queryTrackings(account, body, now)),
    couriers('/tk/v2/courier/list'),
    couriers('/tk/v2.1/courier/list'),
    post('delete', '/tk/v2.1/track/delete', (body) => deleteTrackings(account, body)),
    post('edit', '/tk/v2.1/track/update', (body, now) => editTracking(account, body, now)),
    post('changeCourier', '/tk/v2.1/track/update-courier', (body, now) => changeCourier(account, body, now)),
    post('refresh', '/tk/v2.1/track/refresh', (body, now) => refreshTracking(account, body, now)),
    post('refreshBatch', '/tk/v2.1/track/refresh-batch', (body, now) => refreshTrackings(account, body, now)),
    post('instant', '/tk/v2.1/track/query-realtime', (body, now) => instantTracking(account, credit, body, now)),
  ];
}
