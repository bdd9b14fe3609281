import { type CheckDigitRule, gs1 } from '../../parcels/check-digit.ts';

export interface NumberFormat {
  readonly courier: string;
  readonly name: string;
  /**
   * Matches a whole normalised number. If the format has a check digit, the groups are `SerialNumber` and `CheckDigit`.
   * Repetition must be bounded.
   */
  readonly pattern: string;
  readonly minLength: number;
  readonly maxLength: number;
  readonly check?: CheckDigitRule;
  /** Set if the barcode contains more than the number (the serial number plus the check digit). */
  readonly isBarCode?: true;
  /** Text to prepend to serial numbers that match `when`, before the check digit is calculated. */
  readonly prepend?: { readonly when: string; readonly text: string };
}

const mod7 = { kind: 'mod7' } as const;

const format = (courier: string, name: string, pattern: string, lengths: readonly [number, number]): NumberFormat => ({
  courier,
  name,
  pattern,
  minLength: lengths[0],
  maxLength: lengths[1],
});

/** A serial shipping container code, with or without the leading zeros of a barcode. */
const container = (courier: string, name: string, serial: string): NumberFormat => ({
  ...format(courier, name, `(?:00)?(?<SerialNumber>${serial})(?<CheckDigit>\\d)`, [18, 20]),
  check: gs1,
});

/** From the couriers' help pages. They are missing from {@link libraryFormats}. */
const moreFormats: readonly NumberFormat[] = [
  { ...format('dhl_paket', 'DHL Paket', '(?<SerialNumber>00340\\d{14})(?<CheckDigit>\\d)', [20, 20]), check: gs1 },
  format('dhl_paket', 'DHL Paket (JJD)', 'JJD\\d{12,21}', [15, 24]),
  format('dhl_parcel_nl', 'DHL Parcel NL', 'JVGL\\d{8,20}', [12, 24]),
  format('dpd', 'DPD (14 digits)', '\\d{14}', [14, 14]),
  format('hermes_de', 'Hermes (14 digits)', '\\d{14}', [14, 14]),
  format('hermes_de', 'Hermes (H)', 'H\\d{19}', [20, 20]),
  format('gls', 'GLS', '\\d{11,12}', [11, 12]),
  format('postnl', 'PostNL (3S)', '3S[A-Z0-9]{4}\\d{7,9}', [13, 15]),
  format('bpost', 'bpost', '32\\d{22}', [24, 24]),
  format('inpost_pl', 'InPost', '\\d{24}', [24, 24]),
  format('la_poste', 'Colissimo', '\\d[A-Z]\\d{11}', [13, 13]),
  format('packeta', 'Packeta', 'Z\\d{10}', [11, 11]),
  format('correos', 'Correos', 'P[A-Z][A-Z0-9]{6}\\d{14}[A-Z]', [23, 23]),
  format('finland_posti', 'Posti', 'JJFI\\d{17}', [21, 21]),
  container('norway_post', 'Posten Norge', '370\\d{14}'),
  container('sweden_posten', 'PostNord Sweden', '373\\d{14}'),
  container('denmark_post', 'PostNord Denmark', '[03]57\\d{14}'),
  container('poczta_polska', 'Poczta Polska', '\\d5900773\\d{9}'),
  format('czech_post', 'Czech Post', '[A-Z]{2}\\d{10}[CEFGKLMPTU]', [13, 13]),
  format('swiss_post', 'Swiss Post', '99\\d{16}', [18, 18]),
  format('nova_poshta', 'Nova Poshta', '(?:20|59)\\d{12}', [14, 14]),
  {
    ...format('russian_post', 'Russian Post', '(?<SerialNumber>[1-6]\\d{12})(?<CheckDigit>\\d)', [14, 14]),
    check: { kind: 'mod10', even: 3, odd: 1 },
  },
  { ...format('yamato', 'Yamato', '(?<SerialNumber>\\d{11})(?<CheckDigit>[0-6])', [12, 12]), check: mod7 },
  { ...format('sagawa', 'Sagawa', '(?<SerialNumber>\\d{11})(?<CheckDigit>[0-6])', [12, 12]), check: mod7 },
  { ...format('japan_post', 'Japan Post', '(?<SerialNumber>\\d{11})(?<CheckDigit>[0-6])', [12, 12]), check: mod7 },
  format('sf_express', 'SF Express', 'SF\\d{13}', [15, 15]),
  format('cainiao', 'Cainiao', 'LP\\d{14}', [16, 16]),
  format('four_px', '4PX', '4PX\\d{13}CN', [18, 18]),
  format('yanwen', 'Yanwen', '[A-Z]{2}\\d{9}YP', [13, 13]),
  format('jt_express', 'J&T Express', 'J[DPTXZ]\\d{10,13}', [12, 15]),
  format('yto', 'YTO Express', 'YT\\d{13}', [15, 15]),
  format('jd_logistics', 'JD Logistics', 'JD(?:[A-Z]{2})?\\d{11,13}', [13, 17]),
  format('fedex', 'FedEx (door tag)', 'DT\\d{12}', [14, 14]),
  format('intelcom', 'Intelcom', 'INTLCM[A-Z]?\\d{8,12}', [14, 19]),
  format('amazon', 'Amazon Logistics (Europe)', '(?:AT|BE|DE|ES|FR|GB|IT|NL|PL|Q[A-Z]|SE|UK)\\d{10}', [12, 12]),
];

