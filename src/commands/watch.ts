import { type Notifications, openNotifications } from '../notify/notifier.ts';
import type { Monitor } from '../polling/monitor.ts';
import type { MonitorState, PollingProblem } from '../polling/state.ts';
import { serviceExitCodes, UsageError, withTraceId } from '../settings/errors.ts';
import { untilAborted } from '../settings/session/context.ts';
import { type Core, openCore } from '../settings/session/core.ts';
import { openViewMemory } from '../settings/session/open-stores.ts';
import { printNote } from '../settings/session/output.ts';
import { openService, openWebhook, parseWebhookAddress, type Webhook } from '../settings/session/service.ts';
import type { Session } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { createChangeHook, parseLineNumber, printChanges } from './print-changes.ts';

interface WatchOptions {
  readonly json?: boolean;
  readonly once?: boolean;
  /** A line of the change log. */
  readonly since?: string;
  readonly webhook?: string;
  readonly notify?: boolean;
  readonly exec?: boolean;
}

/**
 * Runs until the program is interrupted, or until polling has to stop (key refused, quota used up) and there is no
 * webhook to receive updates. Times are in the viewer's zone.
 */
export async function runWatch(session: Session, options: WatchOptions, command: readonly string[]): Promise<ExitCode> {
  const { context } = session;
  const hookCommand = readHookCommand(options, command);
  const since = options.since === undefined ? null : parseLineNumber(options.since);
  const address = options.webhook === undefined ? null : parseWebhookAddress(options.webhook);
  if (options.notify === true && session.configuration.notify.channels.length === 0) {
    throw new UsageError('--notify requires a channel. Set notify.channels in config.json.');
  }
  const core = await openCore(session, await openService(session));
  const hook = hookCommand === null ? null : createChangeHook(context, hookCommand);
  const { monitor } = core;
  const notifications = options.notify === true ? await startNotifications(session, monitor) : null;
  const printer = printChanges(session, {
    monitor,
    clock: core.stores.clock,
    json: options.json === true,
    since,
    hook,
  });
  const stopReporting = reportProblems(session, monitor, options);
  // The same signal cancels the request in progress. Reporting stops right away, so that the cancelled request is not
  // reported as a service failure.
  const onAbort = (): void => {
    printer.stop();
    stopReporting();
    // A failed write is reported when the core is closed.
    monitor.stop().catch(() => {});
  };
  context.signal.addEventListener('abort', onAbort, { once: true });
  let webhook: Webhook | null = null;
  try {
    await printer.catchUp();
    if (options.once === true) {
      const { failure, rejected } = await monitor.refreshDue();
      if (failure !== null) throw failure;
      return rejected.length > 0 ? exitCode.rejected : exitCode.done;
    }
    if (address !== null) {
      webhook = await openWebhook(session, address, core);
      printNote(context, `Listening for webhook calls at ${webhook.url}.`);
    }
    monitor.start();
    return await waitForEnd(session, monitor, webhook !== null);
  } finally {
    await webhook?.close();
    // Changes are not printed until they have been written, so the last ones may still be missing.
    if (!context.signal.aborted) await monitor.whenIdle();
    printer.stop();
    await hook?.whenDone();
    if (!context.signal.aborted) await notifications?.flush();
    await notifications?.close();
    stopReporting();
    context.signal.removeEventListener('abort', onAbort);
    await closeWithoutNotices(core);
  }
}

type ProblemState = Pick<MonitorState, 'notices'> & {
  readonly polling: Pick<MonitorState['polling'], 'problem'> & Partial<Pick<MonitorState['polling'], 'phase'>>;
};

/** Returns what to report. A lasting problem is reported once, even if its details change. */
export function problemMessages(before: ProblemState, after: ProblemState): readonly string[] {
  const lines = after.notices.filter((notice) => !before.notices.includes(notice));
  const [old, current] = [before.polling.problem, after.polling.problem];
  // A store problem also appears as a notice.
  if (current !== null && !isSameProblem(old, current) && !after.notices.includes(current.message)) {
    const suffix = after.polling.phase === 'backing-off' ? '; parcel-monitor retries automatically.' : '.';
    return [...lines, withTraceId(`${current.message.replace(/\.$/, '')}${suffix}`, current.traceId)];
  }
  if (current === null && old !== null) {
    return [...lines, old.kind === 'store' ? 'Changes are saved again.' : 'The service responds again.'];
  }
  return lines;
}

