import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { type Child, editSiblings, type JsonTree, literal, nodeAt, pathsOf, printTree, sizeOf } from './json-tree.ts';
import { oddKeys, oddValues } from './odd-values.ts';

/** One change to a response. Positions count all nodes of the tree and wrap around, so that every number is valid. */
export interface Mutation {
  readonly change: ChangeName;
  readonly place: number;
  /** A second position, for mutations that use two. */
  readonly other: number;
  /** JSON text of a key and of a value, for mutations that insert. */
  readonly key: string;
  readonly value: string;
}

interface Target {
  readonly siblings: readonly Child[];
  readonly position: number;
  readonly node: JsonTree;
  /** The value in the second place. */
  readonly donor: JsonTree;
  readonly mutation: Mutation;
}

/** The number of copies: up to 299, as long as the response does not become too large. */
const copyCount = ({ mutation, node }: Target): number =>
  Math.min(mutation.other % 300, Math.floor(maxResponseSize / sizeOf(node)));

type Change = (target: Target) => readonly Child[];

const withTree = ({ siblings, position }: Target, tree: JsonTree): readonly Child[] =>
  siblings.map((child, index) => (index === position ? { ...child, tree } : child));

const insertAfter = ({ siblings, position }: Target, ...added: readonly Child[]): readonly Child[] =>
  siblings.toSpliced(position + 1, 0, ...added);

const targetChild = ({ siblings, position, node }: Target): Child => siblings[position] ?? { key: null, tree: node };

/**
 * Turns a number into a string, a numeric string into a number, objects into arrays and back, anything else into a
 * boolean.
 */
function changeType(node: JsonTree): JsonTree {
  if (node.kind !== 'literal') return { ...node, kind: node.kind === 'array' ? 'object' : 'array' };
  if (/^-?\d/.test(node.text)) return literal(`"${node.text}"`);
  if (/^"-?(?:0|[1-9]\d*)"$/.test(node.text)) return literal(node.text.slice(1, -1));
  return literal(node.text === 'true' ? 'false' : 'true');
}

const changes = {
  remove: ({ siblings, position }) => siblings.toSpliced(position, 1),
  nullify: (target) => withTree(target, literal('null')),
  retype: (target) => withTree(target, changeType(target.node)),
  replace: (target) => withTree(target, literal(target.mutation.value)),
  rename: ({ siblings, position, mutation }) =>
    siblings.map((child, index) => (index === position ? { ...child, key: mutation.key } : child)),
  nestInObject: (target) =>
    withTree(target, { kind: 'object', children: [{ key: target.mutation.key, tree: target.node }] }),
  nestInArray: (target) => withTree(target, { kind: 'array', children: [{ key: null, tree: target.node }] }),
  unnest: (target) =>
    target.node.kind === 'literal' ? target.siblings : withTree(target, target.node.children[0]?.tree ?? target.node),
  inject: (target) => insertAfter(target, { key: target.mutation.key, tree: literal(target.mutation.value) }),
  injectInside: (target) =>
    target.node.kind === 'literal'
      ? target.siblings
      : withTree(target, {
          ...target.node,
          children: [...target.node.children, { key: target.mutation.key, tree: literal(target.mutation.value) }],
        }),
  duplicate: (target) => insertAfter(target, targetChild(target)),
  multiply: (target) => insertAfter(target, ...Array.from({ length: copyCount(target) }, () => targetChild(target))),
  graft: (target) => withTree(target, target.donor),
  swapSiblings: ({ siblings, position, mutation }) => {
    const other = mutation.other % siblings.length;
    const [first, second] = [siblings[position], siblings[other]];
    if (first === undefined || second === undefined) return siblings;
    // Only the values are swapped; the keys stay.
    return siblings.with(position, { ...first, tree: second.tree }).with(other, { ...second, tree: first.tree });
  },
  reverse: ({ siblings }) => siblings.toReversed(),
} satisfies Record<string, Change>;

type ChangeName = keyof typeof changes;

/** In characters. A larger response does not grow further, because other tests cover the size limits. */
const maxResponseSize = 300_000;

/** Returns the tree after one mutation. */
export function mutate(tree: JsonTree, mutation: Mutation): JsonTree {
  if (sizeOf(tree) > maxResponseSize) return tree;
  const paths = pathsOf(tree);
  const path = paths[mutation.place % Math.max(1, paths.length)];
  const donorPath = paths[mutation.other % Math.max(1, paths.length)];
  if (path === undefined || donorPath === undefined) return tree;
  const node = nodeAt(tree, path);
  const donor = nodeAt(tree, donorPath);
  if (node === null || donor === null) return tree;
  return editSiblings(tree, path, (siblings, position) =>
    changes[mutation.change]({ siblings, position, node, donor, mutation }),
  );
}

const text = fc.oneof(
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }) },
  // Single code units, so that lone surrogates occur anywhere.
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
      .map((units) => String.fromCharCode(...units)),
  },
);
const encodedText = text.map((value) => JSON.stringify(value));

/** Any mutation. Failures shrink to smaller ones. */
export const anyMutation: fc.Arbitrary<Mutation> = fc.record({
  change: fc.constantFrom(...(Object.keys(changes) as ChangeName[])),
  place: fc.nat(2000),
  other: fc.nat(2000),
  key: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...oddKeys) }, { weight: 1, arbitrary: encodedText }),
  value: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...oddValues) }, { weight: 1, arbitrary: encodedText }),
});

/** Returns a response's JSON text after all mutations. */
export function printMutated(tree: JsonTree, mutations: readonly Mutation[]): string {
  return printTree(mutations.reduce(mutate, tree));
}
