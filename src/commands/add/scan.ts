import { checkDigitWarning } from '../../board/input/add-input.ts';
import { canBeSelected, type JudgedRow, needsRegistration } from '../../board/scan/judge-rows.ts';
import { placeText, problemText } from '../../board/scan/row-words.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { printTable } from '../../lib/table.ts';
import { counted } from '../../lib/text.ts';
import type { AppliedAddition } from '../../polling/apply-additions.ts';
import { registrationCost } from '../../polling/gate/call-rules.ts';
import type { Scan } from '../../scan/found-number.ts';
import { UsageError } from '../../settings/errors.ts';
import { readBytes } from '../../settings/read-text.ts';
import { printJson, printNote } from '../../settings/session/output.ts';
import type { Session } from '../../settings/session/session.ts';
import { isDumbTerminal } from '../../system/environment.ts';
import { type ExitCode, exitCode, worseExit } from '../../system/exit.ts';
import { type AdditionOptions, addParcels, type CommonFields } from '../additions.ts';
import { type SkippedEntry, toSkippedEntry } from '../check-entries.ts';
import {
  assertNotSource,
  checkLeftFile,
  fieldsOfParcel,
  saveUnimported,
  type UnimportedNumber,
} from '../output-file.ts';
import { batchLimits, priceText } from '../register.ts';
import {
  type FoundRow,
  judgeScan,
  runPreview,
  type ScanReport,
  scanJson,
  scanSource,
  scanTable,
} from './scanned-numbers.ts';

export interface ScanCommandOptions extends AdditionOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly atMost?: string;
}

/** A limit is needed because the sender decides how many numbers a message contains, and each costs a registration. */
const defaultAtMost = 100;

/**
 * Finds the numbers in a file or in standard input (`-`). Adds the new numbers that were clearly recognised (`--yes`),
 * prints all numbers (`--dry-run`), or lets the user choose. Throws a {@link UsageError} if the user cannot choose
 * because there is no terminal.
 */
export async function runScan(
  session: Session,
  source: string,
  common: CommonFields,
  options: ScanCommandOptions,
): Promise<ExitCode> {
  await assertActionChosen(session, source, options);
  const atMost = readAtMost(options);
  await assertNotSource(source, options.left);
  await checkLeftFile(session, options.left);
  const scannedSource = await scanSource(session, source, options.yes === true && options.left !== undefined);
  if (scannedSource === null) return exitCode.interrupted;
  const { scan } = scannedSource;
  if (scan.numbers.length > 0 && isInteractive(options))
    return await runPreview(session, source, scannedSource, common);
  printProblems(session, scan);
  const rows = await judgeScan(session, scannedSource, common);
  const count = rows.filter((row) => row.isSelected && needsRegistration(row)).length;
  const report: ScanReport = { ...scannedSource, rows, cost: registrationCost(count, batchLimits(session)) };
  if (rows.length === 0) printNote(session.context, 'No tracking number found.');
  if (options.yes === true && count > atMost) return await rejectTooMany(session, report, atMost, options);
  const code = await (options.yes === true
    ? addScannedNumbers(session, report, options)
    : showScan(session, report, options));
  const hasLeftovers =
    scan.problems.some(({ isHint }) => isHint !== true) || scan.leftOut > 0 || doubtfulRows(rows).some(isMistyped);
  return worseExit(code, hasLeftovers ? exitCode.rejected : exitCode.done);
}

function readAtMost({ atMost, yes }: ScanCommandOptions): number {
  if (atMost === undefined) return defaultAtMost;
  if (yes !== true) throw new UsageError('--at-most requires --scan and --yes.');
  const max = /^\d{1,6}$/.test(atMost) ? Number(atMost) : 0;
  if (max > 0) return max;
  throw new UsageError(
    `"${cleanText(atMost)}" is not a valid limit. --at-most takes a number of registrations, such as 500.`,
  );
}

async function rejectTooMany(
  session: Session,
  report: ScanReport,
  atMost: number,
  { json, left }: ScanCommandOptions,
): Promise<ExitCode> {
  const { context } = session;
  const count = report.cost.registrations;
  printNote(
    context,
    `Nothing was added: ${counted(count, 'number')} would be registered, and the limit is ${atMost}. Check them with --dry-run, or add them with --at-most ${count}.`,
  );
  const rows = report.rows.map((row) => ({ ...row, isSelected: false }));
  if (json === true) await printScan(session, { ...report, rows });
  if (left !== undefined) {
    const selected = report.rows.filter(({ isSelected }) => isSelected).map((row) => toUnimported(row, 'Not added.'));
    await saveUnimported(session, left, [...skippedEntries(report.rows), ...selected, ...doubtfulNumbers(report.rows)]);
  }
  return exitCode.rejected;
}

/** Whether the text was probably meant as a tracking number but contains a mistake. */
const isMistyped = ({ courierCode, issue, evidence, trackNo }: JudgedRow): boolean =>
  issue === 'check-digit' ||
  checkDigitWarning(trackNo, courierCode) !== null ||
  (issue === 'unknown-form' && evidence === 'looks');

const isInteractive = ({ dryRun, yes }: ScanCommandOptions): boolean => dryRun !== true && yes !== true;

