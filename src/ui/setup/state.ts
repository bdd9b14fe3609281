import type { SetupChoice, SetupNote } from '../../board/setup/choice-lines.ts';
import { isKeyOf, isSameService, isSetService, keyChoices } from '../../board/setup/key-choices.ts';
import {
  checksOf,
  type KeySource,
  type Proof,
  type ProofCheck,
  type ServiceChoice,
  type SetupNow,
} from '../../board/setup/setup-effects.ts';
import type { Settled, SetupStep } from '../../board/setup/steps.ts';
import { emptyEdit, type TextEdit } from '../field/text-edit.ts';

/** The name of a line that is typed. */
export type SetupField = 'url' | 'header' | 'key' | 'command' | 'zone';

/** The proof that runs or has run. */
export interface RunningProof {
  /** Counts the tries: another number begins another one. */
  readonly run: number;
  readonly checks: readonly ProofCheck[];
  /** Null while it runs. */
  readonly proof: Proof | null;
}

const unbegunProof: RunningProof = { run: 0, checks: checksOf({}, 'waiting'), proof: null };

/** The open conversation. */
export interface SettingUp {
  readonly step: SetupStep;
  /** Steps that were answered. */
  readonly done: readonly SetupStep[];
  /** Whether it has been looked what is set, or tried to: nothing is answered before. */
  readonly hasLooked: boolean;
  /** Null until it is known. */
  readonly now: SetupNow | null;
  readonly notes: readonly SetupNote[];
  /** What is being done, as a phrase: nothing else can be chosen meanwhile; null when nothing is. */
  readonly busy: string | null;
  /** The selected choice of the step; null for the one that the step suggests. */
  readonly index: number | null;
  /** Rows above the window, once the user has scrolled; null lets the selection decide. */
  readonly offset: number | null;
  /** Which line of another address is typed; null while the service is chosen. */
  readonly addressField: 'url' | 'header' | null;
  /** The key is one of them: it leaves the state when it is saved, or with the conversation. */
  readonly fields: Readonly<Record<SetupField, TextEdit>>;
  /** What was chosen in this conversation; null leaves the service as it is. */
  readonly service: ServiceChoice | null;
  /** Null leaves the key as it is. */
  readonly key: KeySource | null;
  readonly proof: RunningProof;
  /** Null until they are known. */
  readonly stores: readonly SetupChoice[] | null;
  /** Null until they are known. */
  readonly channels: readonly SetupChoice[] | null;
  /** Null until the user has changed what is set. */
  readonly chosenChannels: readonly string[] | null;
  /** What came of trying a channel, by its id. */
  readonly trials: Readonly<Record<string, SetupNote>>;
}

/** The part of the state that belongs to setting up. */
export interface SetupState {
  /** Null while nobody sets up. */
  readonly settingUp: SettingUp | null;
}

/** A conversation that begins at a step. */
export const openedSetup = (step: SetupStep): SettingUp => ({
  step,
  done: [],
  hasLooked: false,
  now: null,
  notes: [],
  busy: null,
  index: null,
  offset: null,
  addressField: null,
  fields: { url: emptyEdit, header: emptyEdit, key: emptyEdit, command: emptyEdit, zone: emptyEdit },
  service: null,
  key: null,
  proof: unbegunProof,
  stores: null,
  channels: null,
  chosenChannels: null,
  trials: {},
});

/** A change of the conversation, if it is still open. */
export const withSetup =
  (change: Partial<SettingUp> | ((setup: SettingUp) => Partial<SettingUp>)) =>
  ({ settingUp }: SetupState): Partial<SetupState> =>
    settingUp === null
      ? {}
      : { settingUp: { ...settingUp, ...(typeof change === 'function' ? change(settingUp) : change) } };

/** Another step, at its beginning. */
export const atStep = (step: SetupStep, notes: readonly SetupNote[] = []): Partial<SettingUp> => ({
  step,
  notes,
  busy: null,
  index: null,
  offset: null,
  addressField: null,
  ...(step === 'check' ? { proof: unbegunProof } : {}),
});

/** What has been settled of service and key. */
export const settledOf = ({ key, now, service }: SettingUp): Settled => ({
  hasService: service !== null || now?.service != null,
  hasKey: keyOf({ key, now, service }) !== null,
  hasNews: (key !== null && key.kind !== 'present') || !isSetService(service, now),
});

/** The service that is checked and saved: the chosen one, or the one that is set. */
export const serviceOf = ({ now, service }: SettingUp): ServiceChoice | null => service ?? now?.service ?? null;

/** Where the key comes from: as given in this conversation, or the one that is set, if it is the service's. */
export function keyOf({ key, now, service }: Pick<SettingUp, 'key' | 'now' | 'service'>): KeySource | null {
  return key ?? (now?.key == null || !isKeyOf(service, now) ? null : { kind: 'present' });
}

/** The ways to give the key, as the step shows them. */
export const keyChoicesOf = (setup: SettingUp): readonly SetupChoice[] => keyChoices(setup.now, serviceOf(setup));

/** The selected way to give the key: that of before, where one goes back to it. */
export const keyChoiceIndex = (setup: SettingUp): number =>
  setup.index ?? indexAmong(keyChoicesOf(setup), ({ id }) => id === setup.key?.kind);

/** Where the first such choice stands among others; at the top where there is none. */
export const indexAmong = (choices: readonly SetupChoice[], isIt: (choice: SetupChoice) => boolean): number =>
  Math.max(0, choices.findIndex(isIt));

/** The channels that are switched on: as chosen, or as set. */
export const chosenChannelsOf = ({ chosenChannels, now }: SettingUp): readonly string[] =>
  chosenChannels ?? now?.channels ?? [];

/** Whether the key in its line is the one that was refused: what is typed or pasted next stands in its place. */
export function isRefusedKey({ fields, key, proof: { proof } }: SettingUp): boolean {
  return proof?.mistakeIn === 'key' && key?.kind === 'entered' && key.key === fields.key.text.trim();
}

/** What is forgotten with the service that it was given for: where its key comes from. */
export const withService = (setup: SettingUp, service: ServiceChoice): Partial<SettingUp> => ({
  service,
  ...(isSameService(serviceOf(setup), service) ? {} : { key: null }),
});
