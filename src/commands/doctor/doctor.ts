import { type Painter, plainPainter } from '../../board/text/paint.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { printableText } from '../../service/text/clean-text.ts';
import { StoreError } from '../../watchlist/errors.ts';
import type { Configuration, GlobalOptions } from '../configuration/configuration.ts';
import type { Check, CheckStatus, DoctorJson } from '../output/json-schemas.ts';
import type { CommandContext } from '../session/context.ts';
import { UsageError } from '../session/errors.ts';
import { createSession } from '../session/open-session.ts';
import { type Session, sessionPaths, styleOf } from '../session/session.ts';
import { openFileStores } from '../session/stores.ts';
import { checkConfiguration } from './configuration-checks.ts';
import { checkDatabase, type OpenedForChecks } from './database-checks.ts';
import { checkMemory } from './memory-checks.ts';
import { checkService } from './service-checks.ts';
import { checkStore } from './store-checks.ts';
import { checkTerminal } from './terminal-checks.ts';

/** Options of `doctor`. */
interface DoctorOptions {
  readonly json?: boolean;
  /** Send nothing. */
  readonly offline?: boolean;
}

/**
 * Looks at everything that the program needs and prints a line a check, with what to do below it. Ends with 0 when
 * nothing failed, 3 when the key did, 4 when the network did, else 1. Works whatever the configuration holds.
 */
export async function runDoctor(
  context: CommandContext,
  globalOptions: GlobalOptions,
  options: DoctorOptions,
): Promise<ExitCode> {
  const paths = sessionPaths(context, globalOptions);
  const style = styleOf(context, globalOptions);
  const { configuration, ...settings } = await checkConfiguration(context, globalOptions, paths);
  const opened = await openStoresOrNot({ context, paths, style, configuration });
  const { stores } = opened;
  const choice = configuration?.store;
  const service =
    configuration === null
      ? { checks: [], exitCode: exitCode.done }
      : await checkService(
          createSession({ context, configuration, paths, style, stores: async () => stores }),
          options.offline === true,
        );
  const findings = [
    ...checkTerminal(context, globalOptions),
    ...settings.checks,
    ...service.checks,
    ...(await checkMemory(context, paths, { configuration, stores })),
    ...(choice?.kind === 'database'
      ? await checkDatabase(choice, opened, context)
      : await checkStore(context, paths, stores.store)),
  ];
  await stores.close();
  const checks = findings.map(printable);
  const answer: DoctorJson = { version: 1, checks };
  context.stdout.write(
    options.json === true
      ? `${JSON.stringify(answer, null, 2)}\n`
      : checks.map((one) => lines(one, style.paint)).join(''),
  );
  const isFailed = checks.some(({ status }) => status === 'fail');
  if (!isFailed) return exitCode.done;
  return service.exitCode === exitCode.done ? exitCode.failed : service.exitCode;
}

/**
 * What the watchlist is kept in. Where that cannot be opened, files stand in for it, so that everything else can be looked at,
 * and `problem` says why.
 */
async function openStoresOrNot({
  configuration,
  ...parts
}: Pick<Session, 'context' | 'paths' | 'style'> & {
  readonly configuration: Configuration | null;
}): Promise<OpenedForChecks> {
  try {
    const stores =
      configuration === null ? openFileStores(parts) : await createSession({ ...parts, configuration }).stores('read');
    return { stores, problem: null };
  } catch (error) {
    if (!(error instanceof StoreError || error instanceof UsageError)) throw error;
    return { stores: openFileStores(parts), problem: error };
  }
}

/** Settings and names of files may hold anything. */
function printable({ name, status, found, advice }: Check): Check {
  return {
    name: printableText(name),
    status,
    found: printableText(found),
    advice: advice === null ? null : printableText(advice),
  };
}

const tones = { ok: 'done', warn: 'today', fail: 'attention' } as const satisfies Record<CheckStatus, string>;

/** A check as it is printed; `paint` gives the status its colour. */
export function lines({ name, status, found, advice }: Check, paint: Painter = plainPainter('symbols')): string {
  const head = `${paint({ text: status.padEnd(4), tone: tones[status], bold: status !== 'ok' })}  ${name.padEnd(13)}  ${found}\n`;
  // The command stands on a line of its own, to be copied.
  const below = advice === null ? [] : advice.split(/(?<=[.?)]) (?=Run: )/);
  return head + below.map((line) => `${' '.repeat(21)}${line}\n`).join('');
}
