import { isNotRegistered } from '../../service/client/rejections.ts';
import { RequestRefusedError } from '../../service/failures/errors.ts';
import type { AccountService } from '../../service/port.ts';
import type { Rejection, TrackKey } from '../../service/record/record.ts';
import { isSameNumber } from '../../service/text/same-number.ts';
import { sameCourier } from '../../watchlist/model/identity.ts';

/** What became of one number that was to be deleted at the service. */
export type Deletion =
  | { readonly kind: 'deleted' }
  /** The service does not hold the number, so nothing was left to delete. */
  | { readonly kind: 'unknown' }
  /** In the service's own words. */
  | { readonly kind: 'refused'; readonly message: string; readonly code: string | null };

/**
 * Deletes numbers at the service, at most the operation's batch limit in a call; answers for each what became of it, in
 * the order given. A call that is refused as a whole is made again number by number. Rejects with a `ServiceError`.
 */
export async function deleteAtService(
  service: Pick<AccountService, 'delete'>,
  keys: readonly TrackKey[],
  signal?: AbortSignal,
): Promise<readonly Deletion[]> {
  if (keys.length === 0) return [];
  try {
    const rejections = await service.delete(keys, signal);
    return keys.map((key) => deletionOf(rejections.find((rejection) => isAbout(rejection, key))));
  } catch (error) {
    if (!(error instanceof RequestRefusedError)) throw error;
    // The words of the service are part of the message.
    if (keys.length === 1) return [deletionOf({ message: error.message, code: error.code })];
    const deletions: Deletion[] = [];
    for (const key of keys) deletions.push(...(await deleteAtService(service, [key], signal)));
    return deletions;
  }
}

function isAbout({ trackNo, courierCode }: Rejection, key: TrackKey): boolean {
  const namesAnother = courierCode !== null && key.courierCode !== null && !sameCourier(courierCode, key.courierCode);
  return trackNo !== null && isSameNumber(trackNo, key.trackNo) && !namesAnother;
}

function deletionOf(rejection: Pick<Rejection, 'message' | 'code'> | undefined): Deletion {
  if (rejection === undefined) return { kind: 'deleted' };
  const { message, code } = rejection;
  return isNotRegistered(rejection) ? { kind: 'unknown' } : { kind: 'refused', message, code };
}
