import { fold } from '../../board/text/fold.ts';
import type { Binding, KeyGroup } from '../keys/binding.ts';
import type { KeyContext } from '../keys/context.ts';
import { keyCap } from '../keys/key-caps.ts';

/** A key of the help, with where it holds. */
export interface HelpItem<in Board> {
  readonly binding: Binding<Board>;
  readonly context: KeyContext;
  /** Heading of its group. */
  readonly group: string;
}

/** A group of keys, as far as the help lists it. */
export type ListedGroup<Board> = Pick<KeyGroup<never, Board>, 'bindings' | 'context' | 'parts' | 'title'>;

/**
 * The keys that the help lists, best match first; in the order of the keymap, the focused pane's first, while nothing is
 * searched for. All words of a search are found: in the description, the keys, the group or the binding's further words.
 * What several groups have is one result, where it can be done best.
 */
export function searchHelp<Board>(
  keymap: readonly ListedGroup<Board>[],
  first: KeyContext,
  query: string,
): readonly HelpItem<Board>[] {
  const groups = keymap.toSorted((a, b) => Number(b.context === first) - Number(a.context === first));
  const items = groups.flatMap(itemsOf);
  const wanted = fold(query);
  if (wanted === '') return items;
  const isNear = ({ context }: HelpItem<Board>): boolean => context === first || context === 'global';
  const results = items
    .map((item) => ({ item, rank: rankOf(item, query.trim(), wanted) }))
    .filter(({ rank }) => rank !== noMatch)
    .toSorted((a, b) => a.rank - b.rank || Number(isNear(b.item)) - Number(isNear(a.item)))
    .map(({ item }) => item);
  return results.filter(({ binding }, at) => results.findIndex((one) => one.binding === binding) === at);
}

/** The keys of a group by their headings. */
function itemsOf<Board>({ bindings, context, parts = [], title }: ListedGroup<Board>): readonly HelpItem<Board>[] {
  const inParts = new Set(parts.flatMap((part) => part.bindings));
  const own = { title, bindings: bindings.filter((binding) => !inParts.has(binding)) };
  return [own, ...parts].flatMap((part) =>
    part.bindings.map((binding): HelpItem<Board> => ({ binding, context, group: part.title })),
  );
}

const noMatch = Number.POSITIVE_INFINITY;

/** How well a key matches, the best with 0: the key itself, then what its description or a further word begins with, then words of it. */
function rankOf({ binding, group }: HelpItem<never>, typed: string, wanted: string): number {
  const description = fold(binding.description);
  const furtherWords = binding.alsoFoundBy ?? [];
  const caps = binding.keys.map((key) => keyCap(key, 'ascii'));
  // Upper and lower case are two keys.
  if (caps.includes(typed)) return 0;
  if ([description, ...furtherWords].some((text) => text.startsWith(wanted))) return 1;
  if (` ${description}`.includes(` ${wanted}`)) return 2;
  const text = `${description} ${fold(caps.join(' '))} ${fold(group)} ${furtherWords.join(' ')}`;
  return wanted.split(' ').every((word) => text.includes(word)) ? 3 : noMatch;
}
