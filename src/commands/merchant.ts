import { toDate } from 'date-fns-tz';
import { cleanTextOrNull } from '../service/text.ts';
import type { ParcelMerchant } from '../watchlist/parcel.ts';
import { UsageError } from './errors.ts';

/** Options of `add` that a merchant gives along with a parcel (all fields of an item). */
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
  return given({
    orderNo: cleanTextOrNull(options.orderNo),
    country: readCountry(options.country ?? ''),
    shippedAt: readShipTime(options.shipTime ?? '', zone),
    customerEmail: readEmail(options.email ?? ''),
    remark: cleanTextOrNull(options.remark),
    custom1: cleanTextOrNull(options.custom1),
    custom2: cleanTextOrNull(options.custom2),
  });
}

function given(fields: { readonly [Name in keyof ParcelMerchant]-?: string | null }): ParcelMerchant {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as ParcelMerchant;
}

function readCountry(text: string): string | null {
  const code = text.normalize('NFKC').trim().toUpperCase();
  if (code === '') return null;
  if (!/^[A-Z]{2}$/.test(code)) {
    throw new UsageError(`"${cleanTextOrNull(text) ?? ''}" is no country; give its two letters, such as DE.`);
  }
  return code;
}

function readEmail(text: string): string | null {
  const address = text.trim();
  if (address === '') return null;
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > 254 || cleanTextOrNull(address) !== address) {
    throw new UsageError('The e-mail address is none; it looks like name@host.example.');
  }
  return address;
}

const shipTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?$/i;

function readShipTime(text: string, zone: () => string): string | null {
  const time = text.trim();
  if (time === '') return null;
  const at = shipTime.test(time) ? instantOf(time, zone) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new UsageError(
      `"${cleanTextOrNull(text) ?? ''}" is no ship time; write it like "2026-11-20 14:30" on your clock, or 2026-11-20T14:30+01:00.`,
    );
  }
  return new Date(at).toISOString();
}

function instantOf(time: string, zone: () => string): number {
  const iso = time
    .toUpperCase()
    .replace(/ (?=Z|[+-])/, '')
    .replace(' ', 'T');
  return toDate(iso, { timeZone: zone() }).getTime();
}
