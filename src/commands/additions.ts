import { partialAddCounts } from '../board/input/entered-text.ts';
import { StoreError } from '../lib/store-errors.ts';
import { counted } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import { hasNoRecord, isBeingIndexed, isWaitingForCredit, parcelStatusText } from '../parcels/parcel-state.ts';
import {
  type AdditionProgress,
  type AppliedAddition,
  type AppliedAdditions,
  type ApplyOptions,
  applyAdditions,
} from '../polling/apply-additions.ts';
import { confirmThreshold, noticeThreshold } from '../polling/gate/call-rules.ts';
import type { Monitor } from '../polling/monitor.ts';
import { CancelledError, ServiceError } from '../service/port.ts';
import { serviceExitCodes, withTraceId } from '../settings/errors.ts';
import { openCore } from '../settings/session/core.ts';
import { printError, printNote } from '../settings/session/output.ts';
import { type Connection, connect } from '../settings/session/service.ts';
import type { Session } from '../settings/session/session.ts';
import { type ExitCode, exitCode, worseExit } from '../system/exit.ts';
import { type Additions, confirmCheckDigits, reportSkipped, type SkippedEntry } from './check-entries.ts';
import { fieldsOfParcel, saveUnimported, type UnimportedNumber } from './output-file.ts';
import {
  additionCost,
  confirmCost,
  isPending,
  lookupNotice,
  rejectedAdvice,
  rejectionText,
  reportFailure,
  warnOfMissingExtras,
  warnOfSkew,
} from './register.ts';
import { type JsonOption, type Outcome, openProgress, type Progress, Results } from './results.ts';

export type CommonFields = Omit<NewParcel, 'trackNo'>;

export interface AdditionOptions extends JsonOption {
  readonly yes?: boolean;
  /** If absent, no file is written. */
  readonly left?: string;
  /** Each lookup costs a registration. */
  readonly instant?: boolean;
}

interface AddParcelsOptions extends AdditionOptions, Pick<ApplyOptions, 'onResults'> {
  readonly doubtful?: readonly UnimportedNumber[];
}

/** Saves all parcels on the watchlist before it registers the first one, so that none of them is lost. */
export async function addParcels(
  session: Session,
  additions: Additions,
  options: AddParcelsOptions,
): Promise<ExitCode> {
  const { doubtful = [], instant: isInstant = false, left: leftFile, yes: isConfirmed = false } = options;
  const results = new Results(session, options);
  const { onResults = (applied) => printResults(results, applied) } = options;
  using progress = await openProgress(session);
  const { context } = session;
  reportSkipped(results, additions.skipped);
  const connection = await connect(session);
  const numbers = additions.parcels.map(({ trackNo }) => trackNo);
  await using core = await openCore(session, connection.service, { named: { numbers } });
  const watched = core.monitor.getState().parcels;
  // The warnings appear above the question about the cost, so one question is enough.
  const willAskAboutCost =
    additionCost(session, additions.parcels, watched).registrations > confirmThreshold.commandLine;
  const { skipped, parcels } = await confirmCheckDigits(session, additions, watched, !isConfirmed && !willAskAboutCost);
  reportSkipped(results, skipped.slice(additions.skipped.length));
  const saveLeftovers = async (more: readonly UnimportedNumber[]): Promise<void> => {
    if (leftFile !== undefined) await saveUnimported(session, leftFile, [...skipped, ...more, ...doubtful]);
  };
  const cost = additionCost(session, parcels, watched);
  const shouldLookUp = isInstant && connection.service !== null;
  const notice = shouldLookUp ? await lookupNotice(session, cost, parcels, watched) : null;
  if (
    !(await confirmCost(session, cost, isConfirmed, notice)) ||
    (additions.parcels.length > 0 && context.signal.aborted)
  ) {
    printNote(context, 'Nothing was added.');
    await saveLeftovers(parcels.map(toUnimported));
    results.end(core);
    return context.signal.aborted ? exitCode.interrupted : exitCode.failed;
  }
  const applied = await applyAdditions(core.monitor, parcels, {
    checks: true,
    clock: context.clock,
    registers: connection.service !== null,
    batchSize: null,
    signal: context.signal,
    onProgress: (step) => showProgress(session, progress, step),
    onResults,
  });
  progress.clear();
  const addCode = concludeAdding(session, connection, applied, skipped);
  const lookupCode = shouldLookUp
    ? await lookUpNewParcels(session, results, core.monitor, applied, progress)
    : exitCode.done;
  const code = worseExit(addCode, lookupCode);
  const notAdded = applied.remaining.flatMap((index) => parcels[index] ?? []);
  await saveLeftovers([...applied.results.flatMap(rejectedNumber), ...notAdded.map(toUnimported)]);
  for (const parcel of notAdded) results.record(parcel, 'failed', applied.failure?.message ?? 'not added');
  results.end(core);
  if (applied.failure instanceof StoreError) throw applied.failure;
  return code;
}

