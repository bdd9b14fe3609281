import type { HttpTrackingService } from './client.ts';

/** Makes of a call another one, that takes and answers the same. */
export type WrapCall = <Parameters extends readonly unknown[], Answer>(
  call: (...given: Parameters) => Promise<Answer>,
) => (...given: Parameters) => Promise<Answer>;

/**
 * The same service with each call wrapped that no budget limits: Get Carriers and the operations on numbers that are
 * registered. Registrations, queries, pages of the account and instant answers stay as they are.
 */
export function wrapUnbudgetedCalls(service: HttpTrackingService, wrap: WrapCall): HttpTrackingService {
  return {
    ...service,
    couriers: wrap(service.couriers),
    delete: wrap(service.delete),
    edit: wrap(service.edit),
    changeCourier: wrap(service.changeCourier),
    retrack: wrap(service.retrack),
  };
}
