import fc from 'fast-check';
import { cleanNumber, findNonNumber } from '../../src/commands/import/cells-and-lines.ts';
import { cleanText, cleanTextOrNull } from '../../src/lib/clean-text.ts';
import { normaliseTrackNo } from '../../src/lib/track-number.ts';
import { identityKey } from '../../src/parcels/identity.ts';
import type { Parcel, ParcelMerchant } from '../../src/parcels/parcel.ts';
import { type NewParcel, newParcel } from '../../src/parcels/parcel-factory.ts';
import { readPostalCode } from '../../src/settings/parcel-fields.ts';
import { anyCharacter } from '../support/any-character.ts';
import { someThursday } from '../support/fake-clock.ts';

/** Strings that file formats and spreadsheets often get wrong, and random ones. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 8 }),
      fc.constantFrom(
        ...['=', '+', '-', '@', "'", '"', '""', ',', ';', '|', '\\', '\\n', '\n', '\r\n', '\t', '#', '# x', '\uFEFF'],
        ...['=HYPERLINK("http://x","y")', '=cmd|"/C calc"!A0', '＝1+1', '<script>', '&amp;', '`', '深圳', 'هدية', '🎁'],
        ...['\u001b[31m', '\u009b2J', '\u202e', 'BEGIN:VCALENDAR', 'a'.repeat(80)],
      ),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));

const merchantText = hostileText.map(cleanText).filter((text) => text !== '');
const email = fc.stringMatching(/^[a-z'+="@-]{1,8}@[a-z.]{1,8}$/).filter((text) => /^[^@]+@[^@]+$/.test(text));
const instant = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const merchant: fc.Arbitrary<ParcelMerchant> = fc.record(
  {
    orderNo: merchantText,
    country: fc.stringMatching(/^[A-Z]{2}$/),
    shippedAt: instant.map((at) => `${at.slice(0, 19)}.000Z`),
    customerEmail: email,
    remark: merchantText,
    custom1: merchantText,
    custom2: merchantText,
  },
  { requiredKeys: [] },
);

/** False for what a spreadsheet may have converted, such as dates and amounts, because an import rejects it. */
const isNumberInSheet = (text: string): boolean => cleanNumber(text) === text && findNonNumber(text) === null;

const trackNo = fc
  .stringMatching(/^[A-Z0-9_./-]{4,20}$/)
  .filter((text) => normaliseTrackNo(text).ok && isNumberInSheet(text));

const draft: fc.Arbitrary<NewParcel> = fc.record(
  {
    trackNo,
    courierCode: fc.option(fc.stringMatching(/^[a-z0-9_][a-z0-9._-]{0,11}$/)),
    label: fc.option(hostileText).map((text) => cleanTextOrNull(text ?? '')),
    postalCode: fc.option(fc.stringMatching(/^[A-Za-z0-9+\- ]{1,15}$/)).map((text) => readPostalCode(text ?? '')),
    phoneSuffix: fc.option(fc.stringMatching(/^\d{4}$/)),
    merchant,
    note: merchantText,
    tags: fc.uniqueArray(merchantText, { maxLength: 4 }),
    archivedAt: instant,
  },
  { requiredKeys: ['trackNo', 'courierCode', 'label', 'postalCode', 'phoneSuffix'] },
);

/** Typical watchlists: each number is listed under known couriers, or once without a courier. */
export const enteredParcels: fc.Arbitrary<readonly Parcel[]> = fc
  .uniqueArray(draft, {
    maxLength: 8,
    selector: ({ courierCode, trackNo: number }) =>
      courierCode === null ? number : identityKey({ trackNo: number, courierCode }),
  })
  .map((drafts) => {
    const unknown = new Set(
      drafts.filter(({ courierCode }) => courierCode === null).map(({ trackNo: number }) => number),
    );
    return drafts
      .filter((parcel) => parcel.courierCode === null || !unknown.has(parcel.trackNo))
      .map((parcel, index) => ({ ...newParcel(parcel, someThursday, Math.random), id: `parcel-${index}` }));
  });
