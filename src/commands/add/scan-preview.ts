import { cleanText } from '../../lib/clean-text.ts';
import { counted } from '../../lib/text.ts';
import { identityKey } from '../../parcels/identity.ts';
import type { NewParcel } from '../../parcels/parcel-factory.ts';
import { createAccountActions } from '../../polling/account.ts';
import { type AppliedAddition, type ApplyAdditions, applyAdditions } from '../../polling/apply-additions.ts';
import { CancelledError } from '../../service/errors.ts';
import { type Core, openCore } from '../../settings/session/core.ts';
import { courierDirectory } from '../../settings/session/open-stores.ts';
import { type Connection, connect } from '../../settings/session/service.ts';
import { printNote, type Session, zoneOf } from '../../settings/session/session.ts';
import { firstView } from '../../store/saved-view.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import { type CommonFields, concludeAdding, interruptedText, printResults } from '../additions.ts';
import { batchLimitsOf, lacksExtra } from '../cost.ts';
import { Results } from '../results.ts';
import { type ScannedSource, withCommon } from './scanned-numbers.ts';

/** Lets the user choose from the board's list of found numbers, and prints a line for each number that was added. */
export async function runPreview(
  session: Session,
  source: string,
  { scan }: ScannedSource,
  common: CommonFields,
): Promise<ExitCode> {
  const connection = await connect(session);
  const numbers = scan.numbers.map(({ trackNo }) => trackNo);
  await using core = await openCore(session, connection.service, { named: { numbers } });
  const adding = createAdding(session, core, connection, common);
  const end = await session.context.showBoard({
    ...servicesOf(session, core, connection),
    alreadyFound: { source: source === '-' ? 'standard input' : cleanText(source), scan },
    applyAdditions: adding.apply,
  });
  await adding.stop();
  if (end.reason === 'error') throw end.error;
  return conclude(session, connection, adding.outcome, end.reason === 'interrupted');
}

/** Saves and registers batch by batch, so that nothing is spent on the remaining numbers if the user stops. */
function createAdding(session: Session, { monitor }: Core, connection: Connection, common: CommonFields) {
  const outcome = {
    results: new Map<string, AppliedAddition>(),
    left: new Map<string, NewParcel>(),
    isStopped: false,
  };
  const end = new AbortController();
  let last: Promise<void> = Promise.resolve();
  const apply: ApplyAdditions = async (parcels, options) => {
    const completed = parcels.map((parcel) => withCommon(parcel, common));
    const applying = applyAdditions(monitor, completed, {
      ...options,
      checks: true,
      clock: session.context.clock,
      registers: connection.service !== null,
      savedTogether: batchLimitsOf(session).register,
      signal: AbortSignal.any([options.signal, end.signal, session.context.signal]),
    });
    const noted = applying.then(({ failure, remaining, results }) => {
      for (const result of results) {
        const key = identityKey(completed[result.index] ?? result.parcel);
        outcome.results.set(key, result);
        outcome.left.delete(key);
      }
      for (const parcel of remaining.flatMap((index) => completed[index] ?? []))
        outcome.left.set(identityKey(parcel), parcel);
      outcome.isStopped = failure instanceof CancelledError || (outcome.isStopped && outcome.left.size > 0);
    });
    // The caller reports a failure.
    last = noted.catch(() => undefined);
    return await applying;
  };
  const stop = (): Promise<void> => {
    end.abort();
    return last;
  };
  return { apply, outcome, stop };
}

/** The monitor does not poll, because only the chosen numbers may be registered. */
function servicesOf(session: Session, { monitor, stores }: Core, { service }: Connection) {
  const { configuration, context, style } = session;
  return {
    monitor: { ...monitor, start: () => undefined },
    couriers: courierDirectory(session, service, stores.couriers),
    zone: zoneOf(session),
    title: false,
    notificationSwitch: null,
    setup: { kind: 'ready' },
    setupEffects: null,
    facts: [],
    account: createAccountActions(monitor, service),
    clockSkew: () => service?.clockSkew() ?? null,
    hasDefaultExtra: (courierCode: string) => !lacksExtra(configuration, courierCode),
    glyphs: style.glyphs,
    colour: style.colour,
    badge: null,
    view: { ...firstView, newsSeq: monitor.changeSeq() },
    keepView: () => undefined,
    signal: context.signal,
  } as const;
}

const maxNamed = 5;

function notAddedText(parcels: readonly NewParcel[]): string {
  const named = parcels.slice(0, maxNamed).map(({ trackNo }) => trackNo);
  const more = parcels.length - named.length;
  if (more === 0) return `Not added: ${named.join(', ')}.`;
  return `${counted(parcels.length, 'number')} not added: ${named.join(', ')} and ${more} more. To add the rest, scan the same text again.`;
}

function conclude(
  session: Session,
  connection: Connection,
  { isStopped, left, results: byName }: ReturnType<typeof createAdding>['outcome'],
  isInterrupted: boolean,
): ExitCode {
  const { context } = session;
  const results = [...byName.values()];
  printResults(new Results(session), results);
  if (left.size > 0) printNote(context, notAddedText([...left.values()]));
  const wasInterrupted = isStopped || context.signal.aborted;
  if (results.length === 0) {
    printNote(context, 'Nothing was added.');
    return wasInterrupted || isInterrupted ? exitCode.interrupted : exitCode.failed;
  }
  if (wasInterrupted) {
    if (left.size === 0) printNote(context, interruptedText(results.map(({ parcel }) => parcel)));
    return exitCode.interrupted;
  }
  const ended = concludeAdding(session, connection, { failure: null, results }, []);
  return left.size > 0 ? exitCode.failed : ended;
}
