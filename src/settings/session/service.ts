import type { CallOrigin } from '../../polling/gate/call-rules.ts';
import { type GatedService, gatedService } from '../../polling/gate/gated-service.ts';
import { createTrackingService } from '../../service/client.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import { ApiKeyMissingError, describeFailure, UsageError } from '../errors.ts';
import { proxyInUse } from '../proxy.ts';
import { openGate } from './open-stores.ts';
import type { Session } from './session.ts';

/**
 * Opens the service for a command that needs it. Rejects with a `UsageError` if there is no base URL, and with an
 * `ApiKeyMissingError` if there is no key.
 */
export async function openService(session: Session): Promise<GatedService> {
  const [missing] = missingSettings(session, setUpAsks);
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

const setUpAsks = ' "parcel-monitor setup" asks for it.';

/** Returns what the service needs and is not set. @param more the end of each advice */
export function missingSettings(
  { configuration: { apiKey, baseUrl }, paths: { config } }: Pick<Session, 'configuration' | 'paths'>,
  more = '',
): readonly MissingSetting[] {
  const address = `Give --base-url or --profile, set PARCEL_MONITOR_BASE_URL, or put "baseUrl" in ${config}.`;
  const key = `Set PARCEL_MONITOR_API_KEY, or put "apiKeyFile" or "apiKeyCommand" in ${config}.`;
  const missing: readonly MissingSetting[] = [
    { name: 'service', what: 'No base URL is set.', advice: address + more },
    { name: 'API key', what: 'No API key is set.', advice: key + more },
  ];
  return missing.filter(({ name }) => (name === 'service' ? baseUrl === null : apiKey.kind === 'none'));
}

/**
 * Creates the service of a session, or returns null if base URL or key are not set. Rejects if the key is set but
 * cannot be fetched, and with a `UsageError` if the proxy cannot be used or the key must not be sent to the address. An
 * interrupt ends a request in progress. Reports only a command's long waits.
 */
export async function createService(session: Session, origin: CallOrigin): Promise<GatedService | null> {
  const { context, configuration } = session;
  const { baseUrl, header, operations, queryVersion, registerVersion, timeoutMs } = configuration;
  if (baseUrl === null) return null;
  // Without a key nothing is sent, so the numbers wait, as they do without any configuration.
  if (configuration.keyWithheld !== null && configuration.apiKey.kind !== 'none') {
    throw new UsageError(configuration.keyWithheld);
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
    const [{ advice, what } = { advice: '', what: '' }] = missingSettings(session, setUpAsks);
    const reason = `Saved as pending. ${what} ${advice} Then run "parcel-monitor refresh".`;
    return { service, reason, exitCode: exitCode.done };
  } catch (error) {
    const failure = describeFailure(error);
    return { service: null, reason: failure.message, exitCode: failure.exitCode };
  }
}
