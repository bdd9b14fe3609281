import { courierCodeFromUrl } from '../board/courier-name.ts';
import { parseTags } from '../board/input/entered-text.ts';
import { cleanTextOrNull } from '../lib/clean-text.ts';
import { parseUserTime } from '../lib/date-time.ts';
import { isCourierCode } from '../lib/track-number.ts';
import type { ParcelMerchant } from '../parcels/parcel.ts';
import { checkExtra, type MerchantChange } from '../parcels/parcel-factory.ts';
import type { CourierNeed } from '../service/couriers.ts';
import { UsageError } from './errors.ts';

/**
 * Creates a reader for the option of an extra. The reader returns null for an empty text, which clears the extra, and
 * throws a {@link UsageError} that does not repeat the value.
 */
const extraReader =
  (kind: CourierNeed) =>
  (text: string): string | null => {
    const check = checkExtra(kind, text);
    if (!check.ok) throw new UsageError(check.message);
    return check.value;
  };

export const readPostalCode = extraReader('postal-code');
export const readPhoneSuffix = extraReader('phone-suffix');

/**
 * Reads `--tag` and `--untag`. Both can be repeated and contain several tags, as on the board. Returns each tag once.
 * Throws a {@link UsageError} for an empty tag, or for a tag with the `-` that removes it on the board.
 */
export function readTags(texts: readonly string[]): readonly string[] {
  const tags = texts.flatMap((text) => {
    const parsed = parseTags(text);
    if (parsed.length === 0) throw new UsageError('A tag must not be empty; write it like --tag gift.');
    return parsed;
  });
  const removal = tags.find(({ isRemoved }) => isRemoved);
  if (removal !== undefined) {
    const { name } = removal;
    throw new UsageError(
      `"-${name}" is not a tag name here. "edit --untag" removes the tag ${name}; put a tag that begins with "-" in quotes: '"-${name}"'.`,
    );
  }
  return [...new Set(tags.map(({ name }) => name))];
}

/**
 * Reads a courier code or the address of the courier's page. Returns the code in the service's spelling, or null for an
 * empty text, which clears the courier.
 */
export function readCourierCode(text: string): string | null {
  const code = courierCodeFromUrl(text) ?? text.normalize('NFKC').trim().toLowerCase();
  if (code === '') return null;
  if (!isCourierCode(code)) {
    throw new UsageError(
      `"${cleanTextOrNull(text) ?? ''}" is not a courier code; "parcel-monitor couriers" lists them.`,
    );
  }
  return code;
}

/** A merchant's data about a parcel. Each field has an option of `add` and `edit`, and a reader for that option. */
const fields = {
  orderNo: { option: 'orderNo', read: cleanTextOrNull },
  country: { option: 'country', read: readCountry },
  shippedAt: { option: 'shipTime', read: readShipTime },
  customerEmail: { option: 'email', read: readEmail },
  remark: { option: 'remark', read: cleanTextOrNull },
  custom1: { option: 'custom1', read: cleanTextOrNull },
  custom2: { option: 'custom2', read: cleanTextOrNull },
} as const satisfies { readonly [Name in keyof ParcelMerchant]-?: MerchantField };

interface MerchantField {
  readonly option: string;
  /** Returns null for an empty string. A time without an offset is in `zone` (IANA). Throws a {@link UsageError}. */
  readonly read: (text: string, zone: () => string) => string | null;
}

export type MerchantOptions = { readonly [Option in (typeof fields)[keyof typeof fields]['option']]?: string };

/**
 * Reads the options. An empty one counts as absent. A shipping time without an offset is in `zone` (IANA). Throws a
 * {@link UsageError} that does not repeat an email address.
 */
export function readMerchant(options: MerchantOptions, zone: () => string): ParcelMerchant {
  return Object.fromEntries(Object.entries(readMerchantChange(options, zone)).filter(([, value]) => value !== null));
}

/** Reads the options for an existing parcel. An empty one removes its field. Throws like {@link readMerchant}. */
export function readMerchantChange(options: MerchantOptions, zone: () => string): MerchantChange {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { option, read }]) => {
      const text = options[option];
      return text === undefined ? [] : [[name, read(text, zone)]];
    }),
  );
}

function readCountry(text: string): string | null {
  const code = text.normalize('NFKC').trim().toUpperCase();
  if (code === '') return null;
  if (!/^[A-Z]{2}$/.test(code)) {
    throw new UsageError(`"${cleanTextOrNull(text) ?? ''}" is not a country code; use two letters, such as DE.`);
  }
  return code;
}

function readEmail(text: string): string | null {
  const address = text.trim();
  if (address === '') return null;
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > 254 || cleanTextOrNull(address) !== address) {
    throw new UsageError('The email address is not valid; write it like name@host.example.');
  }
  return address;
}

function readShipTime(text: string, zone: () => string): string | null {
  if (text.trim() === '') return null;
  const at = parseUserTime(text, zone);
  if (at === null) {
    throw new UsageError(
      `"${cleanTextOrNull(text) ?? ''}" is not a ship time; write it like "2026-11-20 14:30" on your clock, or 2026-11-20T14:30+01:00.`,
    );
  }
  return new Date(at).toISOString();
}
