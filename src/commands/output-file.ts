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

/** What stands in a cell; tags are a line of CSV of their own. */
function cellOf({ tags = [], ...texts }: GivenFields, column: ImportColumn): string {
  if (column !== 'tags') return texts[column] ?? '';
  return tags.length === 0 ? '' : stringify([[...tags]], { eof: false });
}

/**
 * A table of what was left that `import` reads: a row each, below a comment that says why. It has only the columns of which
 * something is known, or which are to be filled in: those are given empty. Holds what is private.
 */
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
 * Writes results into a file that the user named, for the user's eyes only (0600): beside it first, so that the file of
 * before is replaced by a complete one or not at all, and never where the program keeps its own. Where a link stands, its target is replaced. Rejects with an
 * {@link OutputError}, or a `StoreError` where the file belongs to somebody else; nothing is changed then.
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

/**
 * Rejects as {@link writeOutputFile} would, as far as that is known before anything is written: for what is done in between
 * cannot be taken back.
 */
async function checkOutputFile(path: string, paths: ProgramPaths): Promise<void> {
  await explained(path, async () => {
    // What is written stands beside it at first.
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

/** Where a file is written that the user named: where a link stands, at its target. */
async function targetOf(path: string, paths: ProgramPaths): Promise<string> {
  // A name that ends so means a folder, even where there is none yet.
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
  // The store makes its folders; a folder of the user's that is not there is rather a slip of the pen.
  if (old === null && (await nullIfMissing(stat(dirname(target)))) === null) {
    throw new OutputError({ what: `There is no folder ${dirname(target)}.`, advice: 'Make it, or name another file.' });
  }
  return target;
}

/**
 * Whether the program keeps its own files at a path without links: in the folders of the parcels and of what
 * survives a restart, or as a file elsewhere that is ours.
 */
async function isOwn(target: string, { data, state, ...files }: ProgramPaths): Promise<boolean> {
  const own = [data, state, files.watchlist, files.history, files.config, files.couriers];
  for (const place of own) {
    // What our links lead to is ours as well.
    if (isWithin(await resolvePath(place), target)) return true;
  }
  return false;
}

function isWithin(place: string, path: string): boolean {
  const way = relative(place, path);
  // Absolute on another drive.
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
  // A rename needs the rights of the folder only, and would replace what its owner made read-only.
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

/** What a number is added with, as it would be given again. */
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

/** Rejects as {@link keepLeft} where the file cannot be written, before anything is added: that costs, and is not taken back. */
export async function checkLeftFile({ paths }: Session, path: string | undefined): Promise<void> {
  if (path !== undefined) await checkOutputFile(path, paths);
}

/** Rejects with a {@link UsageError} where what is left would stand in place of what somebody else has written. */
export async function refuseToReplaceSource(source: string, left: string | undefined): Promise<void> {
  if (source === '-' || left === undefined || (await resolvePath(source)) !== (await resolvePath(left))) return;
  throw new UsageError(`--left would replace ${left}, from which the numbers come: name another file.`);
}

/**
 * Writes what was left into the file that the user named, for their eyes only, and says how to go on. Nothing is written
 * where nothing was left. Rejects as {@link writeOutputFile}.
 */
export async function keepLeft({ context, paths }: Session, path: string, left: readonly LeftNumber[]): Promise<void> {
  if (left.length === 0) {
    say(context, `Nothing was left; ${path} was not written.`);
    return;
  }
  // What writes tables is loaded by those who have something to write.
  await writeOutputFile(path, leftTable(left), { random: context.random, paths });
  say(
    context,
    `${counted(left.length, 'number')} not added, with the reasons, in ${path}. Correct them and try again: parcel-monitor import ${shellWord(path)}`,
  );
}
