import { orderNoOf, parcelTitle, trackingLink } from '../../board/parcel-facts.ts';
import { parcelJson } from '../../board/parcel-json.ts';
import { wrap } from '../../lib/cells.ts';
import type { Line } from '../../lib/paint.ts';
import { counted, nearestWord } from '../../lib/text.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import {
  type CustomActions,
  type CustomCommand,
  type KeyProblem,
  placeholder,
  type placeholders,
} from '../../settings/board-settings.ts';
import type { Board } from '../board.ts';
import { inBackground, showMessage, showProblem } from '../footer.ts';
import { showOverlay } from '../help/keys.ts';
import { type Binding, groupByTask, type KeyContext, type KeyGroup } from '../keys/binding.ts';
import { keyCap, nearestKey, parseKey } from '../keys/key-names.ts';
import { onOneTarget, onTargets } from '../list/keys.ts';
import { type Keymap, keyGroupFor, keymap } from './keymap.ts';

interface UserKeymap {
  readonly keymap: Keymap;
  readonly problems: readonly KeyProblem[];
}

interface KeyAssignment {
  readonly action: string;
  readonly key: string;
  readonly place: string;
}

type ReportIgnored = (place: string, wrong: string, advice: string) => void;

/** Keys that always go back or quit. They cannot be reassigned. */
const reservedKeys: ReadonlySet<string> = new Set(['escape', 'ctrl+c']);

/** Names of all actions whose keys can be changed, in help order. */
export const actionNames: readonly string[] = [
  ...new Set(keymap.flatMap(({ bindings }) => bindings.flatMap(({ id }) => id ?? []))),
];

/** Applies the user's keys and adds the user's commands. Invalid ones are reported and skipped. */
export function applyUserKeys({ commands, keys: userKeys, refused }: CustomActions): UserKeymap {
  if (Object.keys(userKeys).length === 0 && commands.length === 0) return { keymap, problems: [] };
  const problems: KeyProblem[] = [];
  const reportIgnored: ReportIgnored = (place, wrong, advice) => {
    problems.push({ found: `config.json: "${place}" ${wrong}.`, advice });
  };
  const actionAssignments = Object.entries(userKeys).flatMap(([action, keys]) => {
    if (actionNames.includes(action)) return readKeys({ action, place: `keys.${action}` }, keys, reportIgnored);
    const nearest = nearestWord(action, actionNames);
    const advice =
      nearest === null ? 'The manual lists all actions: man parcel-monitor.' : `Did you mean "${nearest}"?`;
    reportIgnored(`keys.${action}`, 'is not an action and is ignored', advice);
    return [];
  });
  const commandAssignments = commands.flatMap(({ key, name }, index) =>
    readKeys({ action: commandId(index), place: `key of the command ${name}` }, [key], reportIgnored),
  );
  const unbound = new Set(Object.entries(userKeys).flatMap(([action, keys]) => (keys.length === 0 ? [action] : [])));
  const commandBindings = commands.map((command, index) => commandBinding(command, commandId(index), refused));
  const groups = keymap.map((group) => (group.context === 'global' ? addCommandTask(group, commandBindings) : group));
  for (let assignments = [...actionAssignments, ...commandAssignments]; ; ) {
    const changed = applyAssignments(groups, assignments, unbound);
    const conflict = firstConflict(changed, assignments);
    if (conflict === null) return { keymap: changed, problems };
    const { key, place } = conflict.assignment;
    const advice = 'Choose a free key, or give the other action a different one.';
    const problem = `cannot use ${keyCap(key, 'ascii')}, which is the key of "${conflict.other}" in "${conflict.pane}"`;
    reportIgnored(place, problem, advice);
    assignments = assignments.filter((candidate) => candidate !== conflict.assignment);
  }
}

const commandId = (index: number): string => `commands.${index}`;

function addCommandTask(group: KeyGroup, bindings: readonly Binding[]): KeyGroup {
  if (bindings.length === 0) return group;
  const tasks = [...(group.tasks ?? []), { title: 'Your commands', bindings }];
  return { ...group, ...groupByTask(tasks) };
}

function readKeys(
  assignment: Omit<KeyAssignment, 'key'>,
  keys: readonly string[],
  ignore: ReportIgnored,
): readonly KeyAssignment[] {
  return keys.flatMap((written) => {
    const key = parseKey(written);
    if (key !== null && !reservedKeys.has(key)) return [{ ...assignment, key }];
    const nearest = nearestKey(written);
    const advice = nearest === null ? 'Write keys as in a, F5 or Ctrl+t.' : `Did you mean ${nearest}?`;
    if (key === null) ignore(assignment.place, `has the unknown key "${written}", which is ignored`, advice);
    else ignore(assignment.place, `cannot use ${keyCap(key, 'ascii')}, which is reserved`, 'Choose a different key.');
    return [];
  });
}

/** A text field's keys cannot be changed, because a new key could be a letter. */
const isChangeable = ({ text }: KeyGroup): boolean => text === undefined;

function applyAssignments(groups: Keymap, assignments: readonly KeyAssignment[], unbound: ReadonlySet<string>): Keymap {
  const withAssignedKeys = (binding: Binding): Binding => {
    const assignedKeys = assignments.filter(({ action }) => action === binding.id).map(({ key }) => key);
    if (assignedKeys.length === 0 && !unbound.has(binding.id ?? '')) return binding;
    const [defaultKey = ''] = binding.keys;
    return {
      ...binding,
      defaultKey,
      keys: [...new Set([...assignedKeys, ...binding.keys.filter((key) => reservedKeys.has(key))])],
    };
  };
  // Panes that share a binding must also share the changed one.
  const all = new Map(
    groups.flatMap(({ bindings }) => bindings).map((binding) => [binding, withAssignedKeys(binding)]),
  );
  const withAllAssignedKeys = (bindings: readonly Binding[]): readonly Binding[] =>
    bindings.map((binding) => all.get(binding) ?? binding);
  return groups.map((group) => {
    if (!isChangeable(group)) return group;
    const tasks = group.tasks?.map((task) => ({ ...task, bindings: withAllAssignedKeys(task.bindings) }));
    return { ...group, bindings: withAllAssignedKeys(group.bindings), ...(tasks === undefined ? {} : { tasks }) };
  });
}

