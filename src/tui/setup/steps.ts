import { lineWidth } from '../../lib/cells.ts';
import { printableText } from '../../lib/clean-text.ts';
import type { EpochMs } from '../../lib/clock.ts';
import type { Line, Segment } from '../../lib/paint.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import { knownProfile } from '../../settings/service-address.ts';
import type { CurrentSetup, SetupChoice } from '../../settings/setup/board-setup.ts';
import {
  allZones,
  isSameService,
  keyChoices,
  maskSecret,
  matchingZones,
  otherAddressId,
  overrideWarning,
  serviceChoiceId,
  serviceChoices,
  serviceText,
  zoneChoices,
} from '../../settings/setup/choices.ts';
import type { BarText } from '../field/field.tsx';
import { emptyEdit } from '../text-edit.ts';
import type { SetupField, SetupState, SetupStep } from '../ui-state.ts';
import { channelQuestion, chosenKey, chosenService, enabledChannels } from './state.ts';

/** A step's question and hints. Each hint starts a new line. */
interface StepText {
  readonly question: string;
  readonly hints?: readonly string[];
  /** Why the answer would have no effect, or null. */
  readonly warning?: string | null;
}

interface Step {
  /** The part of setup that the step belongs to. */
  readonly title: string;
  readonly text: (setup: SetupState) => StepText;
  /** Returns the choices, or null while they are loading. */
  readonly choices?: (setup: SetupState, at: EpochMs) => readonly SetupChoice[] | null;
  /** Whether a choice is selected initially. By default, the first one is. */
  readonly suggests?: (choice: SetupChoice, setup: SetupState) => boolean;
  /** The field that the user types into. */
  readonly field?: SetupField;
  /** Returns how to answer, if choosing with the arrow keys is not enough. */
  readonly answerHint?: (setup: SetupState) => string;
}

const chooseHint = 'choose with the arrow keys, then press Enter';

export const steps: Readonly<Record<SetupStep, Step>> = {
  service: {
    title: 'Service',
    text: ({ active }) => ({
      question: 'Which service tracks your parcels?',
      hints: ['Seven short questions, then the board. Tab skips one, Esc goes back.'],
      warning: overrideWarning(active?.service ?? null, 'a different service'),
    }),
    choices: ({ active }) => serviceChoices(active),
    suggests: ({ id }, setup) => {
      // After going back from an address, selects the entry for addresses again.
      const isTyped = setup.service === null && setup.fields.url.text !== '';
      return id === (isTyped ? otherAddressId : serviceChoiceId(chosenService(setup)));
    },
  },
  url: {
    title: 'Service',
    text: () => ({
      question: "What is the service's address?",
      hints: [
        'Enter it without /tk and what follows it, as in https://host/path. http:// works only for this machine.',
        'To try it out, run "parcel-monitor sandbox" in another terminal; it prints an address and a key.',
      ],
    }),
    field: 'url',
  },
  header: {
    title: 'Service',
    text: () => ({
      question: 'Which header carries the API key?',
      hints: [`Press Enter to use the default, ${defaultKeyHeader}.`],
    }),
    field: 'header',
  },
  key: {
    title: 'Key',
    text: keyText,
    choices: (setup) => keyChoices(setup.active, chosenService(setup)),
    suggests: ({ id }, { key }) => id === key?.kind,
  },
  check: {
    title: 'Check',
    text: (setup) => {
      const service = chosenService(setup);
      return { question: service === null ? 'Does it work?' : `Does it work with ${serviceText(service)}?` };
    },
    answerHint: ({ checkResult }) => {
      if (checkResult === null) return 'checking…';
      return checkResult.failure === null ? 'it works; press Enter to continue' : 'see above';
    },
  },
  save: {
    title: 'Save',
    text: saveText,
    choices: (setup) => (chosenKey(setup)?.kind === 'entered' ? setup.stores : []),
    suggests: ({ unusable }) => unusable === null,
    answerHint: (setup) =>
      chosenKey(setup)?.kind === 'entered' ? chooseHint : 'press Enter to save, or Tab to continue without saving',
  },
  zone: {
    title: 'Zone',
    text: ({ active }) => ({
      question: 'What is your time zone?',
      hints: ['Type a large city, a region or a country. Press Tab to complete it, Enter to choose the zone.'],
      warning: overrideWarning(active?.zoneSet ?? null, 'a different zone'),
    }),
    choices: ({ fields: { zone }, active }, at) =>
      zoneChoices(matchingZones(zone.text, active, zone.text === '' ? [] : allZones()), active, at),
    field: 'zone',
  },
  notify: {
    title: 'Notify',
    text: () => ({
      question: 'How do you want to be notified of changes?',
      hints: [
        'The board always marks what is new. Press Space to select, t to test, e to change settings, Enter to continue.',
      ],
    }),
    choices: (setup) =>
      setup.channels?.map((channel) => ({
        ...channel,
        isOn: enabledChannels(setup).includes(channel.id),
        outcome: setup.testResults[channel.id],
      })) ?? null,
    answerHint: () => 'choose with the arrow keys and Space, then press Enter',
  },
  channel: {
    title: 'Notify',
    text: (setup) => {
      const question = channelQuestion(setup);
      return {
        question: question?.question ?? '',
        hints: [
          ...(question?.isSecret === true ? ['It is hidden, and saved in the same place as the API key.'] : []),
          ...(question?.isOptional === true ? ['Press Enter on the empty line if you do not need it.'] : []),
          'A test message is sent after the last answer.',
        ],
      };
    },
    field: 'channel',
  },
  hook: {
    title: 'Notify',
    text: () => ({
      question: 'Which command should run for each change?',
      hints: [
        'A program and its arguments, such as: curl -d @- https://ntfy.sh/my-parcels. It runs without a shell and receives the change as JSON on standard input.',
        'Press Enter to save it and run it once with a test change.',
      ],
    }),
    field: 'hook',
  },
  numbers: {
    title: 'Numbers',
    text: () => ({
      question: 'Your first numbers',
      hints: [
        'Type or paste them below: one number, a list, or an email. Press Enter to add, or on an empty line to open the board.',
      ],
    }),
  },
};

