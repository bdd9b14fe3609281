import { type CheckDigitRule, gs1, hasCheckDigit, isPostCountry } from '../parcels/check-digit.ts';

export interface FormatMatch {
  readonly courier: string;
  readonly name: string;
  /** The number that the courier uses, which may be only part of a barcode. */
  readonly trackNo: string;
  readonly isVerified: boolean;
  /** Whether hardly anything else has this format. */
  readonly isDistinctive: boolean;
  /** The country of a postal number as an upper-case ISO 3166-1 code. Null for other numbers. */
  readonly country: string | null;
}

/**
 * Returns the formats that match a normalised number, most specific first.
 * @param digit `wrong` returns the formats that match except for the check digit
 */
export function matchFormats(text: string, digit: 'right' | 'wrong' = 'right'): readonly FormatMatch[] {
  return compiledFormats
    .flatMap((format) => matchFormat(format, text, digit) ?? [])
    .sort((a, b) => specificity(b) - specificity(a));
}

const specificity = ({ isDistinctive, isVerified }: FormatMatch): number =>
  (isVerified ? 2 : 0) + (isDistinctive ? 1 : 0);

function matchFormat(
  { check: rule, courier, expression, isBarcode, name, prefix = '' }: (typeof compiledFormats)[number],
  text: string,
  digit: 'right' | 'wrong',
): FormatMatch | null {
  const match = expression.exec(text);
  if (match === null || (digit === 'wrong' && rule === undefined)) return null;
  const {
    CheckDigit: check = '',
    CountryCode,
    RoutingApplicationId: routing,
    SerialNumber: serial = '',
  } = match.groups ?? {};
  const country = courier === 's10' ? (CountryCode ?? '') : null;
  if (country !== null && !isPostCountry(country)) return null;
  const body = serial.startsWith(prefix) ? serial : `${prefix}${serial}`;
  if (rule !== undefined && hasCheckDigit(rule, body, check) !== (digit === 'right')) return null;
  return {
    courier,
    name,
    trackNo: routing !== undefined || isBarcode === true ? significantPart(serial + check) : text,
    isVerified: rule !== undefined && digit === 'right',
    isDistinctive: digit === 'right' ? isDistinctive(text, rule !== undefined) : isUnmistakable(text),
    country,
  };
}

const significantPart = (text: string): string => text.replace(/^00(?=\d{12}$)/, '');

/**
 * With a correct check digit, two letters or a great many digits are enough. Without one, the number needs two letters
 * and must be longer.
 */
function isDistinctive(text: string, isVerified: boolean): boolean {
  const letters = text.replace(/[^A-Z]/g, '').length;
  if (!isVerified) return (letters >= 2 && text.length >= 15) || /^LTN\d{8}N1$/.test(text);
  return letters >= 2 || /^1Z/.test(text) || /^(?:9[1-6]\d{18,}|\d{24,})$/.test(text);
}

/** UPU S10, UPS, DHL Paket, and USPS with or without the ZIP code. */
const unmistakable = /^(?:[A-Z]{2}\d{9}[A-Z]{2}|1Z[A-Z0-9]{16}|00340\d{15}|(?:420\d{5}(?:\d{4})?)?9[1-5]\d{20})$/;

export const isUnmistakable = (text: string): boolean => unmistakable.test(text);

interface NumberFormat {
  readonly courier: string;
  readonly name: string;
  /**
   * Matches a whole normalised number. If the format has a check digit, the groups are `SerialNumber` and `CheckDigit`.
   * Repetition must be bounded.
   */
  readonly pattern: string;
  readonly check?: CheckDigitRule;
  /** Set if the barcode contains more than the number (the serial number plus the check digit). */
  readonly isBarcode?: true;
  /** Every serial number starts with this when the check digit is calculated, even if the number leaves it out. */
  readonly prefix?: string;
}

const mod7 = { kind: 'mod7' } as const;

const createFormat = (courier: string, name: string, pattern: string): NumberFormat => ({ courier, name, pattern });

/** A serial shipping container code, with or without the leading zeros of a barcode. */
const createContainerFormat = (courier: string, name: string, serial: string): NumberFormat => ({
  ...createFormat(courier, name, `(?:00)?(?<SerialNumber>${serial})(?<CheckDigit>\\d)`),
  check: gs1,
});