/**
 * Finds a key that a different action in the same pane already uses. If the user set both, the later one conflicts.
 */
function firstConflict(groups: Keymap, assignments: readonly KeyAssignment[]) {
  for (const assignment of assignments.toReversed()) {
    for (const group of groups.filter(isChangeable)) {
      const bindings = reachableBindings(group.context, groups);
      if (!bindings.some(({ id, keys }) => id === assignment.action && keys.includes(assignment.key))) continue;
      const conflicting = bindings.find(({ id, keys }) => id !== assignment.action && keys.includes(assignment.key));
      const name = conflicting?.id?.startsWith('commands.') === false ? conflicting.id : conflicting?.description;
      if (name !== undefined) return { assignment, other: name, pane: group.title };
    }
  }
  return null;
}

function reachableBindings(context: KeyContext, groups: Keymap): readonly Binding[] {
  const group = keyGroupFor(context, groups);
  const everywhere = keyGroupFor('global', groups).bindings;
  if (group.context === 'global') return everywhere;
  return [...group.bindings, ...everywhere.filter(({ always }) => always === true || group.isClosed !== true)];
}

const placeholderValues: Readonly<Record<(typeof placeholders)[number], (parcel: Parcel) => string | null>> = {
  number: ({ trackNo }) => trackNo,
  order: orderNoOf,
  label: ({ label }) => label,
  courier: ({ courierCode }) => courierCode,
  link: trackingLink,
};

const isPlaceholderName = (name: string): name is keyof typeof placeholderValues =>
  Object.hasOwn(placeholderValues, name);

/**
 * Replaces the placeholders of a command. An argument with a placeholder is repeated for each parcel. Values are never
 * split into several arguments.
 */
export function fillPlaceholders(
  [program, ...words]: CustomCommand['run'],
  parcels: readonly Parcel[],
): readonly [program: string, ...words: string[]] {
  const fillIn = (word: string, parcel: Parcel): string =>
    word.replace(placeholder(), (match, name: string) =>
      isPlaceholderName(name) ? (placeholderValues[name](parcel) ?? '') : match,
    );
  const hasPlaceholder = (word: string): boolean =>
    [...word.matchAll(placeholder())].some(([, name = '']) => isPlaceholderName(name));
  return [
    program,
    ...words.flatMap((word) => (hasPlaceholder(word) ? parcels.map((parcel) => fillIn(word, parcel)) : [word])),
  ];
}

/** Returns a command's binding, which has no keys until the user's keys are applied. */
function commandBinding(command: CustomCommand, id: string, refused: CustomActions['refused']): Binding {
  const target =
    command.on === 'marked'
      ? onTargets((board, parcels) => runCommand(board, command, parcels))
      : onOneTarget((board, parcel) => runCommand(board, command, [parcel]));
  return {
    id,
    keys: [],
    description: command.name,
    synonyms: ['command'],
    run: target.run,
    disabled: (board) => refused ?? target.disabled?.(board) ?? null,
  };
}

/** Runs a command with the parcel as JSON on standard input, or with an array if the command takes several parcels. */
function runCommand(board: Board, command: CustomCommand, parcels: readonly Parcel[]): void {
  const { name, on, run, show } = command;
  const [only] = parcels;
  const target = parcels.length === 1 && only !== undefined ? parcelTitle(only) : counted(parcels.length, 'parcel');
  showMessage(board, `${name}: running for ${target}…`);
  inBackground(board, async () => {
    const json = parcels.map((parcel) => parcelJson(parcel, jsonContext(board)));
    const input = `${JSON.stringify(on === 'marked' ? json : json[0])}\n`;
    const { failure, output } = await board.runForOutput(fillPlaceholders(run, parcels), input);
    const hasOutput = show !== 'none' && output.trim() !== '';
    if (failure !== null && !hasOutput) showProblem(board, `${name} ${failure}`);
    else if (failure !== null) showOutput(board, name, `It ${failure}.\n\n${output}`);
    else if (hasOutput) showOutput(board, name, output);
    else showMessage(board, `${name}: done for ${target}.`);
  });
}

const jsonContext = ({ state, viewing }: Board): Parameters<typeof parcelJson>[1] => ({
  serviceClock: state.serviceClock,
  now: viewing.now,
  isPaused: state.polling.paused,
  forecast: viewing.forecast,
});

/** Shows the output, or only its first line if the user is doing something else. */
function showOutput({ change }: Board, title: string, text: string): void {
  change(({ focus, overlay, picker, prompt, setupState, previousSorting }) => {
    const isFree =
      [overlay, picker, prompt, setupState, previousSorting].every((state) => state === null) &&
      (focus === 'list' || focus === 'timeline');
    const [line = ''] = text.trim().split('\n');
    return isFree
      ? { ...showOverlay('output'), output: { title, text }, message: null }
      : { message: { tone: 'plain', text: `${title}: ${line}` } };
  });
}

export const outputLines = (text: string, width: number): readonly Line[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => (line === '' ? [''] : wrap(line, Math.max(1, width - 2))))
    .map((line): Line => [{ text: ` ${line}` }]);
