import { readEnteredText, type TextEntry, withoutComment } from '../board/input/entered-text.ts';
import { cleanText, cleanTextOrNull } from '../lib/clean-text.ts';
import { firstTable } from '../scan/text-table.ts';
import { MissingArgumentError, UsageError } from '../settings/errors.ts';
import {
  type MerchantOptions,
  readCourierCode,
  readMerchant,
  readPhoneSuffix,
  readPostalCode,
  readTags,
} from '../settings/parcel-fields.ts';
import { readEntered } from '../settings/read-text.ts';
import { printNote } from '../settings/session/output.ts';
import type { Session } from '../settings/session/session.ts';
import type { ExitCode } from '../system/exit.ts';
import type { ScanCommandOptions } from './add/scan.ts';
import { addParcels, type CommonFields } from './additions.ts';
import { checkCouriers, type ParcelEntry } from './check-entries.ts';
import { type CourierLookup, openCouriers } from './couriers.ts';
import { checkLeftFile, fieldsOfParcel } from './output-file.ts';
import { assertNotBlank } from './select-parcels.ts';

interface AddOptions extends MerchantOptions, ScanCommandOptions {
  readonly courier?: string;
  readonly label?: string;
  readonly tag?: readonly string[];
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
  readonly scan?: string;
}

/** Saves all numbers on the watchlist before it registers the first one, so that none of them is lost. */
export async function runAdd(session: Session, options: AddOptions, args: readonly string[]): Promise<ExitCode> {
  const optionLookup = await openCouriers(session, [options.courier]);
  const courier = options.courier === undefined ? {} : { courier: optionLookup.resolve(options.courier) };
  const common = readOptions(session, { ...options, ...courier });
  if (options.scan !== undefined) {
    if (options.instant === true) throw new UsageError('--instant requires numbers and does not work with --scan.');
    if (args.length > 0) throw new UsageError('Give either numbers or a text with --scan, not both.');
    if (common.label !== null) throw new UsageError('--label names a single parcel and does not work with --scan.');
    const { runScan } = await import('./add/scan.ts');
    return await runScan(session, options.scan, common, options);
  }
  if (options.dryRun === true) {
    throw new UsageError('--dry-run requires --scan. To preview a list of numbers, use "import --dry-run".');
  }
  if (options.atMost !== undefined) throw new UsageError('--at-most requires --scan and --yes.');
  if (args.length === 0) {
    throw new MissingArgumentError(
      'No numbers given. Give numbers, "-" to read them from standard input, or --scan FILE to find them in a file.',
    );
  }
  assertNotBlank(args);
  await checkLeftFile(session, options.left);
  const entries = await readEntries(session, args);
  if (entries.length === 0) printNote(session.context, 'No tracking number found.');
  if (common.label !== null && entries.length > 1) {
    throw new UsageError('--label names a single parcel. Add the numbers one by one, or leave out --label.');
  }
  const enteredCouriers = entries.map(({ input }) => (input.kind === 'ok' ? input.courierCode : null));
  const lookup = common.courierCode === null ? await openCouriers(session, enteredCouriers) : optionLookup;
  const parcelEntries = entries.map((entry) => readParcel(entry, common, lookup));
  return await addParcels(session, checkCouriers(parcelEntries, lookup), options);
}

function readOptions({ configuration }: Session, options: AddOptions): CommonFields {
  return {
    ...(options.tag === undefined ? {} : { tags: readTags(options.tag) }),
    merchant: readMerchant(options, configuration.zone),
    courierCode: readCourierCode(options.courier ?? ''),
    label: cleanTextOrNull(options.label ?? ''),
    postalCode: readPostalCode(options.postalCode ?? ''),
    phoneSuffix: readPhoneSuffix(options.phoneSuffix ?? ''),
  };
}

interface InputEntry extends TextEntry {
  /** Line of standard input, such as `line 3`. Null for an argument. */
  readonly place: string | null;
}

/** An `@courier` argument belongs to the number before it. `-` reads standard input. */
async function readEntries({ context }: Session, args: readonly string[]): Promise<readonly InputEntry[]> {
  const parseArgument = (text: string): readonly InputEntry[] =>
    readEnteredText(text).map((entry) => ({ ...entry, place: null }));
  const texts = joinCouriers(args);
  if (!texts.includes('-')) return texts.flatMap(parseArgument);
  if (context.stdinIsTerminal) printNote(context, 'Type or paste one number per line, then press Ctrl+D.');
  const content = await readEntered(context, '-');
  assertNoTable(content);
  const lines = readEnteredText(
    content
      .split(/\r\n|\r|\n/)
      .map(withoutComment)
      .join('\n'),
  ).map((entry): InputEntry => ({ ...entry, place: `line ${entry.line}` }));
  return texts.flatMap((text) => (text === '-' ? lines : parseArgument(text)));
}

/**
 * Throws a {@link UsageError} for a table whose first column is not the number. Otherwise order numbers or dates would
 * be added as tracking numbers.
 */
function assertNoTable(text: string): void {
  const table = firstTable(text);
  if (table === null || table.columns[0] === 'trackNo') return;
  throw new UsageError(
    'The first column of this table does not contain tracking numbers. Use "parcel-monitor import -" to read it.',
  );
}

function joinCouriers(args: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const arg of args) {
    const number = texts.at(-1);
    const isCourier = arg.startsWith('@') && number !== undefined && number !== '-';
    if (isCourier) texts[texts.length - 1] = `${number} ${arg}`;
    else texts.push(arg);
  }
  return texts;
}

/** Throws a `UsageError` for an argument with an invalid courier. An input line with one becomes a rejected entry. */
function readParcel({ input, place, text }: InputEntry, common: CommonFields, { resolve }: CourierLookup): ParcelEntry {
  const base = { place: place ?? `"${cleanText(text)}"`, fields: { trackNo: text } };
  if (input.kind === 'problem') return { ...base, reading: { reason: input.reason, message: input.message } };
  const { label, trackNo } = input;
  try {
    const courierCode = input.courierCode === null ? common.courierCode : readCourierCode(resolve(input.courierCode));
    const reading = { ...common, trackNo, courierCode, label: label ?? common.label };
    const isStrict = place === null || courierCode === common.courierCode;
    return { ...base, reading, fields: fieldsOfParcel(reading), isStrict };
  } catch (error) {
    if (place === null || !(error instanceof UsageError)) throw error;
    return { ...base, reading: { reason: 'courier', message: error.message } };
  }
}
