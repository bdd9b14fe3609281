import { BadAnswerError, RequestRefusedError } from '../failures/errors.ts';
import { type Envelope, partsOf } from '../http/envelope.ts';
import type { Transport } from '../http/transport.ts';
import type { Operation, OperationTable } from '../operations.ts';
import type { AccountService } from '../port.ts';
import { decodeEach, decodeRecord, elementsOf } from '../record/decode-record.ts';
import type { InstantAnswer, RetrackOutcome, TrackKey } from '../record/record.ts';
import { isJsonObject, type JsonValue } from '../text/json.ts';
import { textField } from '../text/json-fields.ts';
import { isSameNumber } from '../text/same-number.ts';
import { decodeRejections } from './rejections.ts';
import { emptyAnswer, extrasBody, instantBody, keyBody, merchantBody } from './request-bodies.ts';

/** Delete, edit, change courier, retrack and instant tracking (`service/README.md`, "Operations"). */
export function createAccountCalls(
  transport: Transport,
  operations: OperationTable,
): Pick<AccountService, 'delete' | 'edit' | 'changeCourier' | 'retrack' | 'instant'> {
  return {
    async delete(keys, signal) {
      const { data } = await transport.call(operations.delete, keys.map(keyBody), signal);
      return decodeRejections(partsOf(data).rejected, keys);
    },

    async edit(edit, signal) {
      const body = { ...keyBody(edit), ...merchantBody(edit), ...extrasBody(edit.postalCode, edit.phoneSuffix) };
      refuseRejected(operations.edit, edit, await transport.call(operations.edit, body, signal));
    },

    async changeCourier(key, newCourierCode, signal) {
      const body = { ...keyBody(key), newCourierCode };
      refuseRejected(operations.changeCourier, key, await transport.call(operations.changeCourier, body, signal));
    },

    async retrack(keys, signal) {
      const [only, ...others] = keys;
      if (only === undefined) return [];
      const isOne = others.length === 0;
      const operation = isOne ? operations.refresh : operations.refreshBatch;
      const envelope = await transport.call(operation, isOne ? keyBody(only) : keys.map(keyBody), signal);
      return retrackOutcomes(envelope.data, keys);
    },

    async instant(item, signal): Promise<InstantAnswer> {
      const envelope = await transport.call(operations.instant, instantBody(item), signal);
      const { accepted, rejected } = partsOf(envelope.data);
      const record = decodeEach(elementsOf(accepted), (value) => decodeRecord(value, transport.latestNow())).find(
        (found) => isSameNumber(found.trackNo, item.trackNo),
      );
      if (record !== undefined) return { kind: 'record', record };
      const [rejection] = decodeRejections(rejected, [item]);
      if (rejection !== undefined) return { kind: 'rejected', rejection };
      throw accepted === undefined && rejected === undefined
        ? emptyAnswer(operations.instant, envelope)
        : new BadAnswerError(`The answer to "${operations.instant.title}" says nothing about ${item.trackNo}.`, {
            traceId: envelope.traceId,
          });
    },
  };
}

function refuseRejected(operation: Operation, key: TrackKey, { data, traceId }: Envelope): void {
  const [rejection] = decodeRejections(partsOf(data).rejected, [key]);
  if (rejection === undefined) return;
  throw new RequestRefusedError(`The service refused "${operation.title}". It says: "${rejection.message}".`, {
    code: rejection.code,
    traceId,
  });
}

const namedNumber = (entry: JsonValue): string | null => (isJsonObject(entry) ? textField(entry, 'trackNo') : null);

/**
 * The answer holds `success` and `actualRefreshTime`, for one number plain, for several in a list; numbers under
 * `rejected`, and those that the answer says nothing about, were not retracked.
 */
function retrackOutcomes(data: JsonValue | undefined, keys: readonly TrackKey[]): readonly RetrackOutcome[] {
  const { accepted, rejected } = partsOf(data);
  const rejections = decodeRejections(rejected, keys);
  const entries = Array.isArray(data)
    ? elementsOf(data)
    : accepted === undefined
      ? elementsOf(data)
      : elementsOf(accepted);
  const isSilent = data === undefined || data === null;
  return keys.map((key): RetrackOutcome => {
    const isAbout = (trackNo: string | null): boolean => trackNo !== null && isSameNumber(trackNo, key.trackNo);
    const rejection = rejections.find((entry) => isAbout(entry.trackNo));
    const named = entries.find((entry) => isAbout(namedNumber(entry)));
    // A plain answer about one number need not repeat it.
    const entry = named ?? (keys.length === 1 ? entries.find((plain) => namedNumber(plain) === null) : undefined);
    const details = isJsonObject(entry) ? entry : {};
    const isSaid = details['success'];
    return {
      ...key,
      // Success without a word more counts: the operation has nothing else to say.
      accepted: rejection === undefined && (isSilent || entry !== undefined) && isSaid !== false && isSaid !== 'false',
      actualRefreshTime: textField(details, 'actualRefreshTime'),
      message: rejection?.message ?? textField(details, 'msg') ?? textField(details, 'message'),
    };
  });
}
