import type { ExitCode } from '../../process/exit-code.ts';
import { UsageError } from '../session/errors.ts';
import type { Session } from '../session/session.ts';
import type { ImportOptions } from './import.ts';
import type { AccountImportOptions } from './import-account.ts';

/** Options of `import`, whatever it reads. */
interface ImportSourceOptions extends ImportOptions, AccountImportOptions {
  readonly fromAccount?: boolean;
}

/** Imports a file, or what the account holds. Rejects with a {@link UsageError} for both, for neither, and for what fits only one. */
export async function importSource(
  session: Session,
  file: string | undefined,
  options: ImportSourceOptions,
): Promise<ExitCode> {
  if (options.fromAccount === true) {
    if (file !== undefined) throw new UsageError('--from-account takes no file: it reads the account at the service.');
    const { runAccountImport } = await import('./import-account.ts');
    return await runAccountImport(session, options);
  }
  if (options.since !== undefined) throw new UsageError('--since goes with --from-account.');
  if (file === undefined) throw new UsageError('Name a file, "-" for standard input, or --from-account.');
  const { runImport } = await import('./import.ts');
  return await runImport(session, file, options);
}
