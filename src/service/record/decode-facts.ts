import type { JsonObject } from '../text/json.ts';
import { cleanedTextField, integerField, objectField } from '../text/json-fields.ts';
import { expectedDelivery } from './expected-delivery.ts';
import type { ParcelFacts } from './record.ts';

/** Names of facts that a record holds as texts of its own. */
const recordTexts = ['deliveredTime', 'orderNo', 'remark'] as const;
/** Names of facts that are texts of `extraInfo`. */
const extraTexts = ['signedBy', 'weight', 'dimensions', 'serviceCode'] as const;

/** Reads the further facts of a record, which has been cleaned; what is missing is absent. */
export function decodeFacts(record: JsonObject): ParcelFacts {
  const extraInfo = objectField(record, 'extraInfo');
  const expected = expectedDelivery(record);
  const pieces = integerField(extraInfo, 'pieces');
  return {
    ...(expected === null ? {} : { expectedDelivery: expected }),
    ...textsOf(record, recordTexts),
    ...textsOf(extraInfo, extraTexts),
    ...(pieces === null || pieces < 1 ? {} : { pieces }),
  };
}

function textsOf<Name extends string>(source: JsonObject, names: readonly Name[]): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = cleanedTextField(source, name);
    if (text !== null) texts[name] = text;
  }
  return texts;
}
