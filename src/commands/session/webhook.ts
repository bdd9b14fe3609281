import type { Monitor } from '../../polling/core/state.ts';
import { type ListenAddress, parseHostPort, UnusableListenAddressError } from '../../polling/pushes/listen-address.ts';
import { orUsageError } from './errors.ts';
import { describeFailure } from './failure.ts';
import { type Session, say } from './session.ts';

/** Reads the value of `--webhook`. Throws a `UsageError`. */
export function webhookAddress(text: string): ListenAddress {
  return orUsageError(UnusableListenAddressError, () => parseHostPort(text));
}

/** A running webhook receiver as a command holds it. */
export interface Webhook {
  /** Where it listens, as a URL. */
  readonly url: string;
  /** Waits for what is being stored, and reports the faults of ours that it met. */
  close(): Promise<void>;
}

/** Listens for what the service pushes, for a loaded monitor and a session with a key. Rejects with a `WebhookListenError`. */
export async function openWebhook(session: Session, address: ListenAddress, monitor: Monitor): Promise<Webhook> {
  const { context, configuration } = session;
  const apiKey = await session.apiKey();
  if (apiKey === null) throw new TypeError('What is pushed is signed with the key, and there is none.');
  // The HTTP server is loaded only when it is wanted.
  const { startWebhookReceiver } = await import('../../polling/pushes/webhook-receiver.ts');
  const { RefusedCallbacks } = await import('../../polling/pushes/refused-callbacks.ts');
  const refused = new RefusedCallbacks(context.clock, (notice, before) => monitor.notify(notice, before));
  const faults: unknown[] = [];
  const receiver = await startWebhookReceiver({
    ...address,
    apiKey,
    clock: context.clock,
    maxAgeMs: configuration.webhookMaxAgeMs,
    monitor,
    // Kept until the screen is free; one says as much as many.
    onFault: (error) => {
      if (faults.length === 0) faults.push(error);
    },
    onRefused: (reason, advice) => refused.add(reason, advice),
  });
  return {
    url: `http://${receiver.address}`,
    async close() {
      await receiver.close();
      refused.close();
      for (const fault of faults.splice(0)) say(context, describeFailure(fault).message);
    },
  };
}