/** Formats from the couriers' help pages that {@link libraryFormats} lacks. */
const moreFormats: readonly NumberFormat[] = [
  { ...createFormat('dhl_paket', 'DHL Paket', '(?<SerialNumber>00340\\d{14})(?<CheckDigit>\\d)'), check: gs1 },
  createFormat('dhl_paket', 'DHL Paket (JJD)', 'JJD\\d{12,21}'),
  createFormat('dhl_parcel_nl', 'DHL Parcel NL', 'JVGL\\d{8,20}'),
  createFormat('dpd', 'DPD (14 digits)', '\\d{14}'),
  createFormat('hermes_de', 'Hermes (14 digits)', '\\d{14}'),
  createFormat('hermes_de', 'Hermes (H)', 'H\\d{19}'),
  createFormat('gls', 'GLS', '\\d{11,12}'),
  createFormat('postnl', 'PostNL (3S)', '3S[A-Z0-9]{4}\\d{7,9}'),
  createFormat('bpost', 'bpost', '32\\d{22}'),
  createFormat('inpost_pl', 'InPost', '\\d{24}'),
  createFormat('la_poste', 'Colissimo', '\\d[A-Z]\\d{11}'),
  createFormat('packeta', 'Packeta', 'Z\\d{10}'),
  createFormat('correos', 'Correos', 'P[A-Z][A-Z0-9]{6}\\d{14}[A-Z]'),
  createFormat('finland_posti', 'Posti', 'JJFI\\d{17}'),
  createContainerFormat('norway_post', 'Posten Norge', '370\\d{14}'),
  createContainerFormat('sweden_posten', 'PostNord Sweden', '373\\d{14}'),
  createContainerFormat('denmark_post', 'PostNord Denmark', '[03]57\\d{14}'),
  createContainerFormat('poczta_polska', 'Poczta Polska', '\\d5900773\\d{9}'),
  createFormat('czech_post', 'Czech Post', '[A-Z]{2}\\d{10}[CEFGKLMPTU]'),
  createFormat('swiss_post', 'Swiss Post', '99\\d{16}'),
  createFormat('nova_poshta', 'Nova Poshta', '(?:20|59)\\d{12}'),
  {
    ...createFormat('russian_post', 'Russian Post', '(?<SerialNumber>[1-6]\\d{12})(?<CheckDigit>\\d)'),
    check: { kind: 'mod10', even: 3, odd: 1 },
  },
  { ...createFormat('yamato', 'Yamato', '(?<SerialNumber>\\d{11})(?<CheckDigit>[0-6])'), check: mod7 },
  { ...createFormat('sagawa', 'Sagawa', '(?<SerialNumber>\\d{11})(?<CheckDigit>[0-6])'), check: mod7 },
  { ...createFormat('japan_post', 'Japan Post', '(?<SerialNumber>\\d{11})(?<CheckDigit>[0-6])'), check: mod7 },
  createFormat('sf_express', 'SF Express', 'SF\\d{13}'),
  createFormat('cainiao', 'Cainiao', 'LP\\d{14}'),
  createFormat('four_px', '4PX', '4PX\\d{13}CN'),
  createFormat('yanwen', 'Yanwen', '[A-Z]{2}\\d{9}YP'),
  createFormat('jt_express', 'J&T Express', 'J[DPTXZ]\\d{10,13}'),
  createFormat('yto', 'YTO Express', 'YT\\d{13}'),
  createFormat('jd_logistics', 'JD Logistics', 'JD(?:[A-Z]{2})?\\d{11,13}'),
  createFormat('fedex', 'FedEx (door tag)', 'DT\\d{12}'),
  createFormat('intelcom', 'Intelcom', 'INTLCM[A-Z]?\\d{8,12}'),
  createFormat('amazon', 'Amazon Logistics (Europe)', '(?:AT|BE|DE|ES|FR|GB|IT|NL|PL|Q[A-Z]|SE|UK)\\d{10}'),
];

