import type { Parcel } from '../parcels/parcel.ts';
import { deleteAtService } from '../polling/account.ts';
import { ServiceError } from '../service/errors.ts';
import type { AccountService } from '../service/port.ts';
import { describeFailure } from '../settings/errors.ts';
import { askYesNo, canAsk } from '../settings/session/context.ts';
import { openCore } from '../settings/session/core.ts';
import { openService } from '../settings/session/service.ts';
import type { Session } from '../settings/session/session.ts';
import { inBatches } from '../store/store.ts';
import { type ExitCode, exitCode, worseExit } from '../system/exit.ts';
import { namedParcels, oneParcelNamed, refuseBlank } from './find-parcel.ts';
import { type JsonOption, Results } from './results.ts';
import { chooseParcels, type FilterOptions, requireTargets } from './select-parcels.ts';

/** Removes a parcel from the list only after the service has deleted it. Stops at the first failed request. */
async function removeRemotely(
  session: Session,
  service: Pick<AccountService, 'delete'>,
  parcels: readonly Parcel[],
  forget: (parcel: Parcel, outcome: string) => Promise<void>,
  results: Results,
): Promise<ExitCode> {
  const { context, configuration } = session;
  let remaining = parcels;
  let isRefused = false;
  try {
    for (const batch of inBatches(parcels, configuration.operations.delete.batchLimit)) {
      const deletions = await deleteAtService(service, batch, context.signal);
      remaining = remaining.slice(batch.length);
      for (const [position, parcel] of batch.entries()) {
        const deletion = deletions[position];
        if (deletion?.kind === 'refused') {
          const sentence = `The service did not delete ${parcel.trackNo}: "${deletion.message}".`;
          results.reportError(parcel, 'failed', `${sentence} It stays on your list.`);
          isRefused = true;
        } else {
          const outcome = deletion?.kind === 'unknown' ? 'the service did not know it' : 'also at the service';
          await forget(parcel, `removed, ${outcome}`);
        }
      }
    }
    return isRefused ? exitCode.rejected : exitCode.done;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const failure = describeFailure(error);
    const numbers = remaining.map(({ trackNo }) => trackNo).join(', ');
    results.reportError(remaining, 'failed', `Not deleted and still on the list: ${numbers}. ${failure.message}`);
    return failure.exitCode;
  }
}

interface RemoveOptions extends FilterOptions, JsonOption {
  readonly courier?: string;
  readonly remote?: boolean;
  readonly all?: boolean;
}

/** Asks first, because a deletion at the service cannot be undone and a new registration costs credit. */
async function confirmRemoteRemoval(
  { context }: Session,
  found: readonly Parcel[],
  { yes }: Pick<RemoveOptions, 'yes'>,
): Promise<boolean> {
  if (yes === true || found.length === 0 || !canAsk(context)) return true;
  const what = found.length === 1 ? `${found[0]?.trackNo}` : `${found.length} parcels`;
  return await askYesNo(context, `Also delete ${what} at the service?`);
}

export async function runRemove(
  session: Session,
  options: RemoveOptions,
  numbers: readonly string[],
): Promise<ExitCode> {
  const { courier = null, filter } = options;
  const results = new Results(session, options);
  refuseBlank(numbers);
  // Without --remote, numbers are removed without a question, so --yes is refused.
  requireTargets(numbers, options.remote === true ? { ...options, yes: false } : options);
  const service = options.remote === true ? await openService(session) : null;
  await using core = await openCore(session, service, {
    named: filter === undefined ? namedParcels(numbers, courier) : null,
  });
  const chosen = await chooseParcels(session, core, results, {
    numbers,
    options,
    what: 'Remove',
    find: (parcels, number) => [oneParcelNamed(parcels, number, courier)],
    matching: { all: options.all },
  });
  const found = chosen?.parcels ?? [];
  const isAgreed = service === null || filter !== undefined || (await confirmRemoteRemoval(session, found, options));
  if (chosen === null || !isAgreed) {
    results.end(core);
    return exitCode.done;
  }
  const namedExit = chosen.areAllFound ? exitCode.done : exitCode.rejected;
  const forget = async (parcel: Parcel, outcome: string): Promise<void> => {
    await core.monitor.remove(parcel.id);
    results.add(parcel, 'removed', outcome);
  };
  if (service === null) for (const parcel of found) await forget(parcel, 'removed');
  const ended = service === null ? exitCode.done : await removeRemotely(session, service, found, forget, results);
  results.end(core);
  return worseExit(namedExit, ended);
}
