import type { Checkpoint } from '../../service/record/record.ts';
import { subStatusText } from '../../service/record/status.ts';
import { fold } from '../text/fold.ts';

/** Sub-statuses that say no more than that there was an event. */
const plainOnes: ReadonlySet<string> = new Set(['IN_TRANSIT_01', 'ABNORMAL_08', 'DELIVERY_FAILED_04']);

/**
 * The wording of a checkpoint's sub-status when it says something that the carrier's own text does not;
 * null otherwise. A text in another script always gains by it.
 */
export function addedWording(checkpoint: Checkpoint): string | null {
  const wording = subStatusText(checkpoint.subStatus);
  if (wording === null || checkpoint.detail === null) return wording;
  if (plainOnes.has(checkpoint.subStatus ?? '')) return hasLatinLetters(checkpoint.detail) ? null : wording;
  const said = stems(checkpoint.detail);
  const wanted = [...stems(wording)];
  const repeated = wanted.filter((stem) => said.has(stem)).length;
  return wanted.length > 0 && repeated * 2 >= wanted.length ? null : wording;
}

/** Whether another text already says all that a courier's text does, in the same words or forms of them. */
export function addsNothing(text: string, other: string): boolean {
  if (fold(text) === fold(other)) return true;
  const [added, said] = [stems(text), stems(other)];
  return added.size > 0 && [...added].every((stem) => said.has(stem));
}

const smallWords: ReadonlySet<string> = new Set(['the', 'and', 'for', 'has', 'its', 'from', 'with', 'been', 'another']);

/** Beginnings of the words that carry the meaning: `delivered` and `delivery` count as one. */
function stems(text: string): Set<string> {
  const words = fold(text).match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.filter((word) => !smallWords.has(word)).map((word) => word.slice(0, 5)));
}

function hasLatinLetters(text: string): boolean {
  return /\p{Script=Latin}{3,}/u.test(text);
}
