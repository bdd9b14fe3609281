import {
  type ListenAddress,
  openToOthers,
  parseHostPort,
  UnusableListenAddressError,
} from '../../polling/webhook/callers.ts';
import type { WebhookProtection } from '../../polling/webhook/webhook-receiver.ts';
import type { Configuration } from '../configuration.ts';
import { describeFailure, orUsageError, UsageError } from '../errors.ts';
import type { Core } from './core.ts';
import { printNote, type Session } from './session.ts';

/** Reads the value of `--webhook`. Throws a `UsageError`. */
export function webhookAddress(text: string): ListenAddress {
  return orUsageError(UnusableListenAddressError, () => parseHostPort(text));
}

/** A running webhook receiver, for commands. */
export interface Webhook {
  /** The address that it listens on, as a URL. */
  readonly url: string;
  /** Waits for unfinished writes, and reports errors on our side during the run. */
  close(): Promise<void>;
}

/** Returns how callbacks prove their origin. Throws a `UsageError` if anyone could send them. */
function webhookProtection({ webhookPath: path, webhookSignature: signature }: Configuration): WebhookProtection {
  if (signature !== 'none') return { signature, path };
  if (path !== null) return { signature, path };
  throw new UsageError({
    what: 'With webhook.signature "none" anyone who finds the port could change parcels.',
    advice:
      "Set webhook.path to a secret of at least 16 characters, and append it to the address in the service's portal.",
  });
}

/**
 * Listens for pushes from the service. Needs a loaded monitor and a session with a key. Rejects with a
 * `WebhookListenError`, and with a `UsageError` if nothing would prove that a push comes from the service.
 */
export async function openWebhook(session: Session, address: ListenAddress, core: Core): Promise<Webhook> {
  const { context, configuration } = session;
  const { gate, monitor, stores } = core;
  const protection = webhookProtection(configuration);
  const apiKey = await session.apiKey();
  if (apiKey === null) throw new TypeError('Callbacks are signed with the key, and no key is set.');
  // Loads the HTTP server only if it is needed.
  const { startWebhookReceiver } = await import('../../polling/webhook/webhook-receiver.ts');
  const { RefusedCallbacks } = await import('../../polling/webhook/push-recorder.ts');
  const refused = new RefusedCallbacks(context.clock, (notice, before) => monitor.notify(notice, before));
  const faults: unknown[] = [];
  const receiver = await startWebhookReceiver({
    ...address,
    apiKey,
    protection,
    serviceClock: () => monitor.getState().serviceClock,
    // The skew is measured against the clock that all users of the watchlist share.
    clock: stores.clock,
    skewMs: () => gate.memory.current.skewMs,
    maxAgeMs: configuration.webhookMaxAgeMs,
    monitor,
    // Kept until the screen is free. One error is enough.
    onFault: (error) => {
      if (faults.length === 0) faults.push(error);
    },
    onRefused: (reason, advice) => refused.add(reason, advice),
  });
  const warning = openToOthers(receiver.address);
  if (warning !== null) monitor.notify(warning);
  return {
    // Hides the secret path from anyone who can see the screen.
    url: `http://${receiver.address}${configuration.webhookPath === null ? '' : '/(webhook.path)'}`,
    async close() {
      await receiver.close();
      refused.close();
      for (const fault of faults.splice(0)) printNote(context, describeFailure(fault).message);
    },
  };
}
