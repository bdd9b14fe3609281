import { courierName } from '../../board/status/view-stage.ts';
import { type ChangePath, createAccountActions, type ExtrasChange } from '../../polling/account/account-actions.ts';
import { merchantFields } from '../../polling/answers/registration-item.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { ServiceError } from '../../service/failures/errors.ts';
import { nameOfCourier } from '../../service/record/courier-words.ts';
import { sameCourier } from '../../watchlist/model/identity.ts';
import type { MerchantChange } from '../../watchlist/model/merchant-change.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ParcelEdit } from '../../watchlist/model/parcel-factory.ts';
import type { CommandContext } from '../session/context.ts';
import { describeFailure, withTraceId } from '../session/failure.ts';
import { say } from '../session/session.ts';
import type { EditPlaces } from './register.ts';

/** An edit that was read, in the parts in which it is made: an absent field stays as it is. */
export interface GivenEdit {
  readonly courierCode?: string | null;
  readonly extras: ExtrasChange;
  /** What the service never hears of. */
  readonly own: Pick<ParcelEdit, 'label' | 'addTags' | 'removeTags'>;
  readonly merchant: MerchantChange;
  /** Whether something is edited that decides whether the service finds the parcel. */
  readonly concernsService: boolean;
  readonly isMerchantEdited: boolean;
  readonly archive: boolean;
  readonly restore: boolean;
}

/**
 * Makes an edit, at the service first; answers in words what the service took. Standard error says why it did not take
 * a change. Rejects with a `ServiceError` when the service fails; then the rest of the edit has not been made.
 */
export async function applyEdit(
  context: Pick<CommandContext, 'stderr'>,
  { monitor, connection, parcel: parcelNow }: EditPlaces,
  { courierCode, extras, own }: Pick<GivenEdit, 'courierCode' | 'extras' | 'own'>,
): Promise<readonly string[]> {
  const parcel = parcelNow();
  const reportRefusal = ({ message, traceId }: ServiceError): void => {
    say(context, withTraceId(`${parcel.trackNo} is registered again instead. ${message}`, traceId));
  };
  const actions = createAccountActions(monitor, connection.service, reportRefusal);
  const done: string[] = [];
  if (courierCode !== undefined) {
    const isAnother = courierCode !== null && !sameCourier(courierCode, parcel.courierCode);
    if (isAnother) done.push(...moveWords(await actions.changeCourier(parcel.id, courierCode), parcel, courierCode));
    else await monitor.edit(parcel.id, { courierCode });
  }
  if (Object.keys(extras).length > 0) done.push(...extrasWords[await actions.setExtras(parcel.id, extras)]);
  if (Object.keys(own).length > 0) await monitor.edit(parcel.id, own);
  return done;
}

function moveWords(path: ChangePath, parcel: Parcel, courierCode: string): readonly string[] {
  const name = nameOfCourier(courierCode);
  const again = `to be registered again under ${name} (the service keeps it under ${courierName(parcel) ?? 'none'}, too)`;
  return { changed: [`moved to ${name} at the service`], 'registered-again': [again], local: [] }[path];
}

const extrasWords: Readonly<Record<ChangePath, readonly string[]>> = {
  changed: ['the service has it'],
  'registered-again': ['goes to the service with a new registration'],
  local: [],
};

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
  { monitor, connection, parcel }: EditPlaces,
  change: MerchantChange,
): Promise<MerchantSent> {
  const sent = (word: string | null): MerchantSent => ({ words: word === null ? [] : [word], exitCode: exitCode.done });
  const { archivedAt, courierCode, registration, trackNo } = parcel();
  const keptHere = (reason: string, code: ExitCode): MerchantSent => {
    const sentence = `${trackNo}: the change is kept here, and the service does not have it. ${reason}`;
    say(context, `${sentence} To send it, run the command again.`);
    return { words: [], exitCode: code };
  };
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
    await connection.service.edit({ trackNo, courierCode, ...merchantFields(change, serviceClock) }, context.signal);
    return sent('the service has it');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const failure = describeFailure(error);
    return keptHere(failure.message, failure.exitCode);
  }
}
