import type { Zone } from '../../lib/date-time.ts';
import { parseTable } from '../couriers.ts';
import type { EventKind } from './scenarios.ts';

export interface Place {
  /** In the local script. */
  readonly name: string;
  /** Two-letter country code. */
  readonly country: string;
  /** IANA name. */
  readonly zone: string;
}

/** In each country, the first row's first town has the airport and customs. */
const table = `
country | zone                      | names
AE | Asia/Dubai                     | دبي, أبوظبي, الشارقة
AR | America/Argentina/Buenos_Aires | Buenos Aires, Córdoba, Rosario
AT | Europe/Vienna                  | Wien, Graz, Linz, Sankt Pölten
AU | Australia/Sydney               | Sydney NSW, Newcastle NSW, Wollongong NSW
AU | Australia/Brisbane             | Brisbane QLD
AU | Australia/Adelaide             | Adelaide SA
AU | Australia/Perth                | Perth WA
BE | Europe/Brussels                | Liège, Bruxelles, Gent, Antwerpen
BR | America/Sao_Paulo              | São Paulo, Curitiba, Belo Horizonte
BR | America/Manaus                 | Manaus
CA | America/Toronto                | Mississauga ON, Ottawa ON, Montréal QC
CA | America/Vancouver              | Vancouver BC
CA | America/St_Johns               | St. John's NL
CH | Europe/Zurich                  | Zürich, Genève, Bern, Lugano
CL | America/Santiago               | Santiago, Valparaíso, Concepción
CN | Asia/Shanghai                  | 深圳, 上海, 广州, 义乌, 北京, 成都
CZ | Europe/Prague                  | Praha, Brno, Plzeň
DE | Europe/Berlin                  | Leipzig, Berlin, Köln, München, Hamburg, Nürnberg
DK | Europe/Copenhagen              | København, Aarhus, Odense
EG | Africa/Cairo                   | القاهرة, الإسكندرية, الجيزة
ES | Europe/Madrid                  | Madrid, Barcelona, València, A Coruña
ES | Atlantic/Canary                | Las Palmas
FI | Europe/Helsinki                | Helsinki, Tampere, Jyväskylä
FR | Europe/Paris                   | Roissy-en-France, Lyon, Nantes, Orléans, Bordeaux
GB | Europe/London                  | Heathrow, Manchester, Coventry, Edinburgh, Cardiff
GR | Europe/Athens                  | Αθήνα, Θεσσαλονίκη, Πάτρα
HK | Asia/Hong_Kong                 | 香港, 九龍, 荃灣
IE | Europe/Dublin                  | Dublin, Cork, Galway
IL | Asia/Jerusalem                 | תל אביב, חיפה, ירושלים
IN | Asia/Kolkata                   | मुंबई, दिल्ली, बेंगलुरु
IT | Europe/Rome                    | Milano, Roma, Bologna, Napoli
JP | Asia/Tokyo                     | 成田, 東京, 大阪, 福岡, 札幌
KR | Asia/Seoul                     | 인천, 서울, 부산, 대전
MX | America/Mexico_City            | Ciudad de México, Guadalajara, Monterrey
MY | Asia/Kuala_Lumpur              | Kuala Lumpur, Johor Bahru, Pulau Pinang
NG | Africa/Lagos                   | Lagos, Abuja, Ibadan
NL | Europe/Amsterdam               | Schiphol, Amsterdam, Rotterdam, Utrecht
NO | Europe/Oslo                    | Oslo, Bergen, Tromsø
NZ | Pacific/Auckland               | Auckland, Wellington, Christchurch
PH | Asia/Manila                    | Manila, Cebu, Davao
PL | Europe/Warsaw                  | Warszawa, Łódź, Kraków, Wrocław
PT | Europe/Lisbon                  | Lisboa, Porto, Coimbra
PT | Atlantic/Azores                | Ponta Delgada
RO | Europe/Bucharest               | București, Cluj-Napoca, Iași
RU | Europe/Moscow                  | Москва, Санкт-Петербург
RU | Asia/Yekaterinburg             | Екатеринбург
SA | Asia/Riyadh                    | الرياض, جدة, الدمام
SE | Europe/Stockholm               | Stockholm, Göteborg, Malmö
SG | Asia/Singapore                 | Changi, Jurong East, Tampines
TH | Asia/Bangkok                   | กรุงเทพฯ, เชียงใหม่, ขอนแก่น, ภูเก็ต
TR | Europe/Istanbul                | İstanbul, Ankara, İzmir
TW | Asia/Taipei                    | 桃園, 台北, 台中, 高雄
UA | Europe/Kyiv                    | Київ, Львів, Одеса
US | America/New_York               | Jamaica NY, Atlanta GA, Louisville KY, Newark NJ
US | America/Chicago                | Chicago IL, Memphis TN, Dallas TX
US | America/Denver                 | Denver CO, Salt Lake City UT
US | America/Phoenix                | Phoenix AZ
US | America/Los_Angeles            | Los Angeles CA, Seattle WA
VN | Asia/Ho_Chi_Minh               | TP. Hồ Chí Minh, Hà Nội, Đà Nẵng
ZA | Africa/Johannesburg            | Johannesburg, Cape Town, Durban
`;

/** The town with the airport comes first. */
export const placesByCountry: ReadonlyMap<string, readonly Place[]> = Map.groupBy(
  parseTable<'country' | 'zone' | 'names'>(table).flatMap(({ country, zone, names }) =>
    names.split(', ').map((name): Place => ({ name, country, zone })),
  ),
  (place) => place.country,
);

export const countries: readonly string[] = [...placesByCountry.keys()];

/** Milliseconds of journey time since midnight UTC before the first event. */
export type Position = number;

/** Some core statuses have no sub-status. */
export interface RecordStatus {
  readonly core: string;
  readonly sub: string | null;
}

export interface JourneyEvent {
  readonly position: Position;
  readonly kind: EventKind;
  /** Null if the courier does not name the place. */
  readonly place: Place | null;
  /** The zone of the local time, which is set even if the place is null. */
  readonly zone: Zone;
  readonly subStatus: string;
  /** The record's status after this event. */
  readonly recordStatus: RecordStatus;
}