/**
 * Returns the exit code. Skips the lookups if adding failed, because the regular checks may still find the records
 * for free.
 */
async function lookUpNewParcels(
  session: Session,
  results: Results,
  monitor: Monitor,
  { failure, results: additions }: Pick<AppliedAdditions, 'failure' | 'results'>,
  progress: Progress,
): Promise<ExitCode> {
  const { context } = session;
  const ids = new Set(additions.map(({ parcel }) => parcel.id));
  const find = (id: string): Parcel | undefined => monitor.getState().parcels.find((parcel) => parcel.id === id);
  const withoutRecord = [...ids]
    .flatMap((id) => find(id) ?? [])
    .filter((parcel) => isRegistered(parcel) && hasNoRecord(parcel));
  if (withoutRecord.length === 0 || failure instanceof CancelledError) return exitCode.done;
  if (failure !== null) {
    const subject =
      withoutRecord.length === 1 ? `${withoutRecord[0]?.trackNo ?? ''} was` : `${withoutRecord.length} numbers were`;
    printNote(context, `${subject} not looked up live because the first check failed. Run "add --instant" again.`);
    return failure instanceof ServiceError ? serviceExitCodes[failure.kind] : exitCode.done;
  }
  let code: ExitCode = exitCode.done;
  for (const [index, { id, trackNo }] of withoutRecord.entries()) {
    progress.show({ done: index, total: withoutRecord.length, action: 'looked up' });
    try {
      const response = await monitor.lookUp(id, { signal: context.signal });
      const parcel = find(id);
      if (response?.kind === 'rejected') {
        printError(context, `${trackNo}: the live lookup was rejected: ${response.rejection.message}`);
        code = worseExit(code, exitCode.rejected);
      } else if (parcel !== undefined && !results.isJson) {
        context.stdout.write(`${trackNo}  ${parcelStatusText(parcel)}  (looked up live)\n`);
      }
    } catch (error) {
      progress.clear();
      const remaining = withoutRecord.length - index;
      printNote(context, `${remaining === 1 ? `${trackNo} was` : `${remaining} numbers were`} not looked up live.`);
      return worseExit(code, reportFailure(session, error, false));
    }
  }
  progress.clear();
  return code;
}

const toUnimported = (parcel: NewParcel): UnimportedNumber => ({ why: 'Not added.', fields: fieldsOfParcel(parcel) });

function rejectedNumber({ parcel }: AppliedAddition): readonly UnimportedNumber[] {
  if (!isRejected(parcel)) return [];
  const { archivedAt: _, ...rest } = parcel;
  // The wrong courier is the most common reason for a rejection, so the table always has a column for it.
  const fields = { courierCode: '', ...fieldsOfParcel({ ...rest, ...parcel.extras }) };
  return [{ why: rejectionText(parcel, parcel.trackNo), fields }];
}

/** Shorter pauses are not announced. */
const minAnnouncedSeconds = 3;

function showProgress({ context }: Session, progress: Progress, { done, phase, total }: AdditionProgress): void {
  if (phase !== 'waiting') progress.show({ done, total, action: phase === 'registering' ? 'registered' : 'checked' });
  else if (done === 0 && total >= minAnnouncedSeconds) {
    printNote(context, `The service asked us to wait. Continuing in ${total} s.`);
  }
}

/**
 * Returns the exit code.
 * @param skipped entries of the same command that were left out
 */
export function concludeAdding(
  session: Session,
  connection: Connection,
  { failure, results }: Pick<AppliedAdditions, 'failure' | 'results'>,
  skipped: readonly SkippedEntry[],
): ExitCode {
  const { context } = session;
  const parcels = results.map(({ parcel }) => parcel);
  const hasPending = parcels.some(isPending);
  let code: ExitCode = exitCode.done;
  if (connection.service === null && hasPending) {
    (connection.exitCode === exitCode.done ? printNote : printError)(context, connection.reason);
    code = connection.exitCode;
  }
  if (failure === null && connection.service !== null) warnOfSkew(session, connection.service);
  if (failure instanceof CancelledError) {
    printError(context, interruptedText(parcels));
    code = exitCode.interrupted;
  } else if (failure instanceof ServiceError && hasPending) code = reportFailure(session, failure, true);
  else printUnchecked(session, failure, results);
  const refusals = results.filter(isIndividuallyRefused);
  for (const { parcel } of refusals) printError(context, rejectionText(parcel, parcel.trackNo));
  const unmentionedParcels =
    failure === null && connection.service !== null
      ? parcels.filter((parcel) => isPending(parcel) && parcel.error === null)
      : [];
  if (unmentionedParcels.length > 0) printError(context, unmentionedText(unmentionedParcels));
  warnOfMissingExtras(
    session,
    parcels.filter((parcel) => !isRejected(parcel) && parcel.archivedAt === null),
  );
  const rejected = parcels.filter(isRejected);
  if (rejected.length > 0) printNote(context, rejectedAdvice(rejected));
  if (code !== exitCode.interrupted) printCounts(session, results, skipped);
  const isLeft = skipped.length + rejected.length + refusals.length + unmentionedParcels.length > 0;
  return worseExit(code, isLeft ? exitCode.rejected : exitCode.done);
}