/**
 * From tracking_number_data (MIT; the licence is in this folder). `minLength` and `maxLength` are the lengths of the whole
 * number.
 */
// biome-ignore format: one format per line
const libraryFormats: readonly NumberFormat[] = [
  { courier: 'amazon', name: 'Amazon Logistics', pattern: 'TB[ACM](?<SerialNumber>([0-9]){12,12})', minLength: 15, maxLength: 15 },
  { courier: 'amazon', name: 'Amazon International', pattern: '[AFC](?<SerialNumber>([0-9]){10,10})', minLength: 11, maxLength: 11 },
  { courier: 'canada_post', name: 'Canada Post (16)', pattern: '(?<SerialNumber>(?<OriginId>([0-9]){7})([0-9]){8})(?<CheckDigit>[0-9])', minLength: 16, maxLength: 16, check: { kind: 'mod10', even: 3, odd: 1 } },
  { courier: 'canpar', name: 'Canpar (22)', pattern: '(?<SerialNumber>[CDKLSUXZ]([0-9]){21})', minLength: 22, maxLength: 22 },
  { courier: 'dhl', name: 'DHL Express', pattern: '(?<SerialNumber>([0-9]){9,10})(?<CheckDigit>([0-9]))', minLength: 10, maxLength: 11, check: { kind: 'mod7' } },
  { courier: 'dhl', name: 'DHL Express (Piece ID)', pattern: '(J[A-Z]{2,3})(?<SerialNumber>([0-9]){9,10})', minLength: 12, maxLength: 14 },
  { courier: 'dhl', name: 'DHL E-Commerce', pattern: '(?:GM|LX|RX|UV|CN|SG|TH|IN|HK|MY)(?<SerialNumber>(?=[0-9A-Z]{10,39}\\b)(?=[0-9])[0-9A-Z]{10,39})', minLength: 12, maxLength: 41 },
  { courier: 'dhl', name: 'DHL E-Commerce (14)', pattern: '(?<SerialNumber>(?:[0-9]){14})', minLength: 14, maxLength: 14 },
  { courier: 'dpd', name: 'DPD (28)', pattern: '(?<SerialNumber>(?<DestinationZip>([0-9]){7})([0-9]){14}(?<ServiceType>([0-9]){3})(?<CountryCode>([0-9]){3}))(?<CheckDigit>[0-9A-Z])', minLength: 28, maxLength: 28, check: { kind: 'mod37-36' } },
  { courier: 'dpd', name: 'DPD (14)', pattern: '(?<SerialNumber>([0-9]){14})(?<CheckDigit>[0-9A-Z])', minLength: 15, maxLength: 15, check: { kind: 'mod37-36' } },
  { courier: 'fedex', name: 'FedEx Express (12)', pattern: '(?<SerialNumber>([0-9]){11})(?<CheckDigit>[0-9])', minLength: 12, maxLength: 12, check: { kind: 'weighted', weights: [3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1], modulo: 11, last: 10 } },
  { courier: 'fedex', name: 'FedEx Express (34)', pattern: '[0-8]([0-9]){14}(?<DestinationZip>([0-9]){5})(?<SerialNumber>([0-9]){13})(?<CheckDigit>[0-9])', minLength: 34, maxLength: 34, check: { kind: 'weighted', weights: [1, 7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1], modulo: 11, last: 10 }, isBarCode: true },
  { courier: 'fedex', name: 'FedEx ASTRA (32)', pattern: '3(?:[0-9]){5}(?:[0-9]){3}(?:[0-9]){7}(?<SerialNumber>(?:[0-9]){11})(?<CheckDigit>[0-9])(?:[0-9]){4}', minLength: 32, maxLength: 32, check: { kind: 'weighted', weights: [3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1], modulo: 11, last: 10 }, isBarCode: true },
  { courier: 'fedex', name: 'FedEx Ground', pattern: '(?<SerialNumber>([0-9]){14})(?<CheckDigit>([0-9]))', minLength: 15, maxLength: 15, check: { kind: 'mod10', even: 1, odd: 3 } },
  { courier: 'fedex', name: 'FedEx Ground (SSCC-18)', pattern: '(?<ShippingContainerType>([0-9]){2})(?<SerialNumber>([0-9]){15})(?<CheckDigit>[0-9])', minLength: 18, maxLength: 18, check: { kind: 'mod10', even: 3, odd: 1 } },
  { courier: 'fedex', name: 'FedEx Ground 96 (22)', pattern: '(?<ApplicationIdentifier>96)(?<SCNC>([0-9]){2})(?<ServiceType>([0-9]){3})(?<SerialNumber>(?<ShipperId>([0-9]){7})(?<PackageId>([0-9]){7}))(?<CheckDigit>[0-9])', minLength: 22, maxLength: 22, check: { kind: 'mod10', even: 1, odd: 3 } },
  { courier: 'fedex', name: 'FedEx Ground GSN', pattern: '(?<ApplicationIdentifier>96)(?<SCNC>([0-9]){2})([0-9]){5}(?<GSN>([0-9]){10})[0-9](?<SerialNumber>([0-9]){13})(?<CheckDigit>[0-9])', minLength: 34, maxLength: 34, check: { kind: 'weighted', weights: [1, 7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1], modulo: 11, last: 10 }, isBarCode: true },
  { courier: 'gofo', name: 'GOFO Express (US)', pattern: 'GFUS(?<SerialNumber>([0-9]){14})', minLength: 18, maxLength: 18 },
  { courier: 'landmark', name: 'Landmark Global LTN', pattern: 'LTN(?<SerialNumber>([0-9]){8})N1', minLength: 13, maxLength: 13 },
  { courier: 'lasership', name: 'LaserShip LX', pattern: 'L[AIEHNX][1-3](?<SerialNumber>([0-9]){7,7})', minLength: 10, maxLength: 10 },
  { courier: 'lasership', name: 'LaserShip 1LS7 (15)', pattern: '1LS7[12]([0-9]){4,4}(?<SerialNumber>([0-9]){6,6})', minLength: 15, maxLength: 15 },
  { courier: 'lasership', name: 'LaserShip 1LS7 (18)', pattern: '1LS7[12]([0-9]){2,2}01[1234](?<SerialNumber>([0-9]){6,6})-1', minLength: 18, maxLength: 18 },
  { courier: 'lasership', name: 'LaserShip 1LSCX (15)', pattern: '1LSCX(?<SerialNumber>([0-9A-Z]){10})', minLength: 15, maxLength: 15 },
  { courier: 'old_dominion', name: 'Old Dominion', pattern: '(?<SerialNumber>(77[78]|072|780)([0-9]){7})(?<CheckDigit>[0-9])', minLength: 11, maxLength: 11, check: { kind: 'luhn' } },
  { courier: 'old_dominion', name: 'Old Dominion Guaranteed Shipment', pattern: '(?<SerialNumber>80([0-9]){8})(?<CheckDigit>[0-9])', minLength: 11, maxLength: 11, check: { kind: 'luhn' } },
  { courier: 'ontrac', name: 'OnTrac', pattern: 'C(?<SerialNumber>([0-9]){13})(?<CheckDigit>[0-9])', minLength: 15, maxLength: 15, check: { kind: 'mod10', even: 1, odd: 2 }, prepend: { when: '^(?!4).+$', text: '4' } },
  { courier: 'ontrac', name: 'OnTrac D', pattern: 'D(?<SerialNumber>([0-9]){13})(?<CheckDigit>[0-9])', minLength: 15, maxLength: 15, check: { kind: 'mod10', even: 1, odd: 2 }, prepend: { when: '^(?!5).+$', text: '5' } },
  { courier: 'purolator', name: 'Purolator (12)', pattern: '(?<SerialNumber>[0-5]([0-9]){10})(?<CheckDigit>[0-9])', minLength: 12, maxLength: 12, check: { kind: 'luhn' } },
  { courier: 'purolator', name: 'Purolator (alpha + 9)', pattern: '(?<SerialNumber>([A-Z]){3}([0-9]){9})', minLength: 12, maxLength: 12 },
  { courier: 's10', name: 'S10', pattern: '(?<ServiceType>([A-Z]){2})(?<SerialNumber>([0-9]){8})(?<CheckDigit>([0-9]))(?<CountryCode>([A-Z]){2})', minLength: 13, maxLength: 13, check: { kind: 's10' } },
  { courier: 'speedee', name: 'Spee-Dee (20)', pattern: 'SP(?<SerialNumber>([0-9]){18})', minLength: 20, maxLength: 20 },
  { courier: 'ups', name: 'UPS', pattern: '1Z(?<SerialNumber>(?<ShipperId>(?:[A-Z0-9]){6,6})(?<ServiceType>(?:[A-Z0-9]){2,2})(?<PackageId>(?:[A-Z0-9]){7,7}))(?<CheckDigit>[0-9])', minLength: 18, maxLength: 18, check: { kind: 'mod10', even: 1, odd: 2 } },
  { courier: 'ups', name: 'UPS Waybill', pattern: '(?<ServiceType>([AHJKTV]){1})(?<SerialNumber>(?:[0-9]){9})(?<CheckDigit>[0-9]){1}', minLength: 11, maxLength: 11, check: { kind: 'mod10', even: 1, odd: 2 } },
  { courier: 'usps', name: 'USPS 20', pattern: '(?<SerialNumber>(?<ServiceType>([0-9]){2})(?<ShipperId>([0-9]){9})(?<PackageId>([0-9]){8}))(?<CheckDigit>[0-9])', minLength: 20, maxLength: 20, check: { kind: 'mod10', even: 3, odd: 1 } },
  { courier: 'usps', name: 'USPS IMpb N', pattern: '((?<RoutingApplicationId>420)(?<DestinationZip>([0-9]){5}(?=([0-9]){22}(?![0-9])|([0-9]){26}(?![0-9])))(?<DestinationZipPlus4>([0-9]){4}(?=([0-9]){22}(?![0-9])))?)?(?<SerialNumber>(?<ApplicationIdentifier>94)(?<ServiceType>([0-9]){3})(?=9([0-9]){8}(([0-9]){15}|([0-9]){11}|([0-9]){7})[0-9](?![0-9])|[0-8]([0-9]){5}(([0-9]){14}|([0-9]){10})[0-9](?![0-9]))(?<ShipperId>9([0-9]){8}|[0-8]([0-9]){5})(?<PackageId>([0-9]){15}|([0-9]){14}|([0-9]){11}|([0-9]){10}|([0-9]){7}))(?<CheckDigit>[0-9])', minLength: 19, maxLength: 42, check: { kind: 'mod10', even: 3, odd: 1, reverse: true } },
  { courier: 'usps', name: 'USPS Legacy', pattern: '(?:(?<RoutingApplicationId>420)(?<DestinationZip>([0-9]){5})(?<DestinationZipPlus4>([0-9]){4})?)?(?<SerialNumber>(?<ApplicationIdentifier>91)?(?<ServiceType>([0-9]){2})(?<ShipperId>([0-9]){9})(?<PackageId>([0-9]){8}))(?<CheckDigit>[0-9])', minLength: 20, maxLength: 34, check: { kind: 'mod10', even: 3, odd: 1 }, prepend: { when: '^(?!9\\s*1).+', text: '91' } },
  { courier: 'usps', name: 'USPS IMpb C', pattern: '(?:(?<RoutingApplicationId>420)(?<DestinationZip>([0-9]){5})(?<DestinationZipPlus4>([0-9]){4}(?=([0-9]){22}(?![0-9])))?)?(?<SerialNumber>(?<ApplicationIdentifier>92(?=([0-9]){3}9)|93(?=([0-9]){3}[0-8])|95)(?<ServiceType>([0-9]){3})(?=9([0-9]){8}(([0-9]){11}|([0-9]){7})[0-9](?![0-9])|[0-8]([0-9]){5}(([0-9]){14}|([0-9]){10})[0-9](?![0-9]))(?<ShipperId>9([0-9]){8}|[0-8]([0-9]){5})(?<PackageId>([0-9]){14}|([0-9]){11}|([0-9]){10}|([0-9]){7}))(?<CheckDigit>[0-9])', minLength: 19, maxLength: 41, check: { kind: 'mod10', even: 3, odd: 1 } },
  { courier: 'yodel', name: 'Yodel', pattern: 'J(J)?D(?<SerialNumber>([0-9]){16})', minLength: 18, maxLength: 19 },
  { courier: 'yunexpress', name: 'YunExpress', pattern: 'YT(?<SerialNumber>([0-9]){16})', minLength: 18, maxLength: 18 },
];

/** Our own formats come first, because they are narrower. */
export const numberFormats: readonly NumberFormat[] = [...moreFormats, ...libraryFormats];
