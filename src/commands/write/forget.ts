import type { Monitor } from '../../polling/core/state.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Session } from '../session/session.ts';

/** Takes a parcel off the watchlist and prints what became of it. */
export async function forget(
  { context }: Session,
  monitor: Pick<Monitor, 'remove'>,
  parcel: Parcel,
  outcome: string,
): Promise<void> {
  await monitor.remove(parcel.id);
  context.stdout.write(`${parcel.trackNo}  ${outcome}\n`);
}
