import type { GatedService } from '../../polling/gate/gated-service.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { describeFailure } from './failure.ts';
import type { Session } from './session.ts';

/** The service, or why there is none, and how a command ends that needs it. */
export type Connection =
  | { readonly service: GatedService }
  | { readonly service: null; readonly reason: string; readonly exitCode: ExitCode };

/** The session's service for a command that saves numbers all the same. Never rejects: a key that cannot be had is a failure. */
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
  return `Saved as pending: there is ${missing}; set it, or put it in ${paths.config}, and run "parcel-monitor refresh".`;
}
