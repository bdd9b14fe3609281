import type { HttpTrackingService } from '../../service/client/client.ts';
import { type WrapCall, wrapUnbudgetedCalls } from '../../service/client/wrap-calls.ts';
import { noUsage, type Usage } from '../../watchlist/state/usage.ts';
import type { UsageMeter } from '../../watchlist/state/usage-meter.ts';

/**
 * The same service, whose calls are counted as far as no budget limits them. Registrations, queries, pages of the
 * account and instant answers are counted by who asks the keeper of the budget before they are sent. `onTrouble` is told when the meter fails; no call
 * fails because of it.
 */
export function countedService(
  service: HttpTrackingService,
  meter: UsageMeter,
  onTrouble: (error: unknown) => void,
): HttpTrackingService {
  const count = async (usage: Partial<Usage>): Promise<void> => {
    try {
      await meter.add(() => ({ ...noUsage, ...usage }));
    } catch (error) {
      onTrouble(error);
    }
  };
  const counting: WrapCall =
    (call) =>
    async (...given) => {
      await count({ calls: 1 });
      return await call(...given);
    };
  return wrapUnbudgetedCalls(service, counting);
}
