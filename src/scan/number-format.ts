import { type CheckDigitRule, gs1 } from '../parcels/check-digit.ts';

export interface NumberFormat {
  readonly courier: string;
  readonly name: string;
  /**
   * A pattern of a whole number as it is kept, in capitals; where the format has a check digit, its groups are
   * `SerialNumber` and `CheckDigit`. It repeats a bounded number of times only.
   */
  readonly pattern: string;
  readonly shortest: number;
  readonly longest: number;
  readonly check?: CheckDigitRule;
  /** A bar code that holds more than the number, which is serial number and check digit. */
  readonly isBarCode?: true;
  /** What is put before the serial number for the check digit, when the serial number matches a pattern. */
  readonly prepend?: { readonly when: string; readonly text: string };
}

const mod7 = { kind: 'mod7' } as const;

const format = (courier: string, name: string, pattern: string, lengths: readonly [number, number]): NumberFormat => ({
  courier,
  name,
  pattern,
  shortest: lengths[0],
  longest: lengths[1],
});

/** Of a serial shipping container code, with the zeros that name it as one in a bar code or without. */
const container = (courier: string, name: string, serial: string): NumberFormat => ({
  ...format(courier, name, `(?:00)?(?<SerialNumber>${serial})(?<CheckDigit>\\d)`, [18, 20]),
  check: gs1,
});

/** Formats that {@link numberFormats} does not have, as couriers describe them on their help pages. */
export const moreFormats: readonly NumberFormat[] = [
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
