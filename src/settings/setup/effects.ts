import type { Check } from '../../board/json-schemas.ts';
import type { NamedError } from '../../lib/error-text.ts';
import type { SettingChange } from '../config-text.ts';
import type { SetupChoice } from './setup-lines.ts';

export interface KnownService {
  readonly profile: string;
  readonly name: string;
  readonly baseUrl: string;
  /** How to get a key there, as a sentence: the way through the pages. */
  readonly wayToKey: string;
  /** The address of the page where one gets an account and a key, http or https. */
  readonly page: string;
}

export type ServiceChoice =
  | { readonly kind: 'profile'; readonly profile: string }
  | {
      readonly kind: 'base-url';
      readonly baseUrl: string;
      /** Name of the header that carries the key; null for the usual one. */
      readonly header: string | null;
    };

/** Where the key comes from. */
export type KeySource =
  /** Typed or pasted just now. */
  | { readonly kind: 'entered'; readonly key: string }
  /** Printed by a command of the user's, split at white space and quotes, run without a shell. */
  | { readonly kind: 'command'; readonly commandLine: string }
  /** The one that is set already. */
  | { readonly kind: 'present' };

export interface SetPlace {
  /** Such as `PARCEL_MONITOR_API_KEY`, `--base-url` or `config.json: apiKeyCommand (pass)`. */
  readonly place: string;
  /** Whether an option or a variable of the environment sets it, which the file does not change. */
  readonly outranksFile: boolean;
}

/** What is set now; null for a service or a key that is not. */
export interface SetupNow {
  readonly service: (ServiceChoice & SetPlace) | null;
  readonly key: SetPlace | null;
  /** The current zone, IANA. */
  readonly zone: string;
  /** Null where the machine's is followed. */
  readonly zoneSet: SetPlace | null;
  /** IANA. */
  readonly machineZone: string;
  readonly channels: readonly string[];
  readonly notifyCommand: string | null;
  /** The file that is written, ready to be shown. */
  readonly configFile: string;
}

/** What one call has shown about service and key. */
export interface Proof {
  /** Of service, key and clock, as `doctor` prints them. */
  readonly checks: readonly Check[];
  /** What service and key do not work together for; null when they do. */
  readonly failure: NamedError | null;
  /** What is wrong and what to do, as sentences; null when nothing is. */
  readonly problem: string | null;
  /** The step with the likely mistake; null if there is none. */
  readonly mistakeIn: 'service' | 'key' | 'elsewhere' | null;
  /** What the call cost and what it answered, as a sentence. */
  readonly summary: string;
}

export interface ProofRequest {
  readonly service: ServiceChoice;
  readonly key: KeySource;
  /** Aborted when the user does not want to wait any longer. */
  readonly signal: AbortSignal;
}

/** What is saved when service and key have been settled. */
export interface ServiceToSave {
  readonly service: ServiceChoice;
  /** Null when no key is to be set. `present` leaves it where it is; a `command` is saved as `apiKeyCommand`. */
  readonly key: KeySource | null;
  /** Id of the place for a key that was entered; null otherwise. */
  readonly keyStore: string | null;
}

/** The result of saving, in sentences; warnings come with a success. */
export type SetupOutcome =
  | { readonly kind: 'done'; readonly summary: string; readonly warnings: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string };

/** The channel whose command is asked for. */
export const commandChannelId = 'command';

/** What the setup has done, in sentences without the key. */
export interface SetupEffects {
  /** Looks what is set now. Rejects with a `UsageError` when the configuration cannot be read. */
  current(): Promise<SetupNow>;
  /** Never rejects for errors that a user can fix. */
  prove(request: ProofRequest): Promise<Proof>;
  /** Where the key of a service can be kept on this machine, the recommended place first. */
  keyStores(service: ServiceChoice): Promise<readonly SetupChoice[]>;
  /** Stores the key, reads it back, and writes service and key into the configuration. */
  saveService(settings: ServiceToSave): Promise<SetupOutcome>;
  /** Writes other settings, which the summary is a sentence about. */
  save(changes: readonly SettingChange[], summary: string): Promise<SetupOutcome>;
  /** The ways on which changes can be notified here, each with its name in the configuration as its id. */
  channels(): Promise<readonly SetupChoice[]>;
  /** Sends a message on a channel; resolves with how it failed as a sentence, null when it did not. */
  tryChannel(name: string): Promise<string | null>;
  readonly isInSandbox: boolean;
  /** Puts the embedded sandbox on the board in place of the user's own parcels. Rejects with a sentence. */
  enterSandbox(): Promise<void>;
  leaveSandbox(): Promise<void>;
}