const titles = [...new Set(Object.values(steps).map(({ title }) => title))];

function keyText(setup: SetupState): StepText {
  const service = chosenService(setup);
  const profile = service?.kind === 'profile' ? knownProfile(service.profile) : null;
  return {
    question: service === null ? 'The API key' : `The API key for ${serviceText(service)}`,
    hints: profile === null ? [] : [profile.keyHint, `Press Ctrl+O to open ${profile.page}.`],
    warning: overrideWarning(setup.active?.key ?? null, 'a different key'),
  };
}

/** Asks where to save a typed key. Otherwise, asks whether to save the settings. */
function saveText(setup: SetupState): StepText {
  const { active } = setup;
  const service = chosenService(setup);
  const file = active?.configFile ?? 'config.json';
  const serviceName = service === null ? 'the service' : serviceText(service);
  const configured = active?.service ?? null;
  const warning =
    overrideWarning(active?.key ?? null, 'the key') ??
    (isSameService(service, configured) ? null : overrideWarning(configured, 'the service'));
  const ask = (question: string, what: string, then: string): StepText => ({
    question,
    hints: [`Press Enter to save ${what} in ${file}. ${then}`],
    warning,
  });
  switch (chosenKey(setup)?.kind) {
    case 'entered':
      return { question: 'Where should the key be saved?', hints: [`The service is saved in ${file}.`], warning };
    case 'command':
      return ask('Save the service and the command?', `${serviceName} and the command`, 'The key itself is not saved.');
    case 'present':
      return ask('Save the service?', serviceName, `The key stays where it is: ${active?.key?.place ?? 'as set'}.`);
    case undefined:
      return ask(
        'Save the service without a key?',
        serviceName,
        'Numbers are saved, but not checked until you add a key.',
      );
  }
}

export type StepChoices = ReturnType<typeof currentStepChoices>;

