import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { formatInstant } from '../board/parcel-json.ts';
import { cleanText } from '../lib/clean-text.ts';
import { systemText } from '../lib/error-text.ts';
import { guardFormula } from '../lib/escape.ts';
import { shellWord } from '../lib/paths.ts';
import { nullIfMissing, StoreError, systemCode } from '../lib/store-errors.ts';
import { counted } from '../lib/text.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import { type GivenFields, type ImportColumn, importColumns } from '../scan/text-table.ts';
import type { ProgramPaths } from '../settings/config-file.ts';
import { UsageError } from '../settings/errors.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { printNote } from '../settings/session/output.ts';
import type { Session } from '../settings/session/session.ts';
import { type FileText, writeFileAtomically } from '../store/file/atomic-write.ts';
import { resolvePath } from '../store/file/open-file.ts';
import { OutputError } from '../system/standard-streams.ts';

export interface UnimportedNumber {
  readonly why: string;
  readonly fields: GivenFields;
}

function cellText({ tags = [], ...texts }: GivenFields, column: ImportColumn): string {
  if (column !== 'tags') return texts[column] ?? '';
  return tags.length === 0 ? '' : stringify([[...tags]], { eof: false });
}

/** Contains private data. `import` can read the table back. */
export function unimportedTable(numbers: readonly UnimportedNumber[]): string {
  const columns = importColumns.filter(
    (name) => name === 'trackNo' || numbers.some(({ fields }) => fields[name] !== undefined),
  );
  const row = (cells: readonly string[]): string => stringify([cells.map(cleanText)], { eof: true });
  return [
    row(columns),
    ...numbers.map(
      ({ fields, why }) => `# ${cleanText(why)}\n${row(columns.map((name) => guardFormula(cellText(fields, name))))}`,
    ),
  ].join('');
}

/**
 * Only the user can read the file (0600). An existing file is replaced as a whole or not at all. Throws an
 * {@link OutputError}, or a `StoreError` if a different user owns the file.
 */
export async function writeOutputFile(
  path: string,
  text: FileText,
  { context, paths }: { readonly context: Pick<CommandContext, 'random'>; readonly paths: ProgramPaths },
): Promise<void> {
  await withWriteErrors(path, async () => {
    await writeFileAtomically(await resolveTarget(path, paths), text, context.random);
  });
}

async function withWriteErrors(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (error instanceof StoreError || error instanceof OutputError) throw error;
    const code = systemCode(error);
    const reason = reasons[code ?? ''] ?? `${path} could not be written${systemText(code)}. Check the disk.`;
    throw new OutputError(`${reason.replace('PATH', () => path)} Nothing was written.`, { cause: error });
  }
}

const noSpace = 'The disk is too full to write PATH. Free some space, or choose a different file.';
const noPermission =
  'You do not have permission to write to PATH. Check the owner and mode of the file and its folder.';
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: 'PATH is on a read-only file system. Choose a different file.',
  ENOTDIR: 'PATH cannot be written, because its folder is a file. Choose a different file.',
  ELOOP: 'PATH is a link that points back to itself. Choose a different file.',
  ENAMETOOLONG: 'The name of PATH is too long. Choose a shorter name.',
};

/** Follows links. */
async function resolveTarget(path: string, paths: ProgramPaths): Promise<string> {
  const folder = { what: `${path} is a folder.`, advice: 'Add the name of a file.' };
  // A path that ends with a slash means a folder, even if it does not exist.
  if (path.endsWith('/')) throw new OutputError(folder);
  const existing = await nullIfMissing(stat(path));
  if (existing?.isDirectory() === true) throw new OutputError(folder);
  if (existing?.isFile() === false) {
    const what = `${path} is not a regular file and cannot be replaced.`;
    throw new OutputError({ what, advice: 'Redirect the output to it with > instead.' });
  }
  // Renaming only requires permission for the folder, so it would replace a read-only file.
  if (existing !== null) await access(path, constants.W_OK);
  const target = await resolvePath(path);
  if (await isProgramFile(target, paths)) {
    const what = `parcel-monitor keeps its own files at ${path}.`;
    throw new OutputError({ what, advice: 'Choose a file somewhere else.' });
  }
  // A missing folder in a path that the user entered is probably a typo, so it is not created.
  if (existing === null && (await nullIfMissing(stat(dirname(target)))) === null) {
    const what = `There is no folder ${dirname(target)}.`;
    throw new OutputError({ what, advice: 'Create it, or choose a different file.' });
  }
  return target;
}

/** @param target a path without symbolic links; the program's own folders may be links */
async function isProgramFile(target: string, { data, state, ...files }: ProgramPaths): Promise<boolean> {
  for (const place of [data, state, files.watchlist, files.history, files.config, files.couriers]) {
    const path = relative(await resolvePath(place), target);
    // The path is absolute if it is on a different drive.
    if (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)) return true;
  }
  return false;
}

export function fieldsOfParcel(parcel: NewParcel): GivenFields {
  const { archivedAt, courierCode, label, merchant = {}, note, phoneSuffix, postalCode, tags = [], trackNo } = parcel;
  const fields = {
    trackNo,
    courierCode,
    label,
    note,
    tags: tags.length === 0 ? undefined : tags,
    postalCode,
    phoneSuffix,
    orderNo: merchant.orderNo,
    country: merchant.country,
    shipTime: merchant.shippedAt === undefined ? undefined : formatInstant(Date.parse(merchant.shippedAt)),
    email: merchant.customerEmail,
    remark: merchant.remark,
    custom1: merchant.custom1,
    custom2: merchant.custom2,
    archivedAt,
  } satisfies { readonly [Column in keyof GivenFields]: unknown };
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => (text ?? '') !== ''));
}

/** Throws like {@link saveUnimported}. Call it before adding numbers, because that costs credit and cannot be undone. */
export async function checkLeftFile({ paths }: Session, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  await withWriteErrors(path, async () => {
    // The temporary file is written to the same folder.
    await access(dirname(await resolveTarget(path, paths)), constants.W_OK);
  });
}

/** Throws a {@link UsageError} if `--left` names the file that the numbers come from. */
export async function assertNotSource(source: string, left: string | undefined): Promise<void> {
  if (source === '-' || left === undefined || (await resolvePath(source)) !== (await resolvePath(left))) return;
  throw new UsageError(`--left would overwrite ${left}, which contains the numbers. Choose a different file.`);
}

/** Writes no file if no numbers are left. Throws like {@link writeOutputFile}. */
export async function saveUnimported(
  session: Session,
  path: string,
  numbers: readonly UnimportedNumber[],
): Promise<void> {
  const { context } = session;
  if (numbers.length === 0) {
    printNote(context, `All numbers were added, so ${path} was not written.`);
    return;
  }
  await writeOutputFile(path, unimportedTable(numbers), session);
  const saved = `Saved to ${path}: ${counted(numbers.length, 'number')} that ${numbers.length === 1 ? 'was' : 'were'} not added, with the reasons.`;
  printNote(context, `${saved} Correct them and run: parcel-monitor import ${shellWord(path)}`);
}
