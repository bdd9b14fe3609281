import { decodeEach, elementsOf } from '../record/decode-record.ts';
import type { Rejection, TrackKey } from '../record/record.ts';
import { isJsonObject, type JsonValue } from '../text/json.ts';
import { integerField, objectField, textField } from '../text/json-fields.ts';
import { reasonWords } from '../text/reason-words.ts';
import { foldNumber } from '../text/same-number.ts';
import { courierCodeOrNull } from '../text/word.ts';

/** Decodes an entry of `data.rejected` (`service/README.md`, "Rejections"). */
function decodeRejection(value: JsonValue): Rejection | null {
  if (!isJsonObject(value)) return null;
  const error = objectField(value, 'error');
  const plainError = textField(value, 'error');
  return {
    index: integerField(value, 'index'),
    trackNo: textField(value, 'trackNo'),
    courierCode: courierCodeOrNull(textField(value, 'courierCode')),
    code: textField(error, 'code') ?? textField(value, 'code'),
    message: reasonWords(
      textField(error, 'msg') ??
        textField(error, 'message') ??
        plainError ??
        textField(value, 'msg') ??
        textField(value, 'message') ??
        'The service gave no reason.',
    ),
  };
}

/**
 * Decodes `data.rejected`. An entry that names no number gets it from its position in the request; one that names a
 * number which was not in the request is left out.
 */
export function decodeRejections(
  rejected: JsonValue | undefined,
  requested: readonly TrackKey[],
): readonly Rejection[] {
  const numbers = new Set(requested.map((key) => foldNumber(key.trackNo)));
  return decodeEach(elementsOf(rejected), decodeRejection)
    .map((entry) => ({
      ...entry,
      trackNo: entry.trackNo ?? (entry.index === null ? null : (requested[entry.index]?.trackNo ?? null)),
    }))
    .filter((entry) => entry.trackNo !== null && numbers.has(foldNumber(entry.trackNo)));
}

/**
 * A rejected registration of a number that is registered already: the text says order number and means the tracking
 * number.
 */
export function isAlreadyRegistered(rejection: Rejection): boolean {
  return /has been (?:imported|registered)|already (?:been )?(?:registered|imported|exists?)\b/i.test(
    rejection.message,
  );
}

const unregistered = /\b(?:not (?:yet )?(?:been )?(?:registered|imported)|unregistered)\b/i;
const unheard = /\b(?:number|trackNo) (?:is )?(?:does not exist|not found)\b/i;

/** A rejected query of a number that the account does not hold. */
export function isNotRegistered(rejection: Pick<Rejection, 'message'>): boolean {
  return unregistered.test(rejection.message) || unheard.test(rejection.message);
}

/**
 * A rejected registration of a number whose courier the service did not find. The public service says so in the words for a
 * number that the account does not hold.
 */
export function isUndetected(rejection: Pick<Rejection, 'message'>): boolean {
  return unregistered.test(rejection.message) || undetected.test(rejection.message);
}

/** A rejected registration, or another call, that names a courier that the service does not know. */
export function isUnknownCourier({ message }: Pick<Rejection, 'message'>): boolean {
  return /(?:unsupported|unknown) (?:logistics|courier|carrier)/i.test(message);
}

const undetected =
  /(?:courier|carrier|supplier)\b.{0,40}\b(?:not|cannot|unable to) (?:be )?(?:detect|identif|recogni[sz])/i;
