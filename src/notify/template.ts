import { trackingLink } from '../board/parcel-facts.ts';
import { nearestWord } from '../lib/text.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStatusText } from '../parcels/parcel-stage.ts';
import { nameOfCourier } from '../service/couriers.ts';

type GetValue = (change: Change, parcel: Parcel | null) => string | null;

const values: Readonly<Record<string, GetValue>> = {
  label: ({ label, trackNo }) => label ?? trackNo,
  number: ({ trackNo }) => trackNo,
  status: ({ message }, parcel) => (parcel === null ? message : parcelStatusText(parcel)),
  place: (_change, parcel) => parcel?.lastEvent?.address ?? null,
  courier: ({ courierCode }) => (courierCode === null ? null : nameOfCourier(courierCode)),
  link: (_change, parcel) => (parcel === null ? null : trackingLink(parcel)),
};

const placeholder = /\{([^{}]*)\}/g;

/** Returns what is wrong with a template, as a predicate, or null. */
export function templateProblem(template: string): string | null {
  const unknown = [...template.matchAll(placeholder)]
    .map(([, name = '']) => name)
    .find((name) => !Object.hasOwn(values, name));
  if (unknown === undefined) return null;
  const names = Object.keys(values);
  const nearest = nearestWord(unknown, names);
  const advice =
    nearest === null ? `use ${names.map((name) => `{${name}}`).join(' ')}` : `the closest match is {${nearest}}`;
  return `has an unknown placeholder {${unknown.slice(0, 40)}}; ${advice}`;
}

/** Fills in a template. Unknown values are left out. */
export const filledTemplate = (template: string, change: Change, parcel: Parcel | null): string =>
  template
    .replace(placeholder, (_, name: string) => values[name]?.(change, parcel) ?? '')
    .replace(/ {2,}/g, ' ')
    .trim();
