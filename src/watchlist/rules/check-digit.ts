import { type CheckDigitRule, hasCheckDigit } from './check-digit-sum.ts';
import { isPostCountry } from './post-countries.ts';

/** What a check digit is computed by. */
interface NumberKind {
  /** How the kind is called in a sentence. */
  readonly name: string;
  /** Whether a number is of this kind; a shape that other couriers use, too, needs the courier for that. */
  fits(trackNo: string, courierCode: string | null): boolean;
  /** Whether the check digit is the one that belongs to the other characters. */
  verifies(trackNo: string): boolean;
}

const postalItem = /^[A-Z]{2}(\d{8})(\d)([A-Z]{2})$/;
const upsParcel = /^1Z([0-9A-Z]{15})([0-9A-Z])$/;
/** With the ZIP code of the destination, as it is printed under the bar code, or without. */
const uspsParcel = /^(?:420\d{5}(?:\d{4})?)?(9[1-5]\d{20})$/;

const isCourier = (courierCode: string | null, name: string): boolean =>
  courierCode !== null && courierCode.toLowerCase().split(/[^a-z0-9]+/)[0] === name;

const kinds: readonly NumberKind[] = [
  {
    name: 'a postal number (UPU S10)',
    fits: (trackNo) => isPostCountry(postalItem.exec(trackNo)?.[3] ?? ''),
    verifies: (trackNo) => {
      const [, serial = '', check = ''] = postalItem.exec(trackNo) ?? [];
      return hasCheckDigit({ kind: 's10' }, serial, check);
    },
  },
  {
    name: 'a UPS number',
    fits: (trackNo) => upsParcel.test(trackNo),
    verifies: (trackNo) => {
      const [, body = '', check = ''] = upsParcel.exec(trackNo) ?? [];
      return hasCheckDigit({ kind: 'mod10', even: 1, odd: 2 }, body, check);
    },
  },
  {
    name: 'a USPS number',
    fits: (trackNo, courierCode) =>
      uspsParcel.test(trackNo) || (isCourier(courierCode, 'usps') && /^\d{20}$/.test(trackNo)),
    verifies: (trackNo) => hasLastDigit(gs1, uspsParcel.exec(trackNo)?.[1] ?? trackNo),
  },
  {
    name: 'a FedEx Express number',
    fits: (trackNo, courierCode) => isCourier(courierCode, 'fedex') && /^\d{12}$/.test(trackNo),
    verifies: (trackNo) => hasLastDigit(fedexExpress, trackNo),
  },
  {
    name: 'a FedEx Ground number',
    fits: (trackNo, courierCode) => isCourier(courierCode, 'fedex') && /^\d{15}$/.test(trackNo),
    verifies: (trackNo) => hasLastDigit(gs1, trackNo),
  },
];

/**
 * The kind of a number whose check digit does not verify, such as `a UPS number`; null when it does, or when the
 * shape does not decide. Judged are numbers of an unmistakable shape (UPU S10 with a country, UPS, USPS), and under FedEx or USPS theirs
 * that other couriers' numbers look like. A number that does not verify is mistyped more often than not; the courier has
 * the last word.
 * @param trackNo in the form in which numbers are kept
 */
export function unverifiedKind(trackNo: string, courierCode: string | null): string | null {
  const kind = kinds.find(({ fits }) => fits(trackNo, courierCode));
  return kind === undefined || kind.verifies(trackNo) ? null : kind.name;
}

/** The check digit of GS1: every other digit counts three times, beginning beside the check digit. */
const gs1: CheckDigitRule = { kind: 'mod10', even: 3, odd: 1, reverse: true };

const fedexExpress: CheckDigitRule = {
  kind: 'weighted',
  weights: [3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1],
  modulo: 11,
  last: 10,
};

const hasLastDigit = (rule: CheckDigitRule, trackNo: string): boolean =>
  hasCheckDigit(rule, trackNo.slice(0, -1), trackNo.slice(-1));
