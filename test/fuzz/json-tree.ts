import type { JsonValue } from '../../src/lib/json.ts';

/**
 * JSON that can represent what JavaScript values cannot: duplicate keys, `1e999`, `-0`, integers beyond 2^53, nesting
 * of any depth.
 */
export type JsonTree =
  | { readonly kind: 'object' | 'array'; readonly children: readonly Child[] }
  /** JSON text that is printed unchanged. */
  | { readonly kind: 'literal'; readonly text: string };

/** A value in an object or an array. */
export interface Child {
  /** JSON text of the key. Used only in objects, where the key of a child without one is its position. */
  readonly key: string | null;
  readonly tree: JsonTree;
}

/** The path of a node: positions among children, from the root. */
export type TreePath = readonly number[];

export const literal = (text: string): JsonTree => ({ kind: 'literal', text });

/** Converts an ordinary value to a tree. */
export function toTree(value: JsonValue): JsonTree {
  if (typeof value !== 'object' || value === null) return literal(JSON.stringify(value));
  if (Array.isArray(value)) {
    return { kind: 'array', children: value.map((item: JsonValue) => ({ key: null, tree: toTree(item) })) };
  }
  const children = Object.entries(value).map(([key, item]) => ({ key: JSON.stringify(key), tree: toTree(item) }));
  return { kind: 'object', children };
}

/** Returns a tree's JSON text. */
export function printTree(tree: JsonTree): string {
  if (tree.kind === 'literal') return tree.text;
  if (tree.kind === 'array') return `[${tree.children.map((child) => printTree(child.tree)).join(',')}]`;
  const entries = tree.children.map((child, position) => `${child.key ?? `"${position}"`}:${printTree(child.tree)}`);
  return `{${entries.join(',')}}`;
}

/** Returns the approximate length of a printed tree. */
export function sizeOf(tree: JsonTree): number {
  if (tree.kind === 'literal') return tree.text.length;
  return tree.children.reduce((size, child) => size + (child.key?.length ?? 0) + sizeOf(child.tree) + 2, 2);
}

/** Returns the paths of all nodes except the root, parents first. */
export function pathsOf(tree: JsonTree): readonly TreePath[] {
  if (tree.kind === 'literal') return [];
  return tree.children.flatMap((child, position) => [
    [position],
    ...pathsOf(child.tree).map((path) => [position, ...path]),
  ]);
}

/** Returns the node at a path, or null. */
export function nodeAt(tree: JsonTree, path: TreePath): JsonTree | null {
  const [position, ...rest] = path;
  if (position === undefined) return tree;
  const child = tree.kind === 'literal' ? undefined : tree.children[position];
  return child === undefined ? null : nodeAt(child.tree, rest);
}

/** Returns the tree with `edit` applied to the siblings at a path. */
export function editSiblings(
  tree: JsonTree,
  path: TreePath,
  edit: (siblings: readonly Child[], position: number) => readonly Child[],
): JsonTree {
  const [position, ...rest] = path;
  if (tree.kind === 'literal' || position === undefined) return tree;
  if (rest.length === 0) return { ...tree, children: edit(tree.children, position) };
  const children = tree.children.map((child, index) =>
    index === position ? { ...child, tree: editSiblings(child.tree, rest, edit) } : child,
  );
  return { ...tree, children };
}
