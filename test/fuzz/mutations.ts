import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { type Child, editSiblings, type JsonTree, literal, nodeAt, pathsOf, printTree, sizeOf } from './json-tree.ts';
import { oddKeys, oddValues } from './odd-values.ts';

/** One change of a response. Positions are counted through the tree and wrap around, so that every number is valid. */
export interface Mutation {
  readonly change: ChangeName;
  readonly place: number;
  /** A second position, for mutations with two. */
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

/** Up to 300 copies, as long as the response does not become too large. */
const timesFitting = ({ mutation, node }: Target): number =>
  Math.min(mutation.other % 300, Math.floor(largestAnswer / sizeOf(node)));

type Change = (target: Target) => readonly Child[];

const withTree = ({ siblings, position }: Target, tree: JsonTree): readonly Child[] =>
  siblings.map((child, index) => (index === position ? { ...child, tree } : child));

const inserted = ({ siblings, position }: Target, ...news: readonly Child[]): readonly Child[] =>
  siblings.toSpliced(position + 1, 0, ...news);

const own = ({ siblings, position, node }: Target): Child => siblings[position] ?? { key: null, tree: node };

/** Number as text, text as number, object as array and back, and anything else as its opposite. */
function retyped(node: JsonTree): JsonTree {
  if (node.kind !== 'literal') return { ...node, kind: node.kind === 'array' ? 'object' : 'array' };
  if (/^-?\d/.test(node.text)) return literal(`"${node.text}"`);
  if (/^"-?(?:0|[1-9]\d*)"$/.test(node.text)) return literal(node.text.slice(1, -1));
  return literal(node.text === 'true' ? 'false' : 'true');
}

const changes = {
  remove: ({ siblings, position }) => siblings.toSpliced(position, 1),
  nullify: (target) => withTree(target, literal('null')),
  retype: (target) => withTree(target, retyped(target.node)),
  replace: (target) => withTree(target, literal(target.mutation.value)),
  rename: ({ siblings, position, mutation }) =>
    siblings.map((child, index) => (index === position ? { ...child, key: mutation.key } : child)),
  nestInObject: (target) =>
    withTree(target, { kind: 'object', children: [{ key: target.mutation.key, tree: target.node }] }),
  nestInArray: (target) => withTree(target, { kind: 'array', children: [{ key: null, tree: target.node }] }),
  unnest: (target) =>
    target.node.kind === 'literal' ? target.siblings : withTree(target, target.node.children[0]?.tree ?? target.node),
  inject: (target) => inserted(target, { key: target.mutation.key, tree: literal(target.mutation.value) }),
  injectInside: (target) =>
    target.node.kind === 'literal'
      ? target.siblings
      : withTree(target, {
          ...target.node,
          children: [...target.node.children, { key: target.mutation.key, tree: literal(target.mutation.value) }],
        }),
  duplicate: (target) => inserted(target, own(target)),
  multiply: (target) => inserted(target, ...Array.from({ length: timesFitting(target) }, () => own(target))),
  graft: (target) => withTree(target, target.donor),
  swapSiblings: ({ siblings, position, mutation }) => {
    const other = mutation.other % siblings.length;
    const [one, two] = [siblings[position], siblings[other]];
    if (one === undefined || two === undefined) return siblings;
    // Values are swapped, keys stay: of two fields or of two entries of a list.
    return siblings.with(position, { ...one, tree: two.tree }).with(other, { ...two, tree: one.tree });
  },
  reverse: ({ siblings }) => siblings.toReversed(),
} satisfies Record<string, Change>;

type ChangeName = keyof typeof changes;

/** A longer response does not grow further. Other tests cover the size limits. */
const largestAnswer = 300_000;

/** The tree after one mutation. */
export function mutate(tree: JsonTree, mutation: Mutation): JsonTree {
  if (sizeOf(tree) > largestAnswer) return tree;
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
  // Single code units: lone surrogates at every position.
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

/** A response's text after all mutations. */
export function mutatedText(tree: JsonTree, mutations: readonly Mutation[]): string {
  return printTree(mutations.reduce(mutate, tree));
}
