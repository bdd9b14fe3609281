import { isKeyOf, isSameService } from '../../settings/setup/choices.ts';
import type { ChannelQuestion, KeySource, ServiceChoice, SetupNow } from '../../settings/setup/effects.ts';
import type { SetupNote } from '../../settings/setup/setup-lines.ts';
import type { Board, BoardServices } from '../board.ts';
import { emptyEdit, type TextEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import type { SettingUp, SetupField, SetupStep, UiState } from '../ui-state.ts';

export const openedSetup = (step: SetupStep): SettingUp => ({
  step,
  done: [],
  now: null,
  notes: [],
  busy: 'Reading the settings…',
  index: null,
  offset: null,
  fields: {
    url: emptyEdit,
    header: emptyEdit,
    key: emptyEdit,
    command: emptyEdit,
    zone: emptyEdit,
    hook: emptyEdit,
    channel: emptyEdit,
  },
  service: null,
  key: null,
  run: 0,
  proof: null,
  stores: null,
  channels: null,
  asking: null,
  chosenChannels: null,
  trials: {},
});

/**
 * Returns the conversation that a board opens with, if nothing is set up or watched or if the user asked for it, or
 * null.
 */
export function setupAtFirst({
  monitor,
  opensSetup,
  setup,
  setupEffects,
}: Pick<BoardServices, 'monitor' | 'opensSetup' | 'setup' | 'setupEffects'>): SettingUp | null {
  if (setupEffects === null) return null;
  const isEmpty = setup.kind === 'not-set-up' && monitor.getState().parcels.length === 0;
  if (opensSetup !== true && !isEmpty) return null;
  // A configured address answers the first question.
  return openedSetup(setup.kind === 'not-set-up' && setup.baseUrl !== null ? 'key' : 'service');
}

export const withSetup =
  (change: Partial<SettingUp> | ((setup: SettingUp) => Partial<SettingUp>)) =>
  ({ settingUp }: UiState): Partial<UiState> =>
    settingUp === null
      ? {}
      : { settingUp: { ...settingUp, ...(typeof change === 'function' ? change(settingUp) : change) } };

/** Goes to the beginning of another step. */
export const atStep = (step: SetupStep, notes: readonly SetupNote[] = []) =>
  ({ step, notes, busy: null, index: null, offset: null }) as const;

export const withField = (field: SetupField, edit: TextEdit) => (setup: SettingUp) => ({
  fields: { ...setup.fields, [field]: edit },
});

/** Removes the answers for a service: its key, the command that prints it, and the test result. */
export const withoutKey = ({ fields }: SettingUp) => ({
  fields: { ...fields, key: emptyEdit, command: emptyEdit },
  key: null,
  proof: null,
  stores: null,
});

/**
 * Returns to the key step after another program has changed the settings, because the chosen key may now belong to
 * another service.
 */
export const askKeyAgain = (now: SetupNow) => (setup: SettingUp) => ({
  ...withoutKey(setup),
  ...atStep('key'),
  now,
});

/** Chooses another service. Drops the key of the former one, so that it is never sent to another service. */
export const withService = (setup: SettingUp, service: ServiceChoice): Partial<SettingUp> => ({
  ...(isSameService(serviceOf(setup), service) ? {} : withoutKey(setup)),
  service,
});

export const isSameSet = (one: SetupNow | null, other: SetupNow | null): boolean =>
  one?.key?.place === other?.key?.place && isSameService(one?.service ?? null, other?.service ?? null);

/** Returns the service to test and save: the chosen one, or the current one. */
export const serviceOf = ({ now, service }: Pick<SettingUp, 'now' | 'service'>): ServiceChoice | null =>
  service ?? now?.service ?? null;

/** Returns the key's source: as given in this conversation, or the current key if it belongs to the service. */
export function keyOf({ key, now, service }: Pick<SettingUp, 'key' | 'now' | 'service'>): KeySource | null {
  return key ?? (now?.key == null || !isKeyOf(service, now) ? null : { kind: 'present' });
}

/**
 * Whether the current key belongs to another service. If the new service were saved without a key, it would receive
 * that one.
 */
export const lacksOwnKey = (setup: SettingUp): boolean => setup.now?.key != null && keyOf(setup) === null;

/** Whether the line still contains the rejected key, which the next input replaces. */
export const isRefusedKey = ({ fields, key, proof }: SettingUp): boolean =>
  proof?.mistakeIn === 'key' && key?.kind === 'entered' && key.key === fields.key.text.trim();

/** Returns the channels that are switched on: as chosen, or as configured. */
export const chosenChannelsOf = ({ chosenChannels, now }: SettingUp): readonly string[] =>
  chosenChannels ?? now?.channels ?? [];

const questionsOf = ({ channels }: SettingUp, id: string): readonly ChannelQuestion[] =>
  channels?.find((channel) => channel.id === id)?.questions ?? [];

/** Whether the set-up has questions about a channel. */
export const isAskedAbout = (setup: SettingUp, id: string): boolean => questionsOf(setup, id).length > 0;

/** Returns the open question about a channel, or null. */
export const channelQuestion = (setup: SettingUp): ChannelQuestion | null =>
  setup.asking === null ? null : (questionsOf(setup, setup.asking.id)[setup.asking.at] ?? null);

/** The steps in their order. */
const order: readonly SetupStep[] = ['service', 'url', 'header', 'key', 'check', 'save', 'zone', 'notify', 'numbers'];

/** Whether a step has anything to do. Without a service and a key there is nothing to check. */
function hasSense(step: SetupStep, setup: SettingUp): boolean {
  const { key, now, service } = setup;
  const hasService = serviceOf(setup) !== null;
  switch (step) {
    case 'url':
      return setup.fields.url.text !== '' && service?.kind !== 'profile';
    case 'header':
      return service?.kind === 'base-url';
    case 'key':
      return hasService;
    case 'check':
      return hasService && keyOf(setup) !== null;
    case 'save': {
      const isOtherService = service !== null && !isSameService(service, now?.service ?? null);
      const isOther = (key !== null && key.kind !== 'present') || isOtherService;
      return hasService && isOther && !lacksOwnKey(setup);
    }
    default:
      return true;
  }
}

/** Returns the next step, or null after the last. */
export function stepAfter(setup: SettingUp): SetupStep | null {
  const { step } = setup;
  const behind = order.slice(order.indexOf(step === 'hook' || step === 'channel' ? 'notify' : step) + 1);
  return behind.find((step) => step !== 'url' && step !== 'header' && hasSense(step, setup)) ?? null;
}

/** Returns the previous step, or null before the first. A check starts automatically, so going back skips it. */
export function stepBefore(setup: SettingUp): SetupStep | null {
  if (setup.step === 'hook' || setup.step === 'channel') return 'notify';
  const before = order.slice(0, order.indexOf(setup.step));
  return before.findLast((step) => step !== 'check' && hasSense(step, setup)) ?? null;
}

/** Ends the conversation and shows the board. */
export function closeSetup({ change, setup, state }: Board): void {
  change({ settingUp: null, focus: 'list' });
  const done =
    state.parcels.length === 0 ? 'All set. Press a to add a number, ? for help.' : 'All set. Press ? for help.';
  showMessage({ change }, setup.kind === 'ready' ? done : 'Press C to set up later.');
}
