import { type ExitCode, exitCode, worseExit } from '../../process/exit-code.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { oneParcelNamed } from '../input/find-parcel.ts';
import { openCore } from '../session/core.ts';
import { NotWatchedError } from '../session/errors.ts';
import { openService } from '../session/service.ts';
import { type Session, say } from '../session/session.ts';
import { forget } from './forget.ts';

/** Options of `remove`. */
export interface RemoveOptions {
  readonly courier?: string;
  readonly remote?: boolean;
}

/** Stops watching numbers and forgets their history; with `--remote` they are deleted at the service first. */
export async function runRemove(
  session: Session,
  numbers: readonly string[],
  options: RemoveOptions,
): Promise<ExitCode> {
  const service = options.remote === true ? await openService(session) : null;
  const core = await openCore(session, service);
  try {
    const { parcels } = core.monitor.getState();
    // All names are settled before the first parcel goes, so that an ambiguous one removes nothing.
    const named = numbers.map((number) => findOrComplain(parcels, number, options.courier ?? null));
    const found = [...new Set(named.flatMap((one) => (typeof one === 'string' ? [] : [one])))];
    const complaints = named.filter((one) => typeof one === 'string');
    for (const complaint of complaints) say(session.context, complaint);
    const complaintExit = complaints.length > 0 ? exitCode.rejected : exitCode.done;
    if (service === null) {
      for (const parcel of found) await forget(session, core.monitor, parcel, 'removed');
      return complaintExit;
    }
    const { removeRemotely } = await import('./remove-remotely.ts');
    return worseExit(complaintExit, await removeRemotely(session, core.monitor, service, found));
  } finally {
    await core.close();
  }
}

function findOrComplain(parcels: readonly Parcel[], number: string, courier: string | null): Parcel | string {
  try {
    return oneParcelNamed(parcels, number, courier);
  } catch (error) {
    if (error instanceof NotWatchedError) return error.message;
    throw error;
  }
}
