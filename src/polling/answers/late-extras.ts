import { OperationMissingError, RequestRefusedError, type ServiceError } from '../../service/failures/errors.ts';
import type { AccountService } from '../../service/port.ts';
import { missingNeed } from '../../service/record/courier-needs.ts';
import { nameOfCourier } from '../../service/record/courier-words.ts';
import type { TrackingEdit } from '../../service/record/record.ts';
import type { ParcelChange } from '../../watchlist/model/change-parcels.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { completeExtras, editParcel } from '../../watchlist/model/parcel-factory.ts';
import { recordStage } from '../../watchlist/rules/parcel-stage.ts';
import { givenExtras } from '../account/account-actions.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import type { KnownExtras } from './answer-recorder.ts';

/** What sending extras late needs. */
export interface LateExtrasParts {
  readonly core: MonitorCore;
  readonly service: Pick<AccountService, 'edit'>;
  readonly knownExtras: KnownExtras;
  /** Aborted when what is under way is to end; a new one when checks go on. */
  readonly signal: () => AbortSignal;
  /** Called when a parcel has got its extras, and is due because of that. */
  readonly onSent: () => void;
}

/**
 * Watches what the service answers to this process. A courier that it has detected only after the registration may find
 * no parcel without an extra that the configuration has: then that is sent once with the update operation, which costs
 * one call, and the parcel keeps it. Answers how to stop. What is under way is counted by the core's busy counter.
 */
export function sendLateExtras({ core, service, knownExtras, signal, onSent }: LateExtrasParts): () => void {
  /** When a parcel that lacks an extra was answered last: one try an answer, however often the state changes. */
  const tried = new Map<string, string | null>();
  /** Parcels about which the service has said no, which it would say again. */
  const refused = new Set<string>();

  const send = async (parcel: Parcel, edit: TrackingEdit): Promise<void> => {
    try {
      await service.edit(edit, signal());
    } catch (error) {
      // The poller shows that the service fails; the next answer about the parcel is the next occasion.
      if (error instanceof RequestRefusedError || error instanceof OperationMissingError) {
        refused.add(parcel.id);
        core.notify(refusalOf(parcel, error));
      }
      return;
    }
    const complete: ParcelChange = (current) =>
      editParcel(current, { ...givenExtras(edit), knownToService: true }, core.clock.now());
    await core.changeTolerantly(new Map([[parcel.id, complete]]));
    onSent();
  };

  return core.state.subscribe(() => {
    // Only the process that has checked the parcel sends its extras: others see the same parcels.
    for (const id of core.state.get().checking) {
      const parcel = core.log.find(id);
      if (parcel === null || parcel.checkedAt === null) continue;
      if (tried.get(id) === parcel.checkedAt || refused.has(id)) continue;
      const edit = editFor(parcel, knownExtras);
      if (edit === null) continue;
      tried.set(id, parcel.checkedAt);
      void core.busy.during(() => send(parcel, edit));
    }
  });
}

/** What is to be sent about a parcel; null when its courier lacks nothing, or nothing that is known. */
function editFor(parcel: Parcel, knownExtras: KnownExtras): TrackingEdit | null {
  const { archivedAt, courierCode, extras, registration, trackNo } = parcel;
  if (courierCode === null || registration !== 'registered' || archivedAt !== null) return null;
  if (recordStage(parcel) !== 'no-record') return null;
  if (missingNeed(courierCode, extras) === null) return null;
  const complete = completeExtras(parcel, knownExtras(courierCode)).extras;
  if (missingNeed(courierCode, complete) !== null) return null;
  return { trackNo, courierCode, ...givenExtras(complete) };
}

function refusalOf({ courierCode, trackNo }: Parcel, { message }: ServiceError): string {
  return `${trackNo}: what the configuration gives for ${courierCode === null ? 'it' : nameOfCourier(courierCode)} was not taken by the service. ${message} Give it for the parcel with "parcel-monitor edit", or with p on the board.`;
}
