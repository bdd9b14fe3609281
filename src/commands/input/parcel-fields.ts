import { courierOfPage } from '../../board/courier/courier-name.ts';
import { typedTags } from '../../board/input/typed-tags.ts';
import type { CourierNeed } from '../../service/record/courier-needs.ts';
import { cleanTextOrNull } from '../../service/text/clean-text.ts';
import { isCourierCode } from '../../service/text/word.ts';
import { checkExtra } from '../../watchlist/rules/extras.ts';
import { UsageError } from '../session/errors.ts';

/** Reads `--postal-code`; null clears it. Throws a {@link UsageError}, which does not repeat the value. */
export function readPostalCode(text: string): string | null {
  return readExtra('postal-code', text);
}

/** Reads `--phone-suffix`; null clears it. Throws a {@link UsageError}, which does not repeat the value. */
export function readPhoneSuffix(text: string): string | null {
  return readExtra('phone-suffix', text);
}

function readExtra(kind: CourierNeed, text: string): string | null {
  const check = checkExtra(kind, text);
  if (!check.ok) throw new UsageError(check.message);
  return check.value;
}

/** Reads `--label`; null clears it. */
export function readLabel(text: string): string | null {
  return cleanTextOrNull(text);
}

/**
 * Reads `--tag` and `--untag`, which may be given several times and hold several tags each, as on the board; each tag once.
 * Throws a {@link UsageError} for one without text, or with the `-` that takes a tag off on the board.
 */
export function readTags(texts: readonly string[]): readonly string[] {
  const tags = texts.flatMap((text) => {
    const typed = typedTags(text);
    if (typed.length === 0) throw new UsageError('A tag needs a text, such as: --tag gift.');
    return typed;
  });
  const takenOff = tags.find(({ isTakenOff }) => isTakenOff);
  if (takenOff !== undefined) {
    const { name } = takenOff;
    throw new UsageError(
      `"-${name}" does not name a tag here. "edit --untag" takes the tag ${name} off; quotes hold a "-" before a tag: '"-${name}"'.`,
    );
  }
  return [...new Set(tags.map(({ name }) => name))];
}

/** Reads a courier code, or the address of the courier's page, in the case in which the service lists them; null clears it. */
export function readCourierCode(text: string): string | null {
  const code = courierOfPage(text) ?? text.normalize('NFKC').trim().toLowerCase();
  if (code === '') return null;
  if (!isCourierCode(code)) {
    throw new UsageError(`"${cleanTextOrNull(text) ?? ''}" is no courier code; "parcel-monitor couriers" lists them.`);
  }
  return code;
}
