import type { Check } from '../../board/json-schemas.ts';
import type { NamedError } from '../../lib/error-text.ts';
import type { SettingChange } from '../config-text.ts';
import type { SetupChoice } from './setup-lines.ts';

export type ServiceChoice =
  | { readonly kind: 'profile'; readonly profile: string }
  | {
      readonly kind: 'base-url';
      readonly baseUrl: string;
      /** Name of the header that contains the key. Null for the default. */
      readonly header: string | null;
    };

/** The key's source. */
export type KeySource =
  /** Typed or pasted just now. */
  | { readonly kind: 'entered'; readonly key: string }
  /** Printed by the user's command, which is split at white space and quotes and runs without a shell. */
  | { readonly kind: 'command'; readonly commandLine: string }
  /** The key that is already set. */
  | { readonly kind: 'present' };

export interface SetPlace {
  /** For example `PARCEL_MONITOR_API_KEY`, `--base-url` or `config.json: apiKeyCommand (pass)`. */
  readonly place: string;
  /** Whether an option or an environment variable sets it. The file cannot change that. */
  readonly overridesFile: boolean;
}

/** The current settings. Null if a service or a key is not set. */
export interface SetupNow {
  readonly service: (ServiceChoice & SetPlace) | null;
  readonly key: SetPlace | null;
  /** The current zone, IANA. */
  readonly zone: string;
  /** Null if it follows the machine's. */
  readonly zoneSet: SetPlace | null;
  /** IANA. */
  readonly machineZone: string;
  readonly channels: readonly string[];
  readonly notifyCommand: string | null;
  /** Path of the file to write, for display. */
  readonly configFile: string;
}

/** Result of a test request. */
export interface CheckResult {
  /** Checks of service, key and clock, as `doctor` prints them. */
  readonly checks: readonly Check[];
  /** Why service and key do not work together, or null. */
  readonly failure: NamedError | null;
  /** The problem and what to do, as sentences, or null. */
  readonly problem: string | null;
  /** The step to correct, or null. */
  readonly faultyStep: 'service' | 'key' | 'elsewhere' | null;
  /** The cost and the request's result, as a sentence. */
  readonly summary: string;
}

export interface CheckRequest {
  readonly service: ServiceChoice;
  readonly key: KeySource;
  /** Aborted when the user stops waiting. */
  readonly signal: AbortSignal;
}

/** Choices to save. */
export interface ServiceToSave {
  readonly service: ServiceChoice;
  /** Null sets no key. `present` keeps the current key. A `command` is saved as `apiKeyCommand`. */
  readonly key: KeySource | null;
  /** Id of the key store for an entered key. Null for other keys. */
  readonly keyStore: string | null;
}

/** What was saved, in sentences. */
export interface Saved {
  readonly summary: string;
  readonly warnings: readonly string[];
}

/** The channel that needs a command from the user. */
export const commandChannelId = 'command';

/** What the setup asks about a channel. */
export interface ChannelQuestion {
  /** The last part of the setting's name. */
  readonly field: string;
  /** What is asked for, as a phrase. */
  readonly question: string;
  /** Whether the answer is hidden. */
  readonly isSecret: boolean;
  readonly isOptional: boolean;
}

export interface ChannelChoice extends SetupChoice {
  /** Absent for a channel without settings. */
  readonly questions?: readonly ChannelQuestion[];
}

/** Actions of the setup. They reject with a `NamedError` for the user. Their sentences never contain the key. */
export interface SetupEffects {
  /** Returns what is set now. */
  current(): Promise<SetupNow>;
  /** An error that the user can fix is part of the result. */
  check(request: CheckRequest): Promise<CheckResult>;
  /** Returns this machine's key stores, the recommended one first. */
  keyStores(service: ServiceChoice): Promise<readonly SetupChoice[]>;
  /** Saves the key, reads it back, and writes service and key to the configuration. */
  saveService(settings: ServiceToSave): Promise<Saved>;
  /** Saves other settings. `summary` is the sentence about them. */
  save(changes: readonly SettingChange[], summary: string): Promise<Saved>;
  /** Returns the notification channels of this machine. The id of each is its name in the configuration. */
  channels(): Promise<readonly ChannelChoice[]>;
  /** Saves the answers about a channel, by field. Secrets are saved where the API key is. */
  saveChannel(name: string, answers: Readonly<Record<string, string>>): Promise<Saved>;
  /** Sends a test message on a channel. Returns why it failed, as a sentence, or null. */
  tryChannel(name: string): Promise<string | null>;
  readonly isInSandbox: boolean;
  /** Shows the embedded sandbox on the board instead of the user's own parcels. Rejects with a sentence. */
  enterSandbox(): Promise<void>;
  leaveSandbox(): Promise<void>;
}
