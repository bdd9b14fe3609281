import type { Check, CheckStatus, DoctorJson } from '../board/json-schemas.ts';
import { cellWidth } from '../lib/cells.ts';
import { printableText } from '../lib/clean-text.ts';
import { type Painter, plainPainter } from '../lib/paint.ts';
import { StoreError } from '../lib/store-errors.ts';
import type { Configuration, GlobalOptions } from '../settings/configuration.ts';
import { checkConfiguration, checkTerminal } from '../settings/doctor/configuration-checks.ts';
import { checkDatabase, type OpenedForChecks } from '../settings/doctor/database-checks.ts';
import { setUp } from '../settings/doctor/fix-hints.ts';
import { checkMemory, checkService } from '../settings/doctor/service-checks.ts';
import { checkStore } from '../settings/doctor/store-checks.ts';
import { UsageError } from '../settings/errors.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { createSession } from '../settings/session/open-session.ts';
import { openFileStores } from '../settings/session/open-stores.ts';
import { type Session, sessionPaths, styleOf } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

interface DoctorOptions {
  readonly json?: boolean;
  /** Send nothing. */
  readonly offline?: boolean;
  /** Print every check and setting. */
  readonly verbose?: boolean;
}

/**
 * Looks at everything that the program needs and prints what is wrong or worth knowing, with what to do below it, after the
 * main facts; `verbose` prints a line a check. Ends with 0 when nothing failed, 3 when the key did, 4 when the network did,
 * else 1. Works whatever the configuration holds.
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
      ? await checkDatabase(choice, opened, context, configuration?.storeSource.foreignWriter?.command ?? setUp)
      : await checkStore(context, paths, stores.store)),
  ];
  await stores.close();
  const checks = findings.map(printable);
  const answer: DoctorJson = { version: 1, checks };
  context.stdout.write(
    options.json === true
      ? `${JSON.stringify(answer, null, 2)}\n`
      : doctorText(checks, { isVerbose: options.verbose === true, width: context.stdout.columns, paint: style.paint }),
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

/** Where the checks are printed, and which of them. */
interface DoctorView {
  /** All of them, in the order in which they were made. */
  readonly isVerbose: boolean;
  /** Cells of a line; null where nothing limits it. */
  readonly width: number | null;
  readonly paint?: Painter;
}

/** What says where one is, also when all is well. */
const mainFacts: ReadonlySet<string> = new Set([
  'program',
  'configuration',
  'service',
  'API key',
  'clock',
  'usage',
  'other boards',
  'store',
  'database',
  'account',
  'watchlist',
]);

const worth: readonly CheckStatus[] = ['ok', 'warn', 'fail'];

/** The checks in words: what is most wrong stands last, above the line that sums up. */
export function doctorText(checks: readonly Check[], view: DoctorView): string {
  const shown = view.isVerbose
    ? checks
    : checks
        .filter(({ name, status }) => status !== 'ok' || mainFacts.has(name))
        .toSorted((left, right) => worth.indexOf(left.status) - worth.indexOf(right.status));
  return `${shown.map((one) => lines(one, view)).join('')}${verdict(checks)}\n`;
}

/** Settings are listed, not checked. */
function verdict(checks: readonly Check[]): string {
  const counted = checks.filter(({ name, status }) => name !== 'setting' || status !== 'ok');
  const [failed = 0, warned = 0] = (['fail', 'warn'] as const).map(
    (wanted) => counted.filter(({ status }) => status === wanted).length,
  );
  const remarks = warned === 0 ? '' : `, ${warned} ${warned === 1 ? 'warns' : 'warn'}`;
  if (failed > 0) return `${failed} of ${counted.length} checks failed${remarks}.`;
  return warned === 0 ? `All good (${counted.length} checks).` : `Nothing failed (${counted.length} checks${remarks}).`;
}

/** Cells before the found text, and before what stands below it in a terminal that has no room for that. */
const textAt = 21;
const narrowTextAt = 6;
const narrowBelow = 100;

function lines({ name, status, found, advice }: Check, { paint = plainPainter('symbols'), width }: DoctorView): string {
  const indent = width !== null && width < narrowBelow ? narrowTextAt : textAt;
  const [first = '', ...more] = wrapped(found, width, textAt, indent);
  const head = `${paint({ text: status.padEnd(4), tone: tones[status], bold: status !== 'ok' })}  ${name.padEnd(13)}  ${first}`;
  // A command stands on a line of its own, to be copied.
  const parts = advice === null ? [] : advice.split(/(?<=[.?)]) (?=Run: )/);
  const below = parts.flatMap((part) => (part.startsWith('Run: ') ? [part] : wrapped(part, width, indent, indent)));
  return [head.trimEnd(), ...[...more, ...below].map((row) => ' '.repeat(indent) + row), ''].join('\n');
}

/** A text in rows of whole words: a path that is cut in two cannot be copied. The first row begins elsewhere than the others. */
function wrapped(text: string, width: number | null, firstAt: number, othersAt: number): readonly string[] {
  if (width === null) return [text];
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    const room = width - (rows.length === 0 ? firstAt : othersAt);
    const joined = row === '' ? word : `${row} ${word}`;
    // A word that is too long for any row gets one of its own; beside a first row that begins further right, the next one has more room.
    const isAlone = row === '' && (rows.length > 0 || firstAt === othersAt);
    if (isAlone || cellWidth(joined) <= room) row = joined;
    else {
      rows.push(row);
      row = word;
    }
  }
  return [...rows, row];
}
