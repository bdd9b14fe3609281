import type { Parcel } from '../model/parcel.ts';
import { recordStage } from './parcel-stage.ts';

/** Whether the service has told neither a status nor an event of a parcel. */
export const hasNoRecord = (parcel: Pick<Parcel, 'checkpointCount' | 'lastEvent' | 'record'>): boolean =>
  recordStage(parcel) === 'no-record' && parcel.checkpointCount === 0;
