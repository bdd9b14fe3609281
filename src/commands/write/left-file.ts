import { counted } from '../../board/text/counted.ts';
import type { GivenFields } from '../../watchlist/columns/column-names.ts';
import { resolvePath } from '../../watchlist/files/resolve-path.ts';
import { shellWord } from '../../watchlist/files/shell-word.ts';
import type { NewParcel } from '../../watchlist/model/parcel-factory.ts';
import { checkOutputFile, writeOutputFile } from '../export/output-file.ts';
import { formatInstant } from '../output/parcel-json.ts';
import { UsageError } from '../session/errors.ts';
import { type Session, say } from '../session/session.ts';
import type { LeftNumber } from './left-table.ts';

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
  const { leftTable } = await import('./left-table.ts');
  await writeOutputFile(path, leftTable(left), { random: context.random, paths });
  say(
    context,
    `${counted(left.length, 'number')} not added, with the reasons, in ${path}. Correct them and try again: parcel-monitor import ${shellWord(path)}`,
  );
}
