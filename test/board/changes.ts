import type { Change } from '../../src/parcels/change.ts';
import { ago } from './parcels.ts';

/** A change log entry about a parcel in transit, which happened and was noticed this long ago. */
export function aChange(seq: number, noticedAgo: number, fields: Partial<Change> = {}): Change {
  return {
    version: 1,
    seq,
    at: ago(noticedAgo),
    noticedAt: ago(noticedAgo),
    change: 'status',
    parcelId: `p${seq}`,
    trackNo: `NO${seq}`,
    courierCode: 'dhl',
    label: null,
    from: { stage: 'announced', status: 'INFO_RECEIVED', subStatus: null },
    to: { stage: 'in-transit', status: 'IN_TRANSIT', subStatus: null },
    message: 'In transit',
    ...fields,
  };
}

/** The part of a change that contains the parcel's new state. */
export const inStage = (stage: NonNullable<Change['to']>['stage'], status: string): Pick<Change, 'to'> => ({
  to: { ...(stage === undefined ? {} : { stage }), status, subStatus: null },
});
