import { constants, type Stats } from 'node:fs';
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
import { resolvePath } from '../store/file/file-place.ts';
import { OutputError } from '../system/standard-streams.ts';

export interface LeftNumber {
  readonly why: string;
  readonly fields: GivenFields;
}

function cellOf({ tags = [], ...texts }: GivenFields, column: ImportColumn): string {
  if (column !== 'tags') return texts[column] ?? '';
  return tags.length === 0 ? '' : stringify([[...tags]], { eof: false });
}

/** Contains private data. `import` can read the table. */
export function leftTable(left: readonly LeftNumber[]): string {
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
 * Readable by the user only (0600). A temporary file replaces the old one, so that it is complete or unchanged.
 * Throws an {@link OutputError}, or a `StoreError` where the file belongs to somebody else.
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

/** Throws like {@link writeOutputFile}, before anything is done that cannot be undone. */
async function checkOutputFile(path: string, paths: ProgramPaths): Promise<void> {
  await explained(path, async () => {
    // The temporary file is written to the same folder.
    await access(dirname(await targetOf(path, paths)), constants.W_OK);
  });
}

async function explained(path: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof StoreError || error instanceof OutputError) throw error;
    throw new OutputError(`${reasonOf(error, path)} Nothing was changed there.`, { cause: error });
  }
}

/** Follows links. */
async function targetOf(path: string, paths: ProgramPaths): Promise<string> {
  // A name that ends in a slash means a folder, even one that does not exist.
  if (path.endsWith('/')) throw new OutputError({ what: `${path} is a folder.`, advice: 'Name a file in it.' });
  const old = await nullIfMissing(stat(path));
  if (old !== null) await refuseToReplace(path, old);
  const target = await resolvePath(path);
  if (await isOwn(target, paths)) {
    throw new OutputError({
      what: `${path} is where parcel-monitor keeps its own files.`,
      advice: 'Name a file elsewhere.',
    });
  }
  // The store creates its own folders; a missing folder of the user's is probably a typing error.
  if (old === null && (await nullIfMissing(stat(dirname(target)))) === null) {
    throw new OutputError({ what: `There is no folder ${dirname(target)}.`, advice: 'Make it, or name another file.' });
  }
  return target;
}

/** `target` is a path without links. */
async function isOwn(target: string, { data, state, ...files }: ProgramPaths): Promise<boolean> {
  const own = [data, state, files.watchlist, files.history, files.config, files.couriers];
  for (const place of own) {
    // The targets of our links are ours too.
    if (isWithin(await resolvePath(place), target)) return true;
  }
  return false;
}

function isWithin(place: string, path: string): boolean {
  const way = relative(place, path);
  // The path is absolute on another drive.
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function refuseToReplace(path: string, old: Stats): Promise<void> {
  if (old.isDirectory()) throw new OutputError({ what: `${path} is a folder.`, advice: 'Name a file in it.' });
  if (!old.isFile()) {
    throw new OutputError({
      what: `${path} is not a regular file and cannot be replaced.`,
      advice: 'Write to it with > instead.',
    });
  }
  // A rename needs only the folder's permissions, and would replace a read-only file.
  await access(path, constants.W_OK);
}

function reasonOf(error: unknown, path: string): string {
  const code = systemCode(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `No space is left to write ${path}. Free some, or name a file elsewhere.`;
    case 'EACCES':
    case 'EPERM':
      return `No permission to write ${path}. Check owner and mode of the file and its folder.`;
    case 'EROFS':
      return `${path} is on a read-only file system. Name a file elsewhere.`;
    case 'ENOTDIR':
      return `${path} cannot be written: what should be its folder is a file. Name another file.`;
    case 'ELOOP':
      return `${path} is a link that leads back to itself. Name another file.`;
    case 'ENAMETOOLONG':
      return `The name of ${path} is too long to be written safely. Choose a shorter one.`;
    default:
      return `${path} could not be written${systemWords(code)}. Check the disk, or name a file elsewhere.`;
  }
}

export function fieldsOfParcel(parcel: NewParcel): GivenFields {
  const { archivedAt, courierCode, label, merchant = {}, phoneSuffix, postalCode, tags = [], trackNo } = parcel;
  const given = {
    trackNo,
    courierCode,
    label,
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

/** Throws like {@link keepLeft}, before numbers are added: that costs, and cannot be undone. */
export async function checkLeftFile({ paths }: Session, path: string | undefined): Promise<void> {
  if (path !== undefined) await checkOutputFile(path, paths);
}

/** Throws a {@link UsageError} when the file to write is the file that was read. */
export async function refuseToReplaceSource(source: string, left: string | undefined): Promise<void> {
  if (source === '-' || left === undefined || (await resolvePath(source)) !== (await resolvePath(left))) return;
  throw new UsageError(`--left would replace ${left}, from which the numbers come: name another file.`);
}

/** Readable by the user only. Writes no file when nothing was left. Throws like {@link writeOutputFile}. */
export async function keepLeft({ context, paths }: Session, path: string, left: readonly LeftNumber[]): Promise<void> {
  if (left.length === 0) {
    say(context, `Nothing was left; ${path} was not written.`);
    return;
  }
  // Loaded only where it is needed.
  await writeOutputFile(path, leftTable(left), { random: context.random, paths });
  say(
    context,
    `${counted(left.length, 'number')} not added, with the reasons, in ${path}. Correct them and try again: parcel-monitor import ${shellWord(path)}`,
  );
}
