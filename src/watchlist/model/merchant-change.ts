import type { Parcel, ParcelMerchant, RecordSummary } from './parcel.ts';

/** What is changed of what a merchant gave along: an absent field stays as it is, null takes it away. */
export type MerchantChange = { readonly [Name in keyof ParcelMerchant]?: string | null };

/**
 * The parcel with other texts of its merchant; itself when they are the same. Where it stands with the service stays: such
 * texts are sent there by an edit, and a number that is registered already takes none with another registration.
 */
export function changeMerchant(parcel: Parcel, change: MerchantChange): Parcel {
  const { merchant: before, ...others } = parcel;
  const names = Object.keys(change) as (keyof ParcelMerchant)[];
  const record = others.record === null ? null : withoutOldTexts(others.record, change);
  if (record === others.record && names.every((name) => (before?.[name] ?? null) === change[name])) return parcel;
  const merchant: ParcelMerchant = Object.fromEntries(
    Object.entries({ ...before, ...change }).filter(([, value]) => value !== null),
  );
  return { ...others, ...(Object.keys(merchant).length === 0 ? {} : { merchant }), record };
}

/** What the last record said of these texts is out of date, and a later record without them would not take it away. */
function withoutOldTexts(record: RecordSummary, change: MerchantChange): RecordSummary {
  const changed = new Map<string, unknown>(Object.entries(change));
  const kept = Object.entries(record).filter(([name, value]) => !changed.has(name) || changed.get(name) === value);
  return kept.length === Object.keys(record).length ? record : (Object.fromEntries(kept) as unknown as RecordSummary);
}
