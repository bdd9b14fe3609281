import { type Courier, couriersByCode, postsByCountry } from './couriers.ts';

interface Shape {
  readonly pattern: RegExp;
  readonly code: string;
}

/**
 * Shapes of numbers, the most specific first. Where several couriers share a shape (ten, twelve or fourteen digits),
 * the likeliest one is taken, as the public service does. Cainiao's LP and JJD numbers and Evri's have no row on
 * purpose: the public service does not recognise them either.
 */
const shapes: readonly Shape[] = [
  { pattern: /^1Z[0-9A-Z]{16}$/, code: 'ups' },
  { pattern: /^E[A-Z]\d{9}CN$/, code: 'china-ems' },
  { pattern: /^4PX\d{13}CN$/, code: '4px' },
  { pattern: /^SF\d{12,15}$/, code: 'sfb2c' },
  { pattern: /^YT\d{16}$/, code: 'yunexpress' },
  { pattern: /^YT\d{13}$/, code: 'yto' },
  { pattern: /^U[A-Z]\d{9}YP$/, code: 'yanwen' },
  { pattern: /^SY[A-Z]{2}\d{9,12}$/, code: 'sunyou' },
  { pattern: /^JD[A-Z]?\d{12,13}$/, code: 'jd-logistics' },
  { pattern: /^DPK\d{12}$/, code: 'debang' },
  { pattern: /^TBA\d{12}$/, code: 'amazon-logistics' },
  { pattern: /^1LS\d{12}$/, code: 'lasership' },
  { pattern: /^[CD]\d{14}$/, code: 'ontrac' },
  { pattern: /^9[2-5]\d{20}$/, code: 'usps' },
  { pattern: /^00340434\d{12}$/, code: 'dhl-germany' },
  { pattern: /^JVGL\d{10,20}$/, code: 'dhl-germany' },
  { pattern: /^3S[A-Z]{4}\d{7,9}$/, code: 'postnl' },
  { pattern: /^6[A-Z]\d{11}$/, code: 'la-poste' },
  { pattern: /^TH[0-9A-Z]{11,14}$/, code: 'flash-express' },
  { pattern: /^KE[RX]\d{9,13}$/, code: 'kerry-express' },
  { pattern: /^NV[A-Z]{2}\d{9,13}$/, code: 'ninja-van' },
  { pattern: /^H\d{19}$/, code: 'hermes' },
  { pattern: /^78\d{13}$/, code: 'sto' },
  { pattern: /^7\d{13}$/, code: 'zto' },
  { pattern: /^\d{10}$/, code: 'dhl' },
  { pattern: /^\d{11}$/, code: 'aramex' },
  { pattern: /^\d{12}$/, code: 'fedex' },
  { pattern: /^\d{14}$/, code: 'dpd' },
  { pattern: /^\d{24}$/, code: 'inpost-poland' },
];

/** Two letters, nine digits and the country of the post that issued the number (UPU standard S10). */
const s10 = /^[A-Z]{2}\d{9}([A-Z]{2})$/;

/** Recognises the courier by the shape of a number, in capitals or not; null when no shape fits. */
export function detectCourier(trackNo: string): Courier | null {
  const number = trackNo.toUpperCase();
  const shape = shapes.find(({ pattern }) => pattern.test(number));
  if (shape !== undefined) return couriersByCode.get(shape.code) ?? null;
  const country = s10.exec(number)?.[1];
  return country === undefined ? null : (postsByCountry.get(country) ?? null);
}
