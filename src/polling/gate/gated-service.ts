import type { HttpTrackingService } from '../../service/client.ts';
import type { InstantItem, InstantResponse } from '../../service/record.ts';
import { noUsage } from '../../store/usage.ts';
import type { CallGate, GateCall } from './call-gate.ts';
import type { CallOperation, CallOrigin } from './call-rules.ts';

export interface GatedService extends HttpTrackingService {
  readonly gate: CallGate;
  instant(
    item: InstantItem,
    signal?: AbortSignal,
    options?: Pick<GateCall<InstantResponse>, 'beyondBudget' | 'onAdmitted'> & {
      readonly origin?: CallOrigin;
    },
  ): Promise<InstantResponse>;
}

/**
 * Puts a service behind the gate, except for registrations and queries: the monitor sends those through the gate itself,
 * because the budget may cover only part of a batch.
 */
export function gatedService(service: HttpTrackingService, gate: CallGate, origin: CallOrigin): GatedService {
  const gated =
    <Given extends readonly unknown[], Answer>(
      operation: CallOperation,
      call: (...given: Given) => Promise<Answer>,
      signalOf: (...given: Given) => AbortSignal | undefined,
    ) =>
    (...given: Given): Promise<Answer> =>
      gate.call({ operation, origin, signal: signalOf(...given), send: () => call(...given) });
  return {
    ...service,
    gate,
    couriers: gated('couriers', service.couriers, (signal) => signal),
    edit: gated('edit', service.edit, (_edit, signal) => signal),
    changeCourier: gated('changeCourier', service.changeCourier, (_key, _code, signal) => signal),
    delete: gated('delete', service.delete, (_keys, signal) => signal),
    retrack: gated('retrack', service.retrack, (_keys, signal) => signal),
    instant: (item, signal, options = {}) =>
      gate.call({ origin, ...options, operation: 'instant', signal, send: () => service.instant(item, signal) }),
    search: (window, cursor, signal) =>
      gate.call({
        operation: 'search',
        origin,
        signal,
        send: () => service.search(window, cursor, signal),
        usageOf: ({ records }) => ({ ...noUsage, calls: 1, queries: 1, numbers: records.length }),
      }),
  };
}
