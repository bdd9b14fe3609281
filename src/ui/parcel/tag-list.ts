import { typedTags } from '../../board/input/typed-tags.ts';
import type { ParcelEdit } from '../../watchlist/model/parcel-factory.ts';

/** The change that a list of tags stands for. */
export type TagEdit = Required<Pick<ParcelEdit, 'addTags' | 'removeTags'>>;

/** Tags as they are typed: separated by commas, in quotes what would otherwise be read as something else. */
export const tagText = (tags: readonly string[]): string => tags.map(typedAs).join(', ');

function typedAs(tag: string): string {
  const [first, ...others] = typedTags(tag);
  // A quote at its beginning would look for its end in the tags behind.
  const isPlain = first?.name === tag && !first.isTakenOff && others.length === 0 && !tag.startsWith('"');
  return isPlain ? tag : `"${tag.replaceAll('"', '""')}"`;
}

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
  const typed = typedTags(text);
  const namesOf = (isTakenOff: boolean): readonly string[] => [
    ...new Set(typed.flatMap((tag) => (tag.isTakenOff === isTakenOff ? [tag.name] : []))),
  ];
  const [wanted, takenOff] = [namesOf(false), namesOf(true)];
  const addTags = wanted.filter((tag) => !shared.includes(tag) && !takenOff.includes(tag));
  return { addTags, removeTags: [...new Set([...shared.filter((tag) => !wanted.includes(tag)), ...takenOff])] };
}

/** A change of tags in words, e.g. `+fragile -gift`; null when it changes nothing. */
export function tagEditWords({ addTags, removeTags }: TagEdit): string | null {
  const words = [...addTags.map((tag) => `+${tag}`), ...removeTags.map((tag) => `-${tag}`)];
  return words.length === 0 ? null : words.join(' ');
}
