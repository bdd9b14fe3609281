import { isUndetected, isUnknownCourier } from '../../service/client/rejections.ts';
import { nameOfCourier } from '../../service/record/courier-words.ts';
import type { Rejection } from '../../service/record/record.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** What was rejected. */
type Rejected = Pick<Parcel, 'courierCode' | 'trackNo'>;

/** Most couriers that a sentence offers. */
const mostOffered = 3;

/**
 * A rejection whose message says what to do, with the service's words behind that, where the courier is the cause; any other
 * one is left as it is.
 * @param commandWith the command that names a courier for the number; changing a watched parcel when left out
 */
export async function explainedRejection(
  rejection: Rejection,
  rejected: Rejected,
  commandWith?: (courierCode: string) => string,
): Promise<Rejection> {
  const cause = causeOf(rejection, rejected);
  if (cause === null) return rejection;
  const { courierCode, trackNo } = rejected;
  const likely = (await likelyCodes(trackNo)).filter((code) => code !== courierCode).slice(0, mostOffered);
  const [first = 'CODE'] = likely;
  const command = commandWith?.(first) ?? `parcel-monitor edit ${trackNo} --courier ${first}, or c on the board`;
  const which = courierCode === null ? 'one' : 'another';
  const offer = likely.length > 1 ? `${which} (likely: ${likely.join(', ')})` : which;
  const example = likely.length === 0 ? ':' : ', e.g.';
  const message = `${cause} Name ${offer}${example} ${command}; the service says "${rejection.message}".`;
  return { ...rejection, message };
}

/** What happened, as a sentence; null where the courier is not the cause. */
function causeOf(rejection: Rejection, { courierCode }: Rejected): string | null {
  if (isUnknownCourier(rejection) && courierCode !== null)
    return `The service does not know the courier "${courierCode}".`;
  if (!isUndetected(rejection)) return null;
  return courierCode === null
    ? 'The courier was not recognised.'
    : `The service does not take this number under the courier ${nameOfCourier(courierCode)}.`;
}

/** The formats of numbers are loaded for rejected ones only. */
async function likelyCodes(trackNo: string): Promise<readonly string[]> {
  try {
    const { likelyCouriers } = await import('../../watchlist/scan/likely-couriers.ts');
    return likelyCouriers(trackNo);
  } catch {
    // An update may have replaced the program's files. What else was registered in this call is paid for, and must be kept.
    return [];
  }
}
