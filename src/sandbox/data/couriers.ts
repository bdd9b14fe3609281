import { courierTable } from './courier-table.ts';
import { readTable } from './table.ts';
import { isLanguage, type Language } from './wording/languages.ts';

/** Where a courier carries: see the table. */
export type Reach = 'world' | 'post' | 'export' | 'domestic';

/** One simulated courier. */
export interface Courier {
  readonly code: string;
  readonly nameEN: string;
  readonly nameCN: string;
  /** Home country, two letters. */
  readonly country: string;
  readonly reach: Reach;
  /** Language of its event texts. */
  readonly language: Language;
  readonly homePage: string;
  /** Holds `{trackNo}` where the number goes. */
  readonly linkTemplate: string;
}

const isReach = (text: string): text is Reach => ['world', 'post', 'export', 'domestic'].includes(text);

/** All simulated couriers. */
export const couriers: readonly Courier[] = readTable<keyof Courier>(courierTable).map((row) => ({
  ...row,
  reach: isReach(row.reach) ? row.reach : 'domestic',
  language: isLanguage(row.language) ? row.language : 'en',
}));

/** The same couriers by code. */
export const couriersByCode: ReadonlyMap<string, Courier> = new Map(couriers.map((courier) => [courier.code, courier]));

/** The designated post of each country that has one here. */
export const postsByCountry: ReadonlyMap<string, Courier> = new Map(
  couriers.filter((courier) => courier.reach === 'post').map((courier) => [courier.country, courier]),
);

/** How the service names a courier. */
export const wireFieldsOf = ({ code, nameCN, nameEN, homePage }: Courier) => ({
  courierCode: code,
  courierNameCN: nameCN,
  courierNameEN: nameEN,
  courierHomePage: homePage,
});

/** The courier's tracking page for a number. */
export function trackingLink(courier: Courier, trackNo: string): string {
  return courier.linkTemplate.replace('{trackNo}', encodeURIComponent(trackNo));
}