function printUnchecked(
  { context }: Session,
  failure: AppliedAdditions['failure'],
  results: readonly AppliedAddition[],
): void {
  if (failure instanceof ServiceError) printError(context, withTraceId(failure.message, failure.traceId));
  const unchecked = results.filter(
    ({ kind, parcel }) => kind !== 'duplicate' && isRegistered(parcel) && parcel.checkedAt === null,
  );
  const waiting = unchecked.filter(({ parcel }) => parcel.error === null && !isBeingIndexed(parcel));
  if (waiting.length === 0) return;
  const what = subjectAndVerb(waiting.map(({ parcel }) => parcel));
  printNote(context, `${what} registered but not checked yet. Open the board, or run "parcel-monitor refresh".`);
}

const subjectAndVerb = (parcels: readonly Parcel[]): string =>
  parcels.length === 1 ? `${parcels[0]?.trackNo ?? ''} is` : `${parcels.length} numbers are`;

function unmentionedText(parcels: readonly Parcel[]): string {
  const them = parcels.length === 1 ? 'it' : 'them';
  return `${subjectAndVerb(parcels)} saved but not registered, because the response does not mention ${them}. Run "parcel-monitor refresh" to try again.`;
}

const isIndividuallyRefused = ({ kind, parcel }: AppliedAddition): boolean =>
  parcel.error !== null &&
  (isPending(parcel) || (isRegistered(parcel) && kind !== 'duplicate')) &&
  !isWaitingForCredit(parcel);

const isRegistered = ({ archivedAt, registration }: Parcel): boolean =>
  registration === 'registered' && archivedAt === null;

export function interruptedText(parcels: readonly Parcel[]): string {
  const pending = parcels.filter(isPending);
  if (pending.length === 0) return 'Interrupted: all numbers are saved and registered.';
  const saved = `${pending.length} of ${counted(parcels.length, 'number')} ${pending.length === 1 ? 'is' : 'are'}`;
  return `Interrupted: ${saved} saved but not registered yet. Run "parcel-monitor refresh" to register the rest.`;
}

function printCounts(
  { context }: Session,
  results: readonly AppliedAddition[],
  skipped: readonly SkippedEntry[],
): void {
  const total = results.length + skipped.length;
  if (total <= (skipped.length > 0 ? 1 : noticeThreshold)) return;
  const rejected = results.filter(({ parcel }) => isRejected(parcel)).length;
  const known = results.filter(({ kind, parcel }) => kind === 'duplicate' && !isRejected(parcel)).length;
  const pending = results.filter(({ parcel }) => isPending(parcel)).length;
  printNote(context, partialAddCounts({ added: results.length - known - rejected, known, rejected, pending }, skipped));
}

const isRejected = ({ archivedAt, registration }: Parcel): boolean =>
  registration === 'rejected' && archivedAt === null;

/** Rejected numbers go to standard error. */
export function printResults(results: Results, applied: readonly AppliedAddition[]): void {
  for (const { kind, parcel } of applied) {
    const { courierCode, trackNo } = parcel;
    if (isRejected(parcel)) results.reportError(parcel, 'rejected', rejectionText(parcel, trackNo));
    else {
      const name = courierCode === null ? trackNo : `${trackNo}@${courierCode}`;
      results.add(parcel, ...resultOf({ kind, parcel }), name);
    }
  }
}

function resultOf({ kind, parcel }: Pick<AppliedAddition, 'kind' | 'parcel'>): readonly [Outcome, string] {
  const isKnown = kind === 'duplicate';
  if (parcel.archivedAt !== null) return isKnown ? ['known', 'already archived'] : ['archived', 'archived'];
  if (isPending(parcel)) return isKnown ? ['known', 'already on the list, still pending'] : ['pending', 'pending'];
  // A label that was entered now does not replace the existing one.
  if (isKnown) return ['known', `already on the list${parcel.label === null ? '' : ` as "${parcel.label}"`}`];
  return kind === 'restored' ? ['restored', 'restored'] : ['registered', 'registered'];
}
