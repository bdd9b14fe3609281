import type { ExitCode } from '../../process/exit-code.ts';
import { UnavailableError } from '../session/errors.ts';
import type { Session } from '../session/session.ts';

/** Copies a whole watchlist. */
export async function runStoreCopy(
  _session: Session,
  _target: string,
  _options: { readonly dryRun: boolean; readonly json: boolean },
): Promise<ExitCode> {
  throw new UnavailableError('This is not there yet.');
}
