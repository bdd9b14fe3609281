import type { Aspect, Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { AspectJson, ChangeJson, WatchJson } from './json-schemas.ts';
import { errorJson, type JsonCircumstances, parcelJson } from './parcel-json.ts';

/** A line of the change log as `changes --json` prints it: exactly the documented fields. */
export function changeJson(change: Change): ChangeJson {
  const { at, courierCode, from, label, message, noticedAt, seq, to, trackNo } = change;
  return {
    version: 1,
    seq,
    at,
    noticedAt,
    change: change.change,
    trackNo,
    courierCode,
    label,
    from: aspectJson(from),
    to: aspectJson(to),
    message,
    text: `${label ?? trackNo}: ${message}`,
  };
}

/** A line of the change log as `watch --json` prints it, with its parcel. */
export function watchJson(change: Change, parcel: Parcel, circumstances: JsonCircumstances): WatchJson {
  return { ...changeJson(change), parcel: parcelJson(parcel, circumstances) };
}

function aspectJson(aspect: Aspect | null): AspectJson | null {
  if (aspect === null) return null;
  const { courierCode, error, lastEvent, stage, state, status, subStatus } = aspect;
  return {
    ...(state === undefined ? {} : { state }),
    ...(stage === undefined ? {} : { stage }),
    ...(status === undefined ? {} : { status }),
    ...(subStatus === undefined ? {} : { subStatus }),
    ...(courierCode === undefined ? {} : { courierCode }),
    ...(lastEvent === undefined ? {} : { lastEvent: lastEvent && eventJson(lastEvent) }),
    ...(error === undefined ? {} : { error: error && errorJson(error) }),
  };
}

function eventJson(event: NonNullable<Aspect['lastEvent']>): NonNullable<AspectJson['lastEvent']> {
  const { address, at, certain, detail, local, offset, subStatus } = event;
  return { at, local, offset, certain, address, detail, subStatus };
}
