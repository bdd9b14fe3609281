import { stat } from 'node:fs/promises';
import wrapAnsi from 'wrap-ansi';
import type { Check, CheckStatus, DoctorJson } from '../board/json-schemas.ts';
import { formatInstant } from '../board/parcel-json.ts';
import { printableText } from '../lib/clean-text.ts';
import { type Painter, plainPainter } from '../lib/paint.ts';
import { nullIfMissing, StoreError } from '../lib/store-errors.ts';
import { counted } from '../lib/text.ts';
import { openChannel } from '../notify/channels.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStage } from '../parcels/parcel-state.ts';
import type { CallReport } from '../service/transport.ts';
import { type ProgramPaths, programPaths } from '../settings/config-file.ts';
import type { Configuration, GlobalOptions } from '../settings/configuration.ts';
import { checkConfiguration, checkTerminal } from '../settings/doctor/configuration-checks.ts';
import { checkDatabase, type OpenedForChecks } from '../settings/doctor/database-checks.ts';
import { ok, setupCommand, warn } from '../settings/doctor/fix-hints.ts';
import { checkSavedState, checkService } from '../settings/doctor/service-checks.ts';
import { checkStore } from '../settings/doctor/store-checks.ts';
import { UsageError } from '../settings/errors.ts';
import { askYesNo, type CommandContext, canAsk } from '../settings/session/context.ts';
import { createSession } from '../settings/session/open-session.ts';
import { openFileStores } from '../settings/session/open-stores.ts';
import { callText, printJson, printNote, styleOf } from '../settings/session/output.ts';
import type { Session } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { writeOutputFile } from './output-file.ts';

interface DoctorOptions {
  readonly json?: boolean;
  readonly offline?: boolean;
  readonly verbose?: boolean;
  /** A file, `-`, or true for the default file. */
  readonly report?: string | true;
}

/**
 * Also works with a broken configuration. Returns 0 if no check failed, 3 for a problem with the key, 4 if the service
 * cannot be reached, and otherwise 1.
 */
export async function runDoctor(
  baseContext: CommandContext,
  globalOptions: GlobalOptions,
  options: DoctorOptions,
): Promise<ExitCode> {
  const calls: CallReport[] = [];
  const context: CommandContext = { ...baseContext, onCall: (call) => calls.push(call) };
  const paths = programPaths(context, globalOptions);
  const style = styleOf(context, globalOptions);
  const { configuration, ...settings } = await checkConfiguration(context, globalOptions, paths);
  const opened = await openStoresForChecks({ context, paths, style, configuration });
  const { stores } = opened;
  const choice = configuration?.store;
  const session =
    configuration === null ? null : createSession({ context, configuration, paths, style, stores: async () => stores });
  const service =
    session === null ? { checks: [], exitCode: exitCode.done } : await checkService(session, options.offline === true);
  const findings = [
    ...checkTerminal(context, globalOptions),
    ...settings.checks,
    ...service.checks,
    ...(session === null ? [] : await checkChannels(session)),
    ...(await checkSavedState(context, paths, { configuration, stores })),
    ...(choice?.kind === 'database'
      ? await checkDatabase(choice, opened, context, configuration?.storeSource.foreignWriter?.command ?? setupCommand)
      : await checkStore(context, paths, stores.store)),
  ];
  const checks = findings.map(toPrintable);
  const parcels = options.report === undefined ? [] : await readParcelsOrNone(opened);
  await stores.close();
  if (options.report !== undefined) await reportChecks(context, { calls, checks, parcels, paths }, options.report);
  else if (options.json === true) {
    printJson<DoctorJson>(context, { version: 1, checks });
  } else {
    const view = { isVerbose: options.verbose === true, width: context.stdout.columns, paint: style.paint };
    context.stdout.write(doctorText(checks, view));
  }
  if (!checks.some(({ status }) => status === 'fail')) return exitCode.done;
  return service.exitCode === exitCode.done ? exitCode.failed : service.exitCode;
}

/** Checks the settings of the channels without sending anything. */
async function checkChannels(session: Session): Promise<readonly Check[]> {
  const { configuration, context } = session;
  const channelContext = { terminal: null, output: null, signal: context.signal };
  const checks = configuration.notify.channels.map(async (name): Promise<readonly Check[]> => {
    const channel = openChannel(session, name, channelContext);
    if (channel.check === undefined) return [];
    const problem = await channel.check();
    return problem === null
      ? [ok('notify', `${name}: ${channel.mechanism}, not tested here`)]
      : [warn('notify', `${name}: ${problem}`, 'Then test it: parcel-monitor notify --test')];
  });
  return (await Promise.all(checks)).flat();
}

