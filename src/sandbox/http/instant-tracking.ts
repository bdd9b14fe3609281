import type { EpochMs } from '../../service/clock/clock.ts';
import type { WireData, WireInstantRecord } from '../../service/record/wire.ts';
import type { JsonValue } from '../../service/text/json.ts';
import { isLanguage, type Language } from '../data/wording/languages.ts';
import { type Account, isRefusal } from '../world/account.ts';
import { object, read, text } from './body-schemas.ts';
import type { Credit } from './credit.ts';
import { flawOf, rejection, trackingItem, wordsFor } from './tracking-item.ts';

/** `zh`, `zh-CN` and `ZH_cn` all mean Chinese; null for a language that nobody here translates into. */
function languageOf(text: string | null): Language | null {
  const code = text?.toLowerCase().split(/[-_]/)[0] ?? '';
  return isLanguage(code) ? code : null;
}

/**
 * Instant tracking: one number, registered or not, looked up at its courier now. `accepted` is one
 * record; the account stays as it is, but every lookup uses up credit. A number of which nothing is known gets an empty
 * record. Throws a `RefusedCallError` when the body is of another shape or the credit is used up.
 */
export function instantTracking(
  account: Account,
  credit: Credit,
  body: JsonValue,
  now: EpochMs,
): WireData<WireInstantRecord | null> {
  const item = read(trackingItem, body);
  const { lang } = read(object({ lang: text }), body);
  const reject = (message: string): WireData<WireInstantRecord | null> => ({
    accepted: null,
    rejected: [rejection(0, item, item.courierCode, message)],
  });
  const flaw = flawOf(item);
  if (flaw !== null) return reject(flaw);
  const answer = account.lookUp(item, languageOf(lang), now);
  if (isRefusal(answer)) return reject(wordsFor(answer));
  credit.spend(1);
  return { accepted: answer, rejected: [] };
}
