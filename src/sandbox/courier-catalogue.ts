import type { WireCourier } from '../service/wire.ts';
import { type Courier, couriers, couriersByCode, wireFieldsOf } from './couriers.ts';

/** The couriers of one sandbox. */
interface CourierCatalogue {
  /** Under whose codes numbers can be registered. */
  readonly byCode: ReadonlyMap<string, Courier>;
  /** The answer of Get Carriers. */
  readonly rows: readonly WireCourier[];
}

/** The public list is known to hold rows without a code or without names; clients have to bear them. */
const incompleteRows: readonly WireCourier[] = [
  { courierCode: null, courierNameCN: '未命名承运商', courierNameEN: null, courierHomePage: null },
  { courierCode: '', courierNameCN: null, courierNameEN: '', courierHomePage: '' },
];

/** A courier that nobody knows, in the home country and language of one that everybody knows. */
function regionalCourier(index: number): Courier {
  const number = String(index + 1).padStart(4, '0');
  const model = couriers[index % couriers.length];
  return {
    code: `regional-courier-${number}`,
    nameEN: `Regional Courier ${number}`,
    nameCN: `区域快递 ${number}`,
    country: model?.country ?? 'CN',
    reach: 'domestic',
    language: model?.language ?? 'en',
    homePage: `https://regional-courier-${number}.example`,
    linkTemplate: `https://regional-courier-${number}.example/track?number={trackNo}`,
  };
}

/** As in the public list, now and then a name is missing, and a few rows have no code at all. */
function regionalRow(courier: Courier, index: number): WireCourier {
  const row = wireFieldsOf(courier);
  if (index % 97 === 5) return { ...row, courierCode: index % 2 === 0 ? null : '' };
  if (index % 13 === 3) return { ...row, courierNameEN: index % 2 === 0 ? null : '' };
  if (index % 17 === 4) return { ...row, courierNameCN: null };
  return index % 29 === 6 ? { ...row, courierHomePage: null } : row;
}

/**
 * The simulated couriers and, where `padding` is more rows than they fill, invented regional ones: numbers can
 * be registered under all codes in the list.
 */
export function courierCatalogue(padding: number): CourierCatalogue {
  const known = [...couriers.map(wireFieldsOf), ...incompleteRows];
  const regional = Array.from({ length: Math.max(0, padding - known.length) }, (_, index) => regionalCourier(index));
  return {
    byCode: new Map([...couriersByCode, ...regional.map((courier) => [courier.code, courier] as const)]),
    rows: [...known, ...regional.map(regionalRow)],
  };
}