/** @param before null for the first report */
export function pauseMessages(before: PollingPauses | null, after: PollingPauses): readonly string[] {
  const wasPaused = before?.paused ?? false;
  const pauseMessage = after.paused
    ? 'Automatic checks are paused. Press P on the board to resume them.'
    : 'Automatic checks have resumed.';
  const { budget } = after;
  // A change in the number of waiting checks alone is not reported.
  const isNewlySpent = budget !== null && budget.resumesAt !== before?.budget?.resumesAt;
  const wasFollowing = before?.isFollowing ?? false;
  const checkedBy = after.connectedPrograms?.checkedBy ?? null;
  const program =
    checkedBy === null || checkedBy.isHeldByUs ? 'Another parcel-monitor' : `The parcel-monitor on ${checkedBy.host}`;
  const followMessage = after.isFollowing
    ? `${program} is checking the parcels. This one shows the results.`
    : 'This parcel-monitor is now checking the parcels.';
  return [
    ...(wasFollowing === after.isFollowing ? [] : [followMessage]),
    ...(wasPaused === after.paused ? [] : [pauseMessage]),
    ...(isNewlySpent ? [budget.message] : []),
  ];
}

type PollingPauses = Pick<MonitorState['polling'], 'paused' | 'isFollowing' | 'budget' | 'connectedPrograms'>;

function isSameProblem(a: PollingProblem | null, b: PollingProblem): boolean {
  return a !== null && a.kind === b.kind && a.code === b.code;
}

async function startNotifications(session: Session, monitor: Monitor): Promise<Notifications> {
  const { context } = session;
  return await openNotifications(session, {
    monitor,
    memory: openViewMemory(session),
    terminal: [context.stderr, context.stdout].find(({ isTerminal }) => isTerminal) ?? null,
    output: null,
    say: (sentence) => printNote(context, sentence),
    reportsUnusable: true,
  });
}

/** Also resolves when polling cannot continue without the user. */
async function waitForEnd({ context }: Session, monitor: Monitor, isPushed: boolean): Promise<ExitCode> {
  const stopped = Promise.withResolvers<ExitCode>();
  const unsubscribe = monitor.subscribe(() => {
    const { phase, problem } = monitor.getState().polling;
    if (phase !== 'stopped' || problem === null || problem.kind === 'store' || isPushed) return;
    stopped.resolve(serviceExitCodes[problem.kind]);
  });
  try {
    return await Promise.race([stopped.promise, untilAborted(context.signal).then(() => exitCode.done)]);
  } finally {
    unsubscribe();
  }
}

function reportProblems({ context }: Session, monitor: Monitor, { once }: WatchOptions): () => void {
  let lastState = monitor.getState();
  for (const line of [...lastState.notices, ...pauseMessages(null, lastState.polling)]) printNote(context, line);
  return monitor.subscribe(() => {
    const [before, state] = [lastState, monitor.getState()];
    lastState = state;
    const { polling } = state;
    // With --once, the command itself throws the problem that ended the check.
    const { problem } = once === true ? before.polling : polling;
    const problems = problemMessages(before, { ...state, polling: { ...polling, problem } });
    for (const line of [...problems, ...pauseMessages(before.polling, polling)]) printNote(context, line);
  });
}

/** Dismisses the notices before closing the core, which would print them again. */
async function closeWithoutNotices({ monitor, close: closeCore }: Core): Promise<void> {
  while (monitor.getState().notices.length > 0) monitor.dismissNotice();
  await closeCore();
}

function readHookCommand({ exec }: WatchOptions, command: readonly string[]): readonly [string, ...string[]] | null {
  const [program, ...programArguments] = command;
  if (exec === true && program === undefined) {
    throw new UsageError('--exec requires a command. Everything after --exec is the command and its arguments.');
  }
  if (exec !== true && program !== undefined) {
    throw new UsageError(`"watch" takes no arguments (got ${program}). To run a command, put it after --exec.`);
  }
  return exec === true && program !== undefined ? [program, ...programArguments] : null;
}
