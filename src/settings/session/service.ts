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
  const { configuration, paths } = session;
  if (configuration.baseUrl === null) {
    throw new UsageError(
      `No base URL is set: run "parcel-monitor setup", give --base-url or --profile, set PARCEL_MONITOR_BASE_URL, or put "baseUrl" in ${paths.config}.`,
    );
  }
  if (configuration.apiKey.kind === 'none') {
    throw new ApiKeyMissingError(
      `No API key is set: run "parcel-monitor setup", set PARCEL_MONITOR_API_KEY, or put "apiKeyFile" or "apiKeyCommand" in ${paths.config}.`,
    );
  }
  const service = await session.service();
  // The base URL and its proxy have been checked above.
  if (service === null) throw new ApiKeyMissingError('No API key is set.');
  return service;
}

/**
 * Creates the service of a session, or returns null if base URL or key are not set. Rejects if the key is set but
 * cannot be fetched, and with a `UsageError` if the proxy cannot be used or the key must not be sent to the address. An
 * interrupt ends a request in progress. Reports only the long waits of a command.
 */
export async function createService(session: Session, origin: CallOrigin): Promise<GatedService | null> {
  const { context, configuration } = session;
  const { baseUrl, header, operations, queryVersion, registerVersion, timeoutMs } = configuration;
  if (baseUrl === null) return null;
  // Nothing is sent without a key, so the numbers wait, just as without any configuration.
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

/** The service, or why there is none and how a command that needs it ends. */
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
    return service === null ? { service, reason: notConfiguredText(session), exitCode: exitCode.done } : { service };
  } catch (error) {
    const failure = describeFailure(error);
    return { service: null, reason: failure.message, exitCode: failure.exitCode };
  }
}

function notConfiguredText({ configuration, paths }: Session): string {
  const missing =
    configuration.apiKey.kind === 'none' ? 'no API key (PARCEL_MONITOR_API_KEY)' : 'no base URL (--base-url)';
  return `Saved as pending: there is ${missing}; run "parcel-monitor setup", or put it in ${paths.config}, and run "parcel-monitor refresh".`;
}
