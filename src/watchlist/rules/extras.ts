import type { CourierNeed } from '../../service/record/courier-needs.ts';

/** An extra as it can be sent, null for none, or a sentence that says how it has to look; it does not repeat the value. */
export type ExtraCheck =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly message: string };

/** The signs and the length that the service takes in a postal code. */
const postalCodePattern = /^[A-Za-z0-9+\- ]{1,15}$/;
const phoneSuffixPattern = /^\d{4}$/;

/** Brings a typed or pasted extra into the form in which it is kept (full-width signs folded) and checks it. */
export function checkExtra(kind: CourierNeed, text: string): ExtraCheck {
  const value = text.normalize('NFKC').trim().replace(/\s+/g, ' ');
  if (value === '') return { ok: true, value: null };
  const isPhone = kind === 'phone-suffix';
  if ((isPhone ? phoneSuffixPattern : postalCodePattern).test(value)) return { ok: true, value };
  const message = isPhone
    ? 'A phone suffix is the last four digits of the number, such as 1234.'
    : 'A postal code holds at most 15 letters, digits, spaces, "+" and "-".';
  return { ok: false, message };
}
