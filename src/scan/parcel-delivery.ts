import { cleanTextOrNull } from '../lib/clean-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { normaliseTrackNo } from '../lib/track-number.ts';
import { candidatesOf, fittingCouriers, type ScanCouriers } from './couriers.ts';
import { findInLink } from './find-in-link.ts';
import { type FoundNumber, plainNumber } from './found-number.ts';
import { matchFormats } from './match-formats.ts';

const maxDepth = 40;

export function findParcelDeliveries(couriers: ScanCouriers, value: JsonValue, depth = 0): readonly FoundNumber[] {
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((item) => findParcelDeliveries(couriers, item, depth + 1));
  if (!isJsonObject(value)) return [];
  return [
    ...numbersOfDelivery(couriers, value),
    ...Object.values(value).flatMap((item) => findParcelDeliveries(couriers, item, depth + 1)),
  ];
}

const isParcelDelivery = (value: JsonObject): boolean =>
  valuesOf(value['@type']).some(
    (type) => typeof type === 'string' && /^(?:https?:\/\/schema\.org\/|schema:)?ParcelDelivery$/i.test(type),
  );

const valuesOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** Does not look for deliveries in nested objects. Empty unless the object is a `ParcelDelivery`. */
export function numbersOfDelivery(couriers: ScanCouriers, delivery: JsonObject): readonly FoundNumber[] {
  if (!isParcelDelivery(delivery)) return [];
  const links = valuesOf(delivery['trackingUrl']).flatMap((link) =>
    typeof link === 'string' ? findInLink(couriers, link) : [],
  );
  const [name] = ['carrier', 'provider', 'deliveryProvider'].flatMap((key) => namesOf(delivery[key]));
  const courier = name === undefined ? null : couriers.ofName(name);
  const linked = links.find(({ courierCode }) => courierCode !== null);
  const label = cleanTextOrNull(namesOf(delivery['itemShipped']).slice(0, 3).join(', '));
  const orderNo = cleanTextOrNull(namesOf(delivery['partOfOrder'], 'orderNumber')[0]);
  const numbers = valuesOf(delivery['trackingNumber']).flatMap((value) => {
    const check = typeof value === 'string' || typeof value === 'number' ? normaliseTrackNo(String(value)) : null;
    return check?.ok === true ? [check.trackNo] : [];
  });
  const trackNos = numbers.length > 0 ? numbers : links.map(({ trackNo }) => trackNo);
  return [...new Set(trackNos)].map((trackNo) => {
    const fitting = fittingCouriers(matchFormats(trackNo));
    return {
      ...plainNumber,
      trackNo,
      evidence: 'parcel-delivery',
      certainty: 'sure',
      courierCode: courier === null ? (linked?.courierCode ?? null) : couriers.codeOf(courier),
      candidates:
        courier === null
          ? (linked?.candidates ?? candidatesOf(couriers, fitting))
          : candidatesOf(couriers, [courier, ...fitting]),
      label,
      orderNo,
    };
  });
}

function namesOf(value: JsonValue | undefined, key = 'name'): readonly string[] {
  return valuesOf(value).flatMap((item) => {
    const name = isJsonObject(item) ? valuesOf(item[key])[0] : item;
    return typeof name === 'string' && cleanTextOrNull(name) !== null ? [name] : [];
  });
}
