import { cleanTextOrNull } from '../../service/text/clean-text.ts';
import type { MerchantChange } from '../../watchlist/model/merchant-change.ts';
import type { ParcelMerchant } from '../../watchlist/model/parcel.ts';
import { UsageError } from '../session/errors.ts';
import { readGivenTime } from './given-time.ts';

/** Options of `add` and `edit` for what a merchant knows of a parcel (all fields of an item). */
export interface MerchantOptions {
  readonly orderNo?: string;
  readonly country?: string;
  readonly shipTime?: string;
  readonly email?: string;
  readonly remark?: string;
  readonly custom1?: string;
  readonly custom2?: string;
}

/**
 * Reads the options; what is empty counts as not given. A ship time without an offset is on the clock of `zone` (IANA).
 * Throws a {@link UsageError}, which does not repeat an e-mail address.
 */
export function readMerchant(options: MerchantOptions, zone: () => string): ParcelMerchant {
  return Object.fromEntries(Object.entries(readFields(options, zone)).filter(([, value]) => value !== null));
}

/** As {@link readMerchant}, for a parcel that is there: an option that is given empty takes its field away. */
export function readMerchantChange(options: MerchantOptions, zone: () => string): MerchantChange {
  const fields = Object.entries(readFields(options, zone)) as [keyof ParcelMerchant, string | null][];
  return Object.fromEntries(fields.filter(([name]) => options[optionNames[name]] !== undefined));
}

/** What each field is given by. */
const optionNames: Readonly<Record<keyof ParcelMerchant, keyof MerchantOptions>> = {
  orderNo: 'orderNo',
  country: 'country',
  shippedAt: 'shipTime',
  customerEmail: 'email',
  remark: 'remark',
  custom1: 'custom1',
  custom2: 'custom2',
};

function readFields(
  options: MerchantOptions,
  zone: () => string,
): { readonly [Name in keyof ParcelMerchant]-?: string | null } {
  return {
    orderNo: cleanTextOrNull(options.orderNo),
    country: readCountry(options.country ?? ''),
    shippedAt: readShipTime(options.shipTime ?? '', zone),
    customerEmail: readEmail(options.email ?? ''),
    remark: cleanTextOrNull(options.remark),
    custom1: cleanTextOrNull(options.custom1),
    custom2: cleanTextOrNull(options.custom2),
  };
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