async function assertActionChosen({ context }: Session, source: string, options: ScanCommandOptions): Promise<void> {
  const { dryRun, json, left, yes } = options;
  if (dryRun === true && yes === true) throw new UsageError('Use either --dry-run or --yes, not both.');
  if (!isInteractive(options)) return;
  if (context.isNonInteractive === true || !context.stdout.isTerminal || isDumbTerminal(context.environment)) {
    // A missing file is reported first, because it is the more important error.
    if (source !== '-') await readBytes(context, source);
    throw new UsageError(
      'Selecting numbers requires an interactive terminal. Use --dry-run to list them, or --yes to add only new numbers that were clearly recognised.',
    );
  }
  if (json === true || left !== undefined) {
    throw new UsageError('--json and --left require --dry-run or --yes.');
  }
}

const maxListed = 5;

function printProblems({ context }: Session, { leftOut, problems }: Scan): void {
  for (const problem of problems.slice(0, maxListed)) printNote(context, problemText(problem));
  const more = problems.length - maxListed;
  if (more > 0) printNote(context, `${counted(more, 'more part')} could not be read.`);
  if (leftOut > 0) {
    printNote(
      context,
      `The text contains ${counted(leftOut, 'more number')} than can be listed. Split it, and scan the parts one by one.`,
    );
  }
}

const placeLabel = ({ places: [place], trackNo }: JudgedRow): string =>
  (place === undefined ? '' : placeText(place)) || trackNo;

const skippedEntries = (rows: readonly FoundRow[]): readonly SkippedEntry[] =>
  rows.flatMap((row): readonly SkippedEntry[] => {
    const { remark, state, newParcel } = row;
    if (state !== 'unknown-courier' || remark === null) return [];
    const entry = { place: placeLabel(row), fields: fieldsOfParcel(newParcel) };
    return [toSkippedEntry(entry, { reason: state, message: remark })];
  });

const doubtfulRows = (rows: readonly FoundRow[]): readonly FoundRow[] =>
  rows.filter(({ isSelected, state }) => !isSelected && canBeSelected(state));

const doubtText = ({ remark }: JudgedRow): string => remark ?? 'It does not look like a tracking number.';

const toUnimported = (row: FoundRow, why: string): UnimportedNumber => ({
  why: `${placeLabel(row)}: ${why}`,
  fields: fieldsOfParcel(row.newParcel),
});

const doubtfulNumbers = (rows: readonly FoundRow[]): readonly UnimportedNumber[] =>
  doubtfulRows(rows).map((row) => toUnimported(row, doubtText(row)));

async function addScannedNumbers(session: Session, report: ScanReport, options: ScanCommandOptions): Promise<ExitCode> {
  const { context } = session;
  const { rows } = report;
  const omittedRows = doubtfulRows(rows);
  for (const row of omittedRows.slice(0, maxListed)) {
    printNote(context, `Left out: ${row.trackNo} (${placeLabel(row)}). ${doubtText(row)}`);
  }
  const more = omittedRows.length - maxListed;
  if (more > 0) printNote(context, `Left out: ${more} more. Use --dry-run to list them, or --left FILE to save them.`);
  // Includes numbers that are already on the list, so that they are reported. They cost nothing.
  const chosenRows = rows.filter(({ isSelected, state }) => isSelected || state === 'watched');
  const results = new Map<JudgedRow, AppliedAddition>();
  const recordResults = (batch: readonly AppliedAddition[]): void => {
    for (const result of batch) {
      const row = chosenRows[result.index];
      if (row !== undefined) results.set(row, result);
    }
  };
  const additions = { parcels: chosenRows.map(({ newParcel }) => newParcel), skipped: skippedEntries(rows) };
  const resultOptions = options.json === true ? { onResults: recordResults } : {};
  const code = await addParcels(session, additions, {
    ...{ ...options, ...resultOptions },
    json: false,
    doubtful: doubtfulNumbers(rows),
  });
  if (options.json === true) await printScan(session, report, results);
  return code;
}

async function showScan(session: Session, report: ScanReport, { json, left }: ScanCommandOptions): Promise<ExitCode> {
  const { context } = session;
  const { cost, rows } = report;
  if (json === true) await printScan(session, report);
  else if (rows.length > 0) printTable(session, scanTable(report));
  const skipped = skippedEntries(rows);
  const selectedCount = rows.filter(({ isSelected }) => isSelected).length;
  const otherCount = rows.length - selectedCount;
  if (rows.length > 0) {
    const price = await priceText(session, cost);
    const rest = otherCount === 0 ? '' : `, ${otherCount} not`;
    printNote(context, `${counted(selectedCount, 'number')} would be added${price}${rest}; nothing was changed.`);
  }
  if (left !== undefined) {
    await saveUnimported(session, left, [...skipped, ...doubtfulNumbers(rows)]);
  }
  return skipped.length > 0 ? exitCode.rejected : exitCode.done;
}

async function printScan(
  { context, stores }: Session,
  report: ScanReport,
  results: ReadonlyMap<JudgedRow, AppliedAddition> = new Map(),
): Promise<void> {
  const { clock } = await stores('read');
  printJson(context, scanJson(report, results, clock.now()));
}
