import type { Parcel } from '../watchlist/parcel.ts';
import { openCore } from './core.ts';
import { NotWatchedError } from './errors.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { oneParcelNamed } from './find-parcel.ts';
import { type Session, say } from './session.ts';

/** Options of `remove`. */
export interface RemoveOptions {
  readonly courier?: string;
  readonly remote?: boolean;
}

/** Stops watching numbers and forgets their history; they stay registered at the service. */
export async function runRemove(
  session: Session,
  numbers: readonly string[],
  options: RemoveOptions,
): Promise<ExitCode> {
  const { context } = session;
  if (options.remote === true) {
    say(
      context,
      'This version cannot delete at the service yet, so nothing was removed; without --remote the numbers leave the watchlist only.',
    );
    return exitCode.failed;
  }
  const core = await openCore(session, null);
  try {
    const { parcels } = core.monitor.getState();
    // All names are settled before the first parcel goes, so that an ambiguous one removes nothing.
    const named = numbers.map((number) => findOrComplain(parcels, number, options.courier ?? null));
    for (const parcel of new Set(named.flatMap((one) => (typeof one === 'string' ? [] : [one])))) {
      await core.monitor.remove(parcel.id);
      context.stdout.write(`${parcel.trackNo}  removed\n`);
    }
    const complaints = named.filter((one) => typeof one === 'string');
    for (const complaint of complaints) say(context, complaint);
    return complaints.length > 0 ? exitCode.rejected : exitCode.done;
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
