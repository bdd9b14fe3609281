import type { HttpTrackingService } from '../service/client.ts';
import { noUsage, type Usage } from '../watchlist/usage.ts';
import type { UsageMeter } from '../watchlist/usage-meter.ts';

const oneCall: Partial<Usage> = { calls: 1 };

/**
 * The same service, whose calls are counted as far as no budget limits them. Registrations, queries and instant answers
 * are counted by who asks the keeper of the budget before they are sent. `onTrouble` is told when the meter fails; no call
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
  const counting =
    <Parameters extends readonly unknown[], Answer>(
      usage: Partial<Usage>,
      call: (...given: Parameters) => Promise<Answer>,
    ) =>
    async (...given: Parameters): Promise<Answer> => {
      await count(usage);
      return await call(...given);
    };
  return {
    ...service,
    couriers: counting(oneCall, service.couriers),
    delete: counting(oneCall, service.delete),
    edit: counting(oneCall, service.edit),
    changeCourier: counting(oneCall, service.changeCourier),
    retrack: counting(oneCall, service.retrack),
    async search(window, signal) {
      const answer = await service.search(window, signal);
      const calls = answer.calls ?? 1;
      await count({ calls, queries: calls, numbers: answer.records.length });
      return answer;
    },
  };
}
