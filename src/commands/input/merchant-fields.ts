import { cleanTextOrNull } from '../../service/text/clean-text.ts';
import type { MerchantChange } from '../../watchlist/model/merchant-change.ts';
import type { ParcelMerchant } from '../../watchlist/model/parcel.ts';
import { UsageError } from '../session/errors.ts';
import { readGivenTime } from './given-time.ts';

/** What a merchant knows of a parcel (all fields of an item): the option of `add` and `edit` for it, and how that is read. */
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
  /** A time without an offset is on the clock of `zone` (IANA). Null for an empty text. Throws a {@link UsageError}. */
  readonly read: (text: string, zone: () => string) => string | null;
}

/** The options of `add` and `edit` for what a merchant knows. */
export type MerchantOptions = { readonly [Option in (typeof fields)[keyof typeof fields]['option']]?: string };

/**
 * Reads the options; what is empty counts as not given. A ship time without an offset is on the clock of `zone` (IANA).
 * Throws a {@link UsageError}, which does not repeat an e-mail address.
 */
export function readMerchant(options: MerchantOptions, zone: () => string): ParcelMerchant {
  return Object.fromEntries(Object.entries(readMerchantChange(options, zone)).filter(([, value]) => value !== null));
}

/** As {@link readMerchant}, for a parcel that is there: an option that is given empty takes its field away. */
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
    throw new UsageError(`"${cleanTextOrNull(text) ?? ''}" is not a country code; give its two letters, such as DE.`);
  }
  return code;
}

function readEmail(text: string): string | null {
  const address = text.trim();
  if (address === '') return null;
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > 254 || cleanTextOrNull(address) !== address) {
    throw new UsageError('That is not an e-mail address; one looks like name@host.example.');
  }
  return address;
}

function readShipTime(text: string, zone: () => string): string | null {
  if (text.trim() === '') return null;
  const at = readGivenTime(text, zone);
  if (at === null) {
    throw new UsageError(
      `"${cleanTextOrNull(text) ?? ''}" is not a ship time; write it like "2026-11-20 14:30" on your clock, or 2026-11-20T14:30+01:00.`,
    );
  }
  return new Date(at).toISOString();
}
