import { noUsage, type Usage } from '../../watchlist/state/usage.ts';

/**
 * Where a call comes from: the schedule, the user at the board, or a command, which says so when it waits for long. What
 * the webhook takes in needs no call: it is stored whatever holds calls back, and moves the next poll.
 */
export type CallOrigin = 'poll' | 'user' | 'command';

/** Why a call is not sent now. The budget comes beside these: how much it leaves depends on the operation. */
export type HoldReason =
  /** The user has paused the checks, in all processes. */
  | 'paused'
  /** The key was refused, or there is no credit for queries: only the user can change that. */
  | 'needs-user'
  /** The service has asked for a pause, be it another process. */
  | 'cool-down'
  /** Our own wait after a failed call. */
  | 'back-off'
  /** The least pause between two rounds of calls. */
  | 'pace'
  /** What hosts share cannot be reached: whatever was sent might be sent twice, or go beyond the budget. */
  | 'cut-off'
  /** The budget limits the call, and the meter cannot be written. */
  | 'uncounted'
  /** Another process polls. */
  | 'lease';

/**
 * What fails on its own: registrations, and queries with every other kind of call. An account without credit refuses
 * registrations while it answers queries.
 */
export type CallLane = 'register' | 'query';

export const otherLane = (lane: CallLane): CallLane => (lane === 'register' ? 'query' : 'register');

/** What holds back a call, in the order in which it is given as the reason. Somebody who waits for an answer yields to the service and the shared store alone. */
export const heldBackBy: Readonly<Record<CallOrigin, readonly HoldReason[]>> = {
  poll: ['cut-off', 'uncounted', 'cool-down', 'paused', 'needs-user', 'back-off', 'pace', 'lease'],
  user: ['cut-off', 'cool-down'],
  command: ['cut-off', 'cool-down'],
};

/** Every kind of call to the service. */
export type CallOperation =
  | 'register'
  | 'query'
  | 'search'
  | 'instant'
  | 'couriers'
  | 'edit'
  | 'changeCourier'
  | 'delete'
  | 'retrack';

/** The lane of an operation. */
export const laneOf = (operation: CallOperation): CallLane => (operation === 'register' ? 'register' : 'query');

/** How calls of a kind are counted, limited and tried again. */
export interface OperationRule {
  /** What of the budget a call takes; null where none limits it. */
  readonly limit: 'register' | 'query' | null;
  /** What is counted before a call about so many numbers is sent. */
  readonly counted: (numbers: number) => Usage;
  /** What stays counted when the service did not take the call. */
  readonly keptUntaken: (numbers: number) => Usage;
  /**
   * Whether a call that was one too many in its second is made once more. Registrations and queries are not: their
   * caller splits batches, plans them again, and decides what follows from a failure.
   */
  readonly isRetried: boolean;
}

const oneCall: Usage = { ...noUsage, calls: 1 };
const plain: OperationRule = { limit: null, counted: () => oneCall, keptUntaken: () => oneCall, isRetried: true };
const queried = (numbers: number): Usage => ({ ...oneCall, queries: 1, numbers });
const registered = (numbers: number): Usage => ({ ...oneCall, registrations: numbers });

/** The rules of all kinds. A page of the account counts as a query, an instant answer costs as much as a registration. */
export const operationRules: Readonly<Record<CallOperation, OperationRule>> = {
  register: { limit: 'register', counted: registered, keptUntaken: () => oneCall, isRetried: false },
  query: { limit: 'query', counted: queried, keptUntaken: queried, isRetried: false },
  search: { limit: 'query', counted: queried, keptUntaken: () => noUsage, isRetried: true },
  instant: { limit: 'register', counted: registered, keptUntaken: () => oneCall, isRetried: true },
  couriers: plain,
  edit: plain,
  changeCourier: plain,
  delete: plain,
  retrack: plain,
};
