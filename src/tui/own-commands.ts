import { trackingLink } from '../board/courier-name.ts';
import { orderNoOf } from '../board/parcel-facts.ts';
import { parcelJson } from '../board/parcel-json.ts';
import { parcelTitle } from '../board/status/stage.ts';
import { wrap } from '../lib/cells.ts';
import type { Line } from '../lib/paint.ts';
import { counted } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { type OwnActions, type OwnCommand, placeholder, type placeholders } from '../settings/own-actions.ts';
import type { Board } from './board.ts';
import { inBackground, showMessage } from './footer/messages.ts';
import { showOverlay } from './help/keys.ts';
import type { Binding } from './keys/binding.ts';
import { onOneTarget, onTargets } from './list/marks.ts';

const values: Readonly<Record<(typeof placeholders)[number], (parcel: Parcel) => string | null>> = {
  number: ({ trackNo }) => trackNo,
  order: orderNoOf,
  label: ({ label }) => label,
  courier: ({ courierCode }) => courierCode,
  link: trackingLink,
};

const isKnown = (name: string): name is keyof typeof values => Object.hasOwn(values, name);

/**
 * Replaces the placeholders of a command. An argument with a placeholder is repeated for each parcel. Values are never
 * split into several arguments.
 */
export function fillPlaceholders(
  [program, ...words]: OwnCommand['run'],
  parcels: readonly Parcel[],
): readonly [program: string, ...words: string[]] {
  const fillIn = (word: string, parcel: Parcel): string =>
    word.replace(placeholder(), (written, name: string) => (isKnown(name) ? (values[name](parcel) ?? '') : written));
  const hasPlaceholder = (word: string): boolean =>
    [...word.matchAll(placeholder())].some(([, name = '']) => isKnown(name));
  return [
    program,
    ...words.flatMap((word) => (hasPlaceholder(word) ? parcels.map((parcel) => fillIn(word, parcel)) : [word])),
  ];
}

/** Returns the binding of a command, without its key. */
export function commandBinding(command: OwnCommand, id: string, refused: OwnActions['refused']): Binding {
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
function runCommand(board: Board, command: OwnCommand, parcels: readonly Parcel[]): void {
  const { name, on, run, show } = command;
  const [only] = parcels;
  const what = parcels.length === 1 && only !== undefined ? parcelTitle(only) : counted(parcels.length, 'parcel');
  showMessage(board, `${name}: running for ${what}…`);
  inBackground(board, async () => {
    const json = parcels.map((parcel) => parcelJson(parcel, circumstances(board)));
    const input = `${JSON.stringify(on === 'marked' ? json : json[0])}\n`;
    const { failure, output } = await board.runForOutput(fillPlaceholders(run, parcels), input);
    const hasOutput = show !== 'none' && output.trim() !== '';
    if (failure !== null && !hasOutput) showMessage(board, `${name} ${failure}`, { tone: 'attention' });
    else if (failure !== null) showOutput(board, name, `It ${failure}.\n\n${output}`);
    else if (hasOutput) showOutput(board, name, output);
    else showMessage(board, `${name}: done for ${what}.`);
  });
}

const circumstances = ({ state, viewing }: Board): Parameters<typeof parcelJson>[1] => ({
  serviceClock: state.serviceClock,
  now: viewing.now,
  isPaused: state.polling.paused,
  forecast: viewing.forecast,
});

/** Shows the output, or only its first line if the user is doing something else. */
function showOutput({ change }: Board, title: string, text: string): void {
  change(({ focus, overlay, picker, prompt, settingUp, sortingBefore }) => {
    const isFree =
      [overlay, picker, prompt, settingUp, sortingBefore].every((one) => one === null) &&
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
