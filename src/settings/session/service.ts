import { type GatedService, gatedService } from '../../polling/account.ts';
import type { CallOrigin } from '../../polling/gate/call-rules.ts';
import {
  exposureWarning,
  type ListenAddress,
  parseHostPort,
  UnusableListenAddressError,
} from '../../polling/webhook/callers.ts';
import type { WebhookProtection } from '../../polling/webhook/webhook-receiver.ts';
import { createTrackingService } from '../../service/client.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import type { Configuration } from '../configuration.ts';
import { ApiKeyMissingError, describeFailure, orUsageError, UsageError } from '../errors.ts';
import { proxyInUse } from '../service-address.ts';
import type { Core } from './core.ts';
import { openGate } from './open-stores.ts';
import { printNote } from './output.ts';
import type { Session } from './session.ts';

/**
 * Opens the service for a command that needs it. Rejects with a `UsageError` if there is no base URL, and with an
 * `ApiKeyMissingError` if there is no key.
 */
export async function openService(session: Session): Promise<GatedService> {
  const [missing] = missingSettings(session, setupHint);
  if (missing !== undefined) throw new (missing.name === 'service' ? UsageError : ApiKeyMissingError)(missing);
  const service = await session.service();
  if (service === null) throw new TypeError('A service with an address and a key was not created.');
  return service;
}

interface MissingSetting {
  readonly name: 'API key' | 'service';
  readonly what: string;
  readonly advice: string;
}

const setupHint = ' "parcel-monitor setup" asks for it.';

/**
 * Returns the settings that the service needs and that are not set.
 * @param hint appended to each advice
 */
export function missingSettings(
  { configuration: { apiKey, baseUrl }, paths: { config } }: Pick<Session, 'configuration' | 'paths'>,
  hint = '',
): readonly MissingSetting[] {
  const address = `Give --base-url or --profile, set PARCEL_MONITOR_BASE_URL, or put "baseUrl" in ${config}.`;
  const key = `Set PARCEL_MONITOR_API_KEY, or put "apiKeyFile" or "apiKeyCommand" in ${config}.`;
  const missing: readonly MissingSetting[] = [
    { name: 'service', what: 'No base URL is set.', advice: address + hint },
    { name: 'API key', what: 'No API key is set.', advice: key + hint },
  ];
  return missing.filter(({ name }) => (name === 'service' ? baseUrl === null : apiKey.kind === 'none'));
}

/**
 * Creates the service of a session, or returns null if base URL or key are not set. Rejects if the key is set but
 * cannot be fetched, and with a `UsageError` if the proxy cannot be used or the key must not be sent to the address. An
 * interrupt ends a request in progress.
 */
export async function createService(session: Session, origin: CallOrigin): Promise<GatedService | null> {
  const { context, configuration } = session;
  const { baseUrl, header, operations, queryVersion, registerVersion, timeoutMs } = configuration;
  if (baseUrl === null) return null;
  // Without a key nothing is sent, so the numbers wait, as they do without any configuration.
  if (configuration.keyWithheldReason !== null && configuration.apiKey.kind !== 'none') {
    throw new UsageError(configuration.keyWithheldReason);
  }
  const proxy = proxyInUse(configuration.proxy);
  const apiKey = await session.apiKey();
  if (apiKey === null) return null;
  const service = createTrackingService({
    baseUrl,
    apiKey,
    header,
    clock: context.clock,
    timeoutMs,
    proxy,
    operations,
    queryVersion,
    registerVersion,
    userAgent: `parcel-monitor/${context.version}`,
    ...(context.onCall === undefined ? {} : { onCall: context.onCall }),
  });
  const { signal } = context;
  if (signal.aborted) await service.close();
  else signal.addEventListener('abort', () => void service.close(), { once: true });
  return gatedService(service, await openGate(session), origin);
}

/** The service, or why it is missing and how a command that needs it ends. */
export type Connection =
  | { readonly service: GatedService }
  | { readonly service: null; readonly reason: string; readonly exitCode: ExitCode };

/**
 * Returns the service for a command that also saves numbers without it. Never rejects: a missing key is a failure
 * value.
 */
export async function connect(session: Session): Promise<Connection> {
  try {
    const service = await session.service();
    if (service !== null) return { service };
    const [{ advice, what } = { advice: '', what: '' }] = missingSettings(session, setupHint);
    const reason = `Saved as pending. ${what} ${advice} Then run "parcel-monitor refresh".`;
    return { service, reason, exitCode: exitCode.done };
  } catch (error) {
    const failure = describeFailure(error);
    return { service: null, reason: failure.message, exitCode: failure.exitCode };
  }
}

/** Reads the value of `--webhook`. Throws a `UsageError`. */
export function parseWebhookAddress(text: string): ListenAddress {
  return orUsageError(UnusableListenAddressError, () => parseHostPort(text));
}

export type Webhook = Awaited<ReturnType<typeof openWebhook>>;

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
export async function openWebhook(session: Session, address: ListenAddress, core: Core) {
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
    // Printed when the screen is free. One error is enough.
    onFault: (error) => {
      if (faults.length === 0) faults.push(error);
    },
    onRefused: (reason, advice) => refused.add(reason, advice),
  });
  const warning = exposureWarning(receiver.address);
  if (warning !== null) monitor.notify(warning);
  return {
    // Hides the secret path from anyone who can see the screen.
    url: `http://${receiver.address}${configuration.webhookPath === null ? '' : '/(webhook.path)'}`,
    /** Waits for unfinished writes, and reports errors on our side during the run. */
    async close(): Promise<void> {
      await receiver.close();
      refused.close();
      for (const fault of faults.splice(0)) printNote(context, describeFailure(fault).message);
    },
  };
}
