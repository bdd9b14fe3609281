import { trackingLink } from '../board/courier-name.ts';
import { nearestWord } from '../lib/text.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { parcelStatusText } from '../parcels/parcel-stage.ts';
import { nameOfCourier } from '../service/couriers.ts';

type Fill = (change: Change, parcel: Parcel | null) => string | null;

const fills: Readonly<Record<string, Fill>> = {
  label: ({ label, trackNo }) => label ?? trackNo,
  number: ({ trackNo }) => trackNo,
  status: ({ message }, parcel) => (parcel === null ? message : parcelStatusText(parcel)),
  place: (_change, parcel) => parcel?.lastEvent?.address ?? null,
  courier: ({ courierCode }) => (courierCode === null ? null : nameOfCourier(courierCode)),
  link: (_change, parcel) => (parcel === null ? null : trackingLink(parcel)),
};

const placeholder = /\{([^{}]*)\}/g;

/** Returns a template's problem, or null. */
export function templateProblem(template: string): string | null {
  const unknown = [...template.matchAll(placeholder)]
    .map(([, name = '']) => name)
    .find((name) => !Object.hasOwn(fills, name));
  if (unknown === undefined) return null;
  const names = Object.keys(fills);
  const meant = nearestWord(unknown, names);
  const advice =
    meant === null ? `there are ${names.map((name) => `{${name}}`).join(' ')}` : `the nearest is {${meant}}`;
  return `has an unknown placeholder {${unknown.slice(0, 40)}}; ${advice}`;
}

/** Fills in a template. Unknown values become empty. */
export const filledTemplate = (template: string, change: Change, parcel: Parcel | null): string =>
  template
    .replace(placeholder, (_, name: string) => fills[name]?.(change, parcel) ?? '')
    .replace(/ {2,}/g, ' ')
    .trim();
