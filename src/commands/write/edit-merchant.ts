import { sendMerchantChange } from '../../polling/account/merchant-at-service.ts';
import type { Monitor } from '../../polling/core/state.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { ServiceError } from '../../service/failures/errors.ts';
import type { MerchantChange } from '../../watchlist/model/merchant-change.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Connection } from '../session/connection.ts';
import type { CommandContext } from '../session/context.ts';
import { describeFailure } from '../session/failure.ts';
import { say } from '../session/session.ts';

/** Where texts of a merchant are sent. */
interface MerchantPlaces {
  readonly monitor: Pick<Monitor, 'getState'>;
  readonly connection: Connection;
}

/** What came of sending them. */
interface MerchantSent {
  /** What the service took, in words; none when nothing is to be said of it. */
  readonly words: readonly string[];
  readonly exitCode: ExitCode;
}

/**
 * Sends the service what has been changed here of what a merchant gave along with a parcel. Where it does not take it,
 * standard error says that it is kept here only, and why.
 */
export async function sendMerchantEdit(
  context: Pick<CommandContext, 'stderr' | 'signal'>,
  { monitor, connection }: MerchantPlaces,
  parcel: Parcel,
  change: MerchantChange,
): Promise<MerchantSent> {
  const sent = (word: string | null): MerchantSent => ({ words: word === null ? [] : [word], exitCode: exitCode.done });
  const keptHere = (reason: string, code: ExitCode): MerchantSent => {
    const sentence = `${parcel.trackNo}: the change is kept here, and the service does not have it. ${reason}`;
    say(context, `${sentence} To send it, run the command again.`);
    return { words: [], exitCode: code };
  };
  const { archivedAt, courierCode, registration, trackNo } = parcel;
  if (Object.keys(change).length === 0) return sent(null);
  if (registration !== 'registered')
    return sent(archivedAt === null ? 'goes to the service with the registration' : null);
  if (courierCode === null) return keptHere('It needs the courier for that, which is not known yet.', exitCode.done);
  if (connection.service === null) {
    const isNotSetUp = connection.exitCode === exitCode.done;
    return keptHere(isNotSetUp ? 'There is no API key or no base URL.' : connection.reason, connection.exitCode);
  }
  try {
    const { serviceClock } = monitor.getState();
    await sendMerchantChange(connection.service, { trackNo, courierCode }, change, {
      serviceClock,
      signal: context.signal,
    });
    return sent('the service has it');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const failure = describeFailure(error);
    return keptHere(failure.message, failure.exitCode);
  }
}
