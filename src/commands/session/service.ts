import { countedService } from '../../polling/gate/counted-service.ts';
import { restingService } from '../../polling/gate/resting-service.ts';
import { defaultPollingPolicy } from '../../polling/schedule/policy.ts';
import type { HttpTrackingService } from '../../service/client/client.ts';
import { fetchApiKey } from '../configuration/api-key.ts';
import { proxyInUse } from '../configuration/proxy.ts';
import { ApiKeyMissingError, UsageError } from './errors.ts';
import { politeService } from './polite-service.ts';
import { type Session, say } from './session.ts';
import { openMemory, openMeter } from './stores.ts';

/** Tells that a call waits, in milliseconds, because the service had too many. */
export type TellWait = (waitMs: number) => void;

/**
 * Opens the service. Rejects with a `UsageError` when there is no base URL, and with an `ApiKeyMissingError` when
 * there is no key. Standard error tells of long waits, unless `tellWait` does.
 */
export async function openService(session: Session, tellWait?: TellWait): Promise<HttpTrackingService> {
  const { configuration, paths } = session;
  if (configuration.baseUrl === null) {
    throw new UsageError(
      `No base URL is set: give --base-url or --profile, set PARCEL_MONITOR_BASE_URL, or put "baseUrl" in ${paths.config}.`,
    );
  }
  if (configuration.apiKey.kind === 'none') {
    throw new ApiKeyMissingError(
      `No API key is set: set PARCEL_MONITOR_API_KEY, or put "apiKey" or "apiKeyCommand" in ${paths.config}.`,
    );
  }
  const service = await openServiceIfConfigured(session, tellWait);
  // Both settings that decide about null have been looked at above.
  if (service === null) throw new ApiKeyMissingError('No API key is set.');
  return service;
}

/**
 * Opens the service; null when base URL or key are not set. Rejects when the key is set but cannot be had, and with a
 * `UsageError` when the proxy cannot be used. Interrupting the program ends a call under way.
 */
export async function openServiceIfConfigured(
  session: Session,
  tellWait: TellWait = (waitMs) => sayWait(session, waitMs),
): Promise<HttpTrackingService | null> {
  const { context, configuration } = session;
  const { baseUrl, header, operations, queryVersion, registerVersion, timeoutMs } = configuration;
  if (baseUrl === null) return null;
  const proxy = proxyInUse(configuration.proxy);
  const apiKey = await fetchApiKey(configuration.apiKey, context.runProgram);
  if (apiKey === null) return null;
  // The HTTP client is the heaviest part below the screen; commands that only read files start without it.
  const { createTrackingService } = await import('../../service/client/client.ts');
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
  });
  const { clock, random, signal } = context;
  if (signal.aborted) await service.close();
  else signal.addEventListener('abort', () => void service.close(), { once: true });
  // A meter that cannot be written is told by the core, which writes it too; the screen may be the board's here.
  const counted = countedService(service, openMeter(session), () => undefined);
  const policy = defaultPollingPolicy;
  const resting = restingService(counted, { clock, random, memory: openMemory(session), policy });
  // Outermost, so that all rest while one call waits, and its second try is counted.
  return politeService(resting, { clock, signal, onLongWait: tellWait });
}

function sayWait({ context }: Session, waitMs: number): void {
  say(context, `The service had too many calls; trying once more in ${Math.ceil(waitMs / 1_000)} s.`);
}
