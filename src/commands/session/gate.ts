import { CallGate } from '../../polling/gate/call-gate.ts';
import { type Session, say } from './session.ts';
import { openLease, openMemory, openMeter } from './stores.ts';

/** Opens what every call of the process passes. Standard error reports long waits of a command. */
export function openGate(session: Session): CallGate {
  const { configuration, context } = session;
  const { clock, random, signal } = context;
  return new CallGate({
    clock,
    random,
    signal,
    memory: openMemory(session),
    meter: openMeter(session),
    budget: configuration.budget,
    lease: openLease(session),
    onLongWait: (waitMs) =>
      say(context, `The service had too many calls; trying once more in ${Math.ceil(waitMs / 1_000)} s.`),
  });
}
