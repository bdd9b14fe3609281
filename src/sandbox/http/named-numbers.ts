import type { WireRejection, WireTrackKey } from '../../service/record/wire.ts';
import type { JsonValue } from '../../service/text/json.ts';
import type { Account } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import { missingParameter } from './answers.ts';
import { objectOf, textField } from './fields.ts';
import { notRegistered, rejection } from './tracking-item.ts';

/** A number as the body of an operation names it. */
export interface NamedNumber {
  readonly trackNo: string;
  readonly courierCode: string | null;
}

/** Reads `{trackNo, courierCode}`. Throws a `RefusedCallError` when it is no object or a field is no text. */
export function readNamedNumber(value: JsonValue): NamedNumber {
  const source = objectOf(value);
  return { trackNo: textField(source, 'trackNo') ?? '', courierCode: textField(source, 'courierCode') };
}

/** A required text field. Throws a `RefusedCallError` when it is absent or blank. */
export function requiredField(value: JsonValue, name: string): string {
  const text = textField(objectOf(value), name);
  if (text === null) throw missingParameter(`${name} cannot be empty`);
  return text;
}

/** Names a registered number in an answer. */
export function keyOf({ trackNo, courier }: Registration): WireTrackKey {
  return { trackNo, courierCode: courier.code };
}

/** `data.rejected` for numbers that the account does not hold. */
export function rejectUnregistered(account: Account, numbers: readonly NamedNumber[]): readonly WireRejection[] {
  return numbers.flatMap(({ trackNo, courierCode }, index) =>
    account.find(trackNo, courierCode).length > 0 ? [] : [rejection(index, { trackNo }, null, notRegistered)],
  );
}
