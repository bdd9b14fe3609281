import { cleanText } from '../../service/text/clean-text.ts';
import type { ParcelEdit } from '../../watchlist/model/parcel-factory.ts';

/** The change that a list of tags stands for. */
export type TagEdit = Required<Pick<ParcelEdit, 'addTags' | 'removeTags'>>;

/** Tags as they are typed: separated by commas. */
export const tagText = (tags: readonly string[]): string => tags.join(', ');

/** Tags that all of some parcels have. */
export function sharedTags(parcels: readonly { readonly tags: readonly string[] }[]): readonly string[] {
  const [first, ...others] = parcels;
  return (first?.tags ?? []).filter((tag) => others.every(({ tags }) => tags.includes(tag)));
}

/**
 * Reads a list of tags in place of the one that parcels share: what it lacks is taken off, what it has besides is added, and
 * a `-` takes off what only some of them have. A `#` before a tag does not matter.
 */
export function readTagEdit(shared: readonly string[], text: string): TagEdit {
  const listed = text.split(/,|(?<=\s)(?=-?#)/).map((part) => cleanText(part).trim());
  // One that is there already may begin with any sign.
  const isTakenOff = (part: string): boolean => part.startsWith('-') && !shared.includes(part);
  const wanted = namesOf(listed.filter((part) => !isTakenOff(part)));
  const takenOff = namesOf(listed.filter(isTakenOff).map((part) => part.slice(1)));
  const addTags = wanted.filter((tag) => !shared.includes(tag) && !takenOff.includes(tag));
  return { addTags, removeTags: [...new Set([...shared.filter((tag) => !wanted.includes(tag)), ...takenOff])] };
}

function namesOf(parts: readonly string[]): readonly string[] {
  const names = parts.map((part) => part.replace(/^#\s*/, '').trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** A change of tags in words, e.g. `+fragile -gift`; null when it changes nothing. */
export function tagEditWords({ addTags, removeTags }: TagEdit): string | null {
  const words = [...addTags.map((tag) => `+${tag}`), ...removeTags.map((tag) => `-${tag}`)];
  return words.length === 0 ? null : words.join(' ');
}