/** Returns a step's choices, and the selected one with its index. The index is -1 if there are no choices. */
export function currentStepChoices(setup: SetupState, at: EpochMs) {
  const { choices: getChoices, suggests } = steps[setup.step];
  const choices = getChoices?.(setup, at) ?? [];
  const suggested = choices.findIndex((choice) => suggests?.(choice, setup) === true);
  const index = Math.min(setup.index ?? Math.max(0, suggested), choices.length - 1);
  return { choices, index, selected: choices[index] ?? null };
}

/** Returns the field that the user types into, or null. */
export function currentField(setup: SetupState): SetupField | null {
  if (setup.busy !== null) return null;
  if (setup.step !== 'key') return steps[setup.step].field ?? null;
  const id = currentStepChoices(setup, 0).selected?.id;
  return id === 'command' ? 'command' : id === 'entered' ? 'key' : null;
}

/** Whether the field contains a secret, which is masked. */
export function isSecretField(setup: SetupState): boolean {
  const field = currentField(setup);
  return field === 'key' || (field === 'channel' && channelQuestion(setup)?.isSecret !== false);
}

const fieldTexts: Readonly<Record<SetupField, Pick<BarText, 'name' | 'placeholder'>>> = {
  url: { name: 'address', placeholder: 'https://host/path' },
  header: { name: 'header', placeholder: defaultKeyHeader },
  key: { name: 'key', placeholder: 'paste it here; it is not shown' },
  command: { name: 'command', placeholder: 'pass show parcels/key' },
  hook: { name: 'command', placeholder: 'notify-send Parcels' },
  channel: { name: 'answer', placeholder: '' },
  zone: { name: 'zone', placeholder: 'Berlin, or New York' },
};

/** Returns the line below the panes during setup: the field, or how to answer. Secrets appear as dots. */
export function setupBarText(setup: SetupState, isCovered: boolean): BarText {
  const field = currentField(setup);
  if (field === null) {
    const hint = steps[setup.step].answerHint?.(setup) ?? chooseHint;
    return { name: 'setup', edit: emptyEdit, placeholder: setup.busy ?? hint, isFocused: false };
  }
  const { cursor, text } = setup.fields[field];
  const isSecret = isSecretField(setup);
  const edit = isSecret
    ? { text: maskSecret(text), cursor: maskSecret(text.slice(0, cursor)).length }
    : { cursor, text };
  const { placeholder } = fieldTexts[isSecret ? 'key' : field];
  return { name: fieldTexts[field].name, placeholder, edit, isFocused: !isCovered };
}

/** Returns a step's position, such as "Setup · 2 of 7 · Key". */
export function setupTitle(step: SetupStep): string {
  const { title } = steps[step];
  return `Setup · ${titles.indexOf(title) + 1} of ${titles.length} · ${title}`;
}

/**
 * Returns a line with all steps that marks the finished ones and the open one. Empty if it does not fit into `width`
 * cells.
 */
export function progressLine({ done, step }: Pick<SetupState, 'done' | 'step'>, width: number): Line {
  const line = titles.flatMap((title, index): readonly Segment[] => {
    const gap = { text: index === 0 ? ' ' : '  ' };
    if (title === steps[step].title) return [gap, { text: `● ${title}`, tone: 'accent', bold: true }];
    if (done.some((doneStep) => steps[doneStep].title === title))
      return [gap, { text: '✓', tone: 'done' }, { text: ` ${title}` }];
    return [gap, { text: `○ ${title}`, tone: 'quiet' }];
  });
  return lineWidth(line) > width ? [] : line;
}

/** Returns what is set up, for the last step. */
export function setupSummary(active: CurrentSetup | null): readonly (readonly [name: string, value: string])[] {
  if (active === null) return [];
  return [
    ['Service', active.service === null ? 'none: nothing is checked' : serviceText(active.service)],
    ['Key', active.key === null ? 'none: nothing is checked' : active.key.place],
    ['Zone', active.zone],
    ['Notify', active.channels.length === 0 ? 'marks on the board only' : active.channels.join(', ')],
  ].map(([name = '', value = '']) => [name, printableText(value)] as const);
}
