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

/** Countries and territories that have a post of their own (ISO 3166-1). */
const countries: ReadonlySet<string> = new Set(
  [
    'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA',
    'CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO',
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE',
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN',
    'MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT',
    'PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK',
    'TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW',
  ].flatMap((row) => row.split(' ')),
);

const isCourier = (courierCode: string | null, name: string): boolean =>
  courierCode !== null && courierCode.toLowerCase().split(/[^a-z0-9]+/)[0] === name;

const kinds: readonly NumberKind[] = [
  {
    name: 'a postal number (UPU S10)',
    fits: (trackNo) => countries.has(postalItem.exec(trackNo)?.[3] ?? ''),
    verifies: (trackNo) => {
      const [, serial = '', check = ''] = postalItem.exec(trackNo) ?? [];
      const rest = 11 - (weighted(serial, [8, 6, 4, 2, 3, 5, 9, 7]) % 11);
      return Number(check) === (rest === 10 ? 0 : rest === 11 ? 5 : rest);
    },
  },
  {
    name: 'a UPS number',
    fits: (trackNo) => upsParcel.test(trackNo),
    verifies: (trackNo) => {
      const [, body = '', check = ''] = upsParcel.exec(trackNo) ?? [];
      const digits = [...body].map((character) =>
        /\d/.test(character) ? character : String((character.charCodeAt(0) - 63) % 10),
      );
      return check === String((10 - (weighted(digits.join(''), [1, 2]) % 10)) % 10);
    },
  },
  {
    name: 'a USPS number',
    fits: (trackNo, courierCode) =>
      uspsParcel.test(trackNo) || (isCourier(courierCode, 'usps') && /^\d{20}$/.test(trackNo)),
    verifies: (trackNo) => hasModulo10(uspsParcel.exec(trackNo)?.[1] ?? trackNo),
  },
  {
    name: 'a FedEx Express number',
    fits: (trackNo, courierCode) => isCourier(courierCode, 'fedex') && /^\d{12}$/.test(trackNo),
    verifies: (trackNo) => (weighted(trackNo.slice(0, 11), [3, 1, 7]) % 11) % 10 === Number(trackNo.slice(11)),
  },
  {
    name: 'a FedEx Ground number',
    fits: (trackNo, courierCode) => isCourier(courierCode, 'fedex') && /^\d{15}$/.test(trackNo),
    verifies: hasModulo10,
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

/** The sum of the digits, each times its weight; the weights are repeated as often as needed. */
function weighted(digits: string, weights: readonly number[]): number {
  return [...digits].reduce((sum, digit, index) => sum + Number(digit) * (weights[index % weights.length] ?? 0), 0);
}

/** The check digit of GS1: every other digit counts three times, beginning beside the check digit. */
function hasModulo10(trackNo: string): boolean {
  const reversed = [...trackNo.slice(0, -1)].reverse().join('');
  return (10 - (weighted(reversed, [3, 1]) % 10)) % 10 === Number(trackNo.slice(-1));
}
