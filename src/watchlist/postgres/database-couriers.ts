import { isJsonObject } from '../../service/text/json.ts';
import type { SharedCouriers } from '../state/courier-directory.ts';
import { DatabaseDocument } from './database-document.ts';
import type { StatePlace } from './state-place.ts';

/** The list of couriers that the hosts of an account share, so that one of them asks the service for it. */
export function createDatabaseCouriers(place: StatePlace): SharedCouriers {
  const document = new DatabaseDocument<object>(place, 'couriers', (kept) => (isJsonObject(kept) ? kept : {}));
  return {
    read: () => document.read(),
    async write(kept) {
      if (place.database.readOnly === null) await document.update(() => kept);
    },
  };
}