/** From tracking_number_data (MIT; the licence is in `data/`). */
// biome-ignore format: one format per line
const libraryFormats: readonly NumberFormat[] = [
  { courier: 'amazon', name: 'Amazon Logistics', pattern: 'TB[ACM](?<SerialNumber>[0-9]{12})' },
  { courier: 'amazon', name: 'Amazon International', pattern: '[AFC](?<SerialNumber>[0-9]{10})' },
  { courier: 'canada_post', name: 'Canada Post (16)', pattern: '(?<SerialNumber>[0-9]{15})(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 3, odd: 1 } },
  { courier: 'canpar', name: 'Canpar (22)', pattern: '(?<SerialNumber>[CDKLSUXZ][0-9]{21})' },
  { courier: 'dhl', name: 'DHL Express', pattern: '(?<SerialNumber>[0-9]{9,10})(?<CheckDigit>[0-9])', check: { kind: 'mod7' } },
  { courier: 'dhl', name: 'DHL Express (Piece ID)', pattern: 'J[A-Z]{2,3}(?<SerialNumber>[0-9]{9,10})' },
  { courier: 'dhl', name: 'DHL E-Commerce', pattern: '(?:GM|LX|RX|UV|CN|SG|TH|IN|HK|MY)(?<SerialNumber>(?=[0-9A-Z]{10,39}\\b)(?=[0-9])[0-9A-Z]{10,39})' },
  { courier: 'dhl', name: 'DHL E-Commerce (14)', pattern: '(?<SerialNumber>[0-9]{14})' },
  { courier: 'dpd', name: 'DPD (28)', pattern: '(?<SerialNumber>[0-9]{27})(?<CheckDigit>[0-9A-Z])', check: { kind: 'mod37-36' } },
  { courier: 'dpd', name: 'DPD (14)', pattern: '(?<SerialNumber>[0-9]{14})(?<CheckDigit>[0-9A-Z])', check: { kind: 'mod37-36' } },
  { courier: 'fedex', name: 'FedEx Express (12)', pattern: '(?<SerialNumber>[0-9]{11})(?<CheckDigit>[0-9])', check: { kind: 'weighted', weights: [3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1], modulo: 11, last: 10 } },
  { courier: 'fedex', name: 'FedEx Express (34)', pattern: '[0-8][0-9]{19}(?<SerialNumber>[0-9]{13})(?<CheckDigit>[0-9])', check: { kind: 'weighted', weights: [1, 7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1], modulo: 11, last: 10 }, isBarcode: true },
  { courier: 'fedex', name: 'FedEx ASTRA (32)', pattern: '3[0-9]{15}(?<SerialNumber>[0-9]{11})(?<CheckDigit>[0-9])[0-9]{4}', check: { kind: 'weighted', weights: [3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1], modulo: 11, last: 10 }, isBarcode: true },
  { courier: 'fedex', name: 'FedEx Ground', pattern: '(?<SerialNumber>[0-9]{14})(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 1, odd: 3 } },
  { courier: 'fedex', name: 'FedEx Ground (SSCC-18)', pattern: '[0-9]{2}(?<SerialNumber>[0-9]{15})(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 3, odd: 1 } },
  { courier: 'fedex', name: 'FedEx Ground 96 (22)', pattern: '96[0-9]{5}(?<SerialNumber>[0-9]{14})(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 1, odd: 3 } },
  { courier: 'fedex', name: 'FedEx Ground GSN', pattern: '96[0-9]{18}(?<SerialNumber>[0-9]{13})(?<CheckDigit>[0-9])', check: { kind: 'weighted', weights: [1, 7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1], modulo: 11, last: 10 }, isBarcode: true },
  { courier: 'gofo', name: 'GOFO Express (US)', pattern: 'GFUS(?<SerialNumber>[0-9]{14})' },
  { courier: 'landmark', name: 'Landmark Global LTN', pattern: 'LTN(?<SerialNumber>[0-9]{8})N1' },
  { courier: 'lasership', name: 'LaserShip LX', pattern: 'L[AIEHNX][1-3](?<SerialNumber>[0-9]{7})' },
  { courier: 'lasership', name: 'LaserShip 1LS7 (15)', pattern: '1LS7[12][0-9]{4}(?<SerialNumber>[0-9]{6})' },
  { courier: 'lasership', name: 'LaserShip 1LS7 (18)', pattern: '1LS7[12][0-9]{2}01[1234](?<SerialNumber>[0-9]{6})-1' },
  { courier: 'lasership', name: 'LaserShip 1LSCX (15)', pattern: '1LSCX(?<SerialNumber>[0-9A-Z]{10})' },
  { courier: 'old_dominion', name: 'Old Dominion', pattern: '(?<SerialNumber>(77[78]|072|780)[0-9]{7})(?<CheckDigit>[0-9])', check: { kind: 'luhn' } },
  { courier: 'old_dominion', name: 'Old Dominion Guaranteed Shipment', pattern: '(?<SerialNumber>80[0-9]{8})(?<CheckDigit>[0-9])', check: { kind: 'luhn' } },
  { courier: 'ontrac', name: 'OnTrac', pattern: 'C(?<SerialNumber>[0-9]{13})(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 1, odd: 2 }, prefix: '4' },
  { courier: 'ontrac', name: 'OnTrac D', pattern: 'D(?<SerialNumber>[0-9]{13})(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 1, odd: 2 }, prefix: '5' },
  { courier: 'purolator', name: 'Purolator (12)', pattern: '(?<SerialNumber>[0-5][0-9]{10})(?<CheckDigit>[0-9])', check: { kind: 'luhn' } },
  { courier: 'purolator', name: 'Purolator (alpha + 9)', pattern: '(?<SerialNumber>[A-Z]{3}[0-9]{9})' },
  { courier: 's10', name: 'S10', pattern: '[A-Z]{2}(?<SerialNumber>[0-9]{8})(?<CheckDigit>[0-9])(?<CountryCode>[A-Z]{2})', check: { kind: 's10' } },
  { courier: 'speedee', name: 'Spee-Dee (20)', pattern: 'SP(?<SerialNumber>[0-9]{18})' },
  { courier: 'ups', name: 'UPS', pattern: '1Z(?<SerialNumber>[A-Z0-9]{15})(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 1, odd: 2 } },
  { courier: 'ups', name: 'UPS Waybill', pattern: '[AHJKTV](?<SerialNumber>[0-9]{9})(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 1, odd: 2 } },
  { courier: 'usps', name: 'USPS 20', pattern: '(?<SerialNumber>[0-9]{19})(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 3, odd: 1 } },
  { courier: 'usps', name: 'USPS IMpb N', pattern: '((?<RoutingApplicationId>420)(?:[0-9]{5}(?=[0-9]{22}(?![0-9])|[0-9]{26}(?![0-9])))(?:[0-9]{4}(?=[0-9]{22}(?![0-9])))?)?(?<SerialNumber>(?:94)[0-9]{3}(?=9[0-9]{8}([0-9]{15}|[0-9]{11}|[0-9]{7})[0-9](?![0-9])|[0-8][0-9]{5}([0-9]{14}|[0-9]{10})[0-9](?![0-9]))(?:9[0-9]{8}|[0-8][0-9]{5})(?:[0-9]{15}|[0-9]{14}|[0-9]{11}|[0-9]{10}|[0-9]{7}))(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 3, odd: 1, reverse: true } },
  { courier: 'usps', name: 'USPS Legacy', pattern: '(?:(?<RoutingApplicationId>420)[0-9]{5}(?:[0-9]{4})?)?(?<SerialNumber>(?:91)?[0-9]{19})(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 3, odd: 1 }, prefix: '91' },
  { courier: 'usps', name: 'USPS IMpb C', pattern: '(?:(?<RoutingApplicationId>420)[0-9]{5}(?:[0-9]{4}(?=[0-9]{22}(?![0-9])))?)?(?<SerialNumber>(?:92(?=[0-9]{3}9)|93(?=[0-9]{3}[0-8])|95)[0-9]{3}(?=9[0-9]{8}([0-9]{11}|[0-9]{7})[0-9](?![0-9])|[0-8][0-9]{5}([0-9]{14}|[0-9]{10})[0-9](?![0-9]))(?:9[0-9]{8}|[0-8][0-9]{5})(?:[0-9]{14}|[0-9]{11}|[0-9]{10}|[0-9]{7}))(?<CheckDigit>[0-9])', check: { kind: 'mod10', even: 3, odd: 1 } },
  { courier: 'yodel', name: 'Yodel', pattern: 'J(J)?D(?<SerialNumber>[0-9]{16})' },
  { courier: 'yunexpress', name: 'YunExpress', pattern: 'YT(?<SerialNumber>[0-9]{16})' },
];

/** Our own formats come first, because they are narrower. */
const compiledFormats = [...moreFormats, ...libraryFormats].map((format) => ({
  ...format,
  expression: new RegExp(`^(?:${format.pattern})$`),
}));
