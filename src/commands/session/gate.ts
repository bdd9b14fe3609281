import { CallGate } from '../../polling/gate/call-gate.ts';
import type { StorePurpose } from './opened-stores.ts';
import { type Session, say } from './session.ts';

/** Opens what every call of the process passes. Standard error reports long waits of a command. Rejects as `Session.stores`. */
export async function openGate(session: Session, purpose?: StorePurpose): Promise<CallGate> {
  const { configuration, context } = session;
  const { random, signal } = context;
  const { clock, lease, memory, meter } = await session.stores(purpose);
  return new CallGate({
    clock,
    random,
    signal,
    memory,
    meter,
    budget: configuration.budget,
    lease,
    policy: { leastMs: configuration.leastMs },
    onLongWait: (waitMs) =>
      say(context, `The service had too many calls; trying once more in ${Math.ceil(waitMs / 1_000)} s.`),
  });
}
