import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { formatInstant } from '../board/parcel-json.ts';
import { cleanText } from '../lib/clean-text.ts';
import type { Random } from '../lib/clock.ts';
import { guardFormula } from '../lib/csv-text.ts';
import { systemWords } from '../lib/error-text.ts';
import { shellWord } from '../lib/paths.ts';
import { nullIfMissing, StoreError, systemCode } from '../lib/store-errors.ts';
import { counted } from '../lib/text.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import { type GivenFields, type ImportColumn, importColumns } from '../scan/text-table.ts';
import type { ProgramPaths } from '../settings/config-file.ts';
import { UsageError } from '../settings/errors.ts';
import { type Session, say } from '../settings/session/session.ts';
import { type FileText, writeFileAtomically } from '../store/file/atomic-write.ts';
import { resolvePath } from '../store/file/open-file.ts';
import { OutputError } from '../system/standard-streams.ts';

export interface UnimportedNumber {
  readonly why: string;
  readonly fields: GivenFields;
}

function cellOf({ tags = [], ...texts }: GivenFields, column: ImportColumn): string {
  if (column !== 'tags') return texts[column] ?? '';
  return tags.length === 0 ? '' : stringify([[...tags]], { eof: false });
}

/** Contains private data. `import` can read the table. */
export function unimportedTable(left: readonly UnimportedNumber[]): string {
  const used = importColumns.filter(
    (name) => name === 'trackNo' || left.some(({ fields }) => fields[name] !== undefined),
  );
  const row = (cells: readonly string[]): string => stringify([cells.map(cleanText)], { eof: true });
  return [
    row(used),
    ...left.map(
      ({ fields, why }) => `# ${cleanText(why)}\n${row(used.map((name) => guardFormula(cellOf(fields, name))))}`,
    ),
  ].join('');
}

/**
 * Only the user can read the file (0600). It is replaced when complete, or not at all. Throws an {@link OutputError},
 * or a `StoreError` if another user owns the file.
 */
export async function writeOutputFile(
  path: string,
  text: FileText,
  { random, paths }: { readonly random: Random; readonly paths: ProgramPaths },
): Promise<void> {
  await explained(path, async () => {
    await writeFileAtomically(await targetOf(path, paths), text, random);
  });
}

async function explained(path: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof StoreError || error instanceof OutputError) throw error;
    const code = systemCode(error);
    const reason = reasons[code ?? ''] ?? `${path} could not be written${systemWords(code)}. Check the disk.`;
    throw new OutputError(`${reason.replace('PATH', () => path)} Nothing was changed there.`, { cause: error });
  }
}

const noSpace = 'The disk is too full to write PATH. Free some space, or choose another file.';
const noPermission =
  'You do not have permission to write to PATH. Check the owner and mode of the file and its folder.';
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: 'PATH is on a read-only file system. Choose another file.',
  ENOTDIR: 'PATH cannot be written, because its folder is a file. Choose another file.',
  ELOOP: 'PATH is a link that leads back to itself. Choose another file.',
  ENAMETOOLONG: 'The name of PATH is too long. Choose a shorter name.',
};

/** Follows links. */
async function targetOf(path: string, paths: ProgramPaths): Promise<string> {
  const folder = { what: `${path} is a folder.`, advice: 'Choose a file in it.' };
  // A name that ends with a slash means a folder, even one that does not exist.
  if (path.endsWith('/')) throw new OutputError(folder);
  const old = await nullIfMissing(stat(path));
  if (old?.isDirectory() === true) throw new OutputError(folder);
  if (old?.isFile() === false) {
    const what = `${path} is not a regular file and cannot be replaced.`;
    throw new OutputError({ what, advice: 'Write to it with > instead.' });
  }
  // A rename needs only the folder's permissions, and would replace a read-only file.
  if (old !== null) await access(path, constants.W_OK);
  const target = await resolvePath(path);
  if (await isOwn(target, paths)) {
    const what = `parcel-monitor keeps its own files at ${path}.`;
    throw new OutputError({ what, advice: 'Choose a file elsewhere.' });
  }
  // The store creates its own folders. A missing folder that the user named is probably a typing error.
  if (old === null && (await nullIfMissing(stat(dirname(target)))) === null) {
    const what = `There is no folder ${dirname(target)}.`;
    throw new OutputError({ what, advice: 'Create it, or choose another file.' });
  }
  return target;
}

/** Our own links also lead to our files. `target` is a path without links. */
async function isOwn(target: string, { data, state, ...files }: ProgramPaths): Promise<boolean> {
  for (const place of [data, state, files.watchlist, files.history, files.config, files.couriers]) {
    const path = relative(await resolvePath(place), target);
    // The path is absolute on another drive.
    if (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)) return true;
  }
  return false;
}

export function fieldsOfParcel(parcel: NewParcel): GivenFields {
  const { archivedAt, courierCode, label, merchant = {}, note, phoneSuffix, postalCode, tags = [], trackNo } = parcel;
  const given = {
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
  return Object.fromEntries(Object.entries(given).filter(([, text]) => (text ?? '') !== ''));
}

/** Throws like {@link saveUnimported}. Call it before numbers are added, which costs and cannot be undone. */
export async function checkLeftFile({ paths }: Session, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  await explained(path, async () => {
    // The temporary file is written to the same folder.
    await access(dirname(await targetOf(path, paths)), constants.W_OK);
  });
}

/** Throws a {@link UsageError} if the file to write is the file that was read. */
export async function assertNotSource(source: string, left: string | undefined): Promise<void> {
  if (source === '-' || left === undefined || (await resolvePath(source)) !== (await resolvePath(left))) return;
  throw new UsageError(`--left would overwrite ${left}, which contains the numbers. Choose another file.`);
}

/** Writes no file if there are no remaining numbers. Throws like {@link writeOutputFile}. */
export async function saveUnimported(
  { context, paths }: Session,
  path: string,
  left: readonly UnimportedNumber[],
): Promise<void> {
  if (left.length === 0) {
    say(context, `All numbers were added, so ${path} was not written.`);
    return;
  }
  await writeOutputFile(path, unimportedTable(left), { random: context.random, paths });
  const saved = `Saved to ${path}: ${counted(left.length, 'number')} that ${left.length === 1 ? 'was' : 'were'} not added, with reasons.`;
  say(context, `${saved} Correct them and run: parcel-monitor import ${shellWord(path)}`);
}
