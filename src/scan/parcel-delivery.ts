import { cleanTextOrNull } from '../lib/clean-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { normaliseTrackNo } from '../lib/track-number.ts';
import { fittingCouriers } from './couriers.ts';
import { findInLink, type NumberFinder } from './find-in-link.ts';
import type { PlacelessFinding } from './scanned-number.ts';

/** Deepest nesting that is looked into, and most values. */
const deepest = 40;
const mostValues = 200_000;

/**
 * The numbers of the schema.org `ParcelDelivery` objects in a document, wherever they stand in it.
 * @param document JSON-LD, or microdata in its shape
 */
export function findParcelDeliveries(finder: NumberFinder, document: JsonValue): readonly PlacelessFinding[] {
  const found: PlacelessFinding[] = [];
  let waiting: readonly JsonValue[] = [document];
  let seen = 0;
  for (let depth = 0; depth < deepest && waiting.length > 0; depth += 1) {
    const next: JsonValue[] = [];
    for (const value of waiting) {
      if (isJsonObject(value) && isParcelDelivery(value)) found.push(...numbersOf(finder, value));
      if (typeof value !== 'object' || value === null) continue;
      for (const item of isJsonObject(value) ? Object.values(value) : value) {
        seen += 1;
        if (typeof item === 'object' && item !== null && seen < mostValues) next.push(item);
      }
    }
    waiting = next;
  }
  return found;
}

const isParcelDelivery = (value: JsonObject): boolean =>
  valuesOf(value['@type']).some(
    (type) => typeof type === 'string' && /^(?:https?:\/\/schema\.org\/|schema:)?ParcelDelivery$/i.test(type),
  );

const valuesOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

function numbersOf(finder: NumberFinder, delivery: JsonObject): readonly PlacelessFinding[] {
  const links = valuesOf(delivery['trackingUrl']).flatMap((link) =>
    typeof link === 'string' ? findInLink(finder, link) : [],
  );
  const courierName =
    namesOf(delivery['carrier']).concat(namesOf(delivery['provider']), namesOf(delivery['deliveryProvider']))[0] ??
    null;
  const named = courierName === null ? null : finder.couriers.ofName(courierName);
  const courier = named ?? links.find((link) => link.courier !== null)?.courier ?? null;
  const label = cleanTextOrNull(namesOf(delivery['itemShipped']).slice(0, 3).join(', '));
  const numbers = valuesOf(delivery['trackingNumber']).flatMap((value) => {
    const check = typeof value === 'string' || typeof value === 'number' ? normaliseTrackNo(String(value)) : null;
    return check?.ok === true ? [check.trackNo] : [];
  });
  const trackNos = numbers.length > 0 ? numbers : links.map(({ trackNo }) => trackNo);
  return [...new Set(trackNos)].map((trackNo) => ({
    trackNo,
    evidence: 'parcel-delivery',
    trust: 'sure',
    courier,
    fitting: fittingCouriers(finder.couriers, finder.formats.match(trackNo)),
    label,
    mistypedFor: null,
    orderNo: null,
  }));
}

/** Names of things: texts, or objects with a name. */
function namesOf(value: JsonValue | undefined): readonly string[] {
  return valuesOf(value).flatMap((item) => {
    const name = isJsonObject(item) ? valuesOf(item['name'])[0] : item;
    return typeof name === 'string' && cleanTextOrNull(name) !== null ? [name] : [];
  });
}