/** Returns no parcels if the list cannot be read, because a different check reports why. */
async function readParcelsOrNone({ stores }: OpenedForChecks): Promise<readonly Parcel[]> {
  try {
    return (await stores.store.read()).parcels;
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

/** Falls back to the files if the configured store cannot be opened, so that the other checks still run. */
async function openStoresForChecks({
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

/** Removes control characters, which settings and file names may contain. */
function toPrintable({ name, status, found, advice }: Check): Check {
  return {
    name: printableText(name),
    status,
    found: printableText(found),
    advice: advice === null ? null : printableText(advice),
  };
}

const tones = { ok: 'done', warn: 'today', fail: 'attention' } as const satisfies Record<CheckStatus, string>;

interface DoctorView {
  readonly isVerbose: boolean;
  /** In cells. Null means no limit. */
  readonly width: number | null;
  readonly paint?: Painter;
}

/** Checks that are always printed, even without `--verbose` and without a problem. */
const mainChecks: ReadonlySet<string> = new Set([
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

const severity: readonly CheckStatus[] = ['ok', 'warn', 'fail'];

/** Puts the worst problems last, next to the summary. */
export function doctorText(checks: readonly Check[], view: DoctorView): string {
  const visible = view.isVerbose
    ? checks
    : checks
        .filter(({ name, status }) => status !== 'ok' || mainChecks.has(name))
        .toSorted((left, right) => severity.indexOf(left.status) - severity.indexOf(right.status));
  return `${visible.map((check) => checkLines(check, view)).join('')}${summaryText(checks)}\n`;
}

function summaryText(checks: readonly Check[]): string {
  const relevant = checks.filter(({ name, status }) => name !== 'setting' || status !== 'ok');
  const { fail = [], warn = [] } = Object.groupBy(relevant, ({ status }) => status);
  const warnings = warn.length === 0 ? '' : `, ${counted(warn.length, 'warning')}`;
  if (fail.length > 0) return `${fail.length} of ${relevant.length} checks failed${warnings}.`;
  return warn.length === 0
    ? `All good (${relevant.length} checks).`
    : `No failures (${relevant.length} checks${warnings}).`;
}

const indentCells = 21;
const narrowIndentCells = 6;
const narrowBelowCells = 100;

function checkLines(
  { name, status, found, advice }: Check,
  { paint = plainPainter('symbols'), width }: DoctorView,
): string {
  const indent = width !== null && width < narrowBelowCells ? narrowIndentCells : indentCells;
  const [first = '', ...more] = wrapText(found, width, indentCells, indent);
  const head = `${paint({ text: status.padEnd(4), tone: tones[status], bold: status !== 'ok' })}  ${name.padEnd(13)}  ${first}`;
  // Commands get a line of their own, so that they are easy to copy.
  const parts = advice === null ? [] : advice.split(/(?<=[.?)]) (?=Run: )/);
  const below = parts.flatMap((part) => (part.startsWith('Run: ') ? [part] : wrapText(part, width, indent, indent)));
  return [head.trimEnd(), ...[...more, ...below].map((row) => ' '.repeat(indent) + row), ''].join('\n');
}

/** Breaks lines only between words, because a broken path cannot be copied. */
function wrapText(text: string, width: number | null, firstIndent: number, restIndent: number): readonly string[] {
  if (width === null) return [text];
  const indented = ' '.repeat(firstIndent - restIndent) + text;
  return wrapAnsi(indented, width - restIndent, { hard: false, trim: false })
    .split('\n')
    .map((row) => row.trim());
}

interface ReportParts {
  readonly checks: readonly Check[];
  readonly calls: readonly CallReport[];
  readonly parcels: readonly Parcel[];
  readonly paths: ProgramPaths;
}

const defaultReportFile = 'parcel-monitor-report.txt';

/**
 * Prints a report that users can attach to a bug report, and saves it to a file unless the file is `-`. At a terminal,
 * asks before saving. The report contains no key, number, label, postal code, phone number or home folder.
 */
async function reportChecks(context: CommandContext, parts: ReportParts, file: string | true): Promise<void> {
  const text = await reportText(context, parts);
  context.stdout.write(text);
  if (file === '-') return;
  const path = file === true ? defaultReportFile : file;
  if (canAsk(context) && !(await askYesNo(context, `Save this report to ${path}?`))) {
    printNote(context, 'The report was not saved.');
    return;
  }
  await writeOutputFile(path, text, { context, paths: parts.paths });
  printNote(context, `Saved the report to ${path}. Read it before you send it.`);
}

async function reportText(context: CommandContext, { calls, checks, parcels, paths }: ReportParts): Promise<string> {
  const { clock, homeDirectory, nodeVersion, platform, version } = context;
  const stageOf = (parcel: Parcel): string => (parcel.archivedAt === null ? parcelStage(parcel) : 'archived');
  const sections = {
    Program: [`parcel-monitor ${version}, Node ${nodeVersion}, ${platform}`],
    Checks: checks.map(
      ({ advice, found, name, status }) => `${status} ${name}: ${[found, advice ?? []].flat().join(' ')}`,
    ),
    Requests: calls.map(callText),
    Errors: errorLines(parcels),
    Parcels: Object.entries(Object.groupBy(parcels, stageOf)).map(([stage, found = []]) => `${stage}: ${found.length}`),
    Sizes: await sizeLines(paths),
  };
  const text = Object.entries(sections).map(([title, lines]) =>
    [`## ${title}`, ...(lines.length === 0 ? ['none'] : lines), ''].join('\n'),
  );
  const report = [`# parcel-monitor report of ${formatInstant(clock.now())}`, '', ...text].join('\n');
  return homeDirectory === null || homeDirectory.length < 2 ? report : report.replaceAll(homeDirectory, '~');
}

/** Leaves out the messages, because they may quote a number. */
function errorLines(parcels: readonly Parcel[]): readonly string[] {
  const errors = parcels.flatMap(({ error }) => error ?? []);
  const byKind = Object.entries(Object.groupBy(errors, ({ code, kind }) => [kind, code ?? []].flat().join(' ')));
  return byKind.map(([kind, found = []]) => {
    const traceIds = found.flatMap(({ traceId }) => traceId ?? []).slice(0, 3);
    return `${kind}: ${counted(found.length, 'parcel')}${traceIds.length === 0 ? '' : `, trace ID ${traceIds.join(', ')}`}`;
  });
}

async function sizeLines({ changes, config, couriers, watchlist }: ProgramPaths): Promise<readonly string[]> {
  const lines = Object.entries({ config, watchlist, changes, couriers }).map(async ([name, path]) => {
    const stats = await nullIfMissing(stat(path));
    return `${name}: ${stats === null ? 'no file' : `${stats.size} bytes`}`;
  });
  return await Promise.all(lines);
}
