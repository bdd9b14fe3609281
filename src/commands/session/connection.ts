import type { GatedService } from '../../polling/gate/gated-service.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { describeFailure } from './failure.ts';
import { openServiceIfConfigured } from './service.ts';
import type { Session } from './session.ts';

/** The service, or why there is none, and how a command ends that needs it. */
export type Connection =
  | { readonly service: GatedService }
  | { readonly service: null; readonly reason: string; readonly exitCode: ExitCode };

/** The connection of one run of a command: made when it is first needed, and once, since a key may cost a passphrase. */
export interface SharedConnection {
  /** Never rejects. Without a key numbers are saved all the same; a key that is set but cannot be had is a failure. */
  open(): Promise<Connection>;
  /** Ends the connection where one was made; what has closed it already does no harm. */
  close(): Promise<void>;
}

/** Makes the connection of a command. */
export function shareConnection(session: Session): SharedConnection {
  let opened: Promise<Connection> | null = null;
  return {
    open() {
      opened ??= connect(session);
      return opened;
    },
    async close() {
      await (await opened)?.service?.close();
    },
  };
}

async function connect(session: Session): Promise<Connection> {
  try {
    const service = await openServiceIfConfigured(session);
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
