import type { SetupChoice } from './setup-lines.ts';

/**
 * What the conversation of `setup` has done for it, behind one port: the screen asks and shows, whoever fills this port
 * calls, stores and writes. Nothing here ever rejects for what a person can mend: outcomes say it as sentences. None of the
 * sentences holds the key.
 */

/** A service that can be chosen by its name. */
export interface KnownService {
  /** The profile, as the configuration names it. */
  readonly profile: string;
  /** As people know it. */
  readonly name: string;
  readonly baseUrl: string;
  /** How to get a key there, as a sentence: the way through the pages. */
  readonly wayToKey: string;
  /** The address of the page where one gets an account and a key, http or https. */
  readonly page: string;
}

/** Which service is wanted. */
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
  /** The one that holds already, wherever it stands. */
  | { readonly kind: 'present' };

/** Where a setting stands now. */
export interface SetPlace {
  /** Such as `PARCEL_MONITOR_API_KEY`, `--base-url` or `config.json: apiKeyCommand (pass)`. */
  readonly place: string;
  /** Whether it holds whatever config.json says: an option or a variable of the environment. */
  readonly outranksFile: boolean;
}

/** What is set now. */
export interface SetupNow {
  /** Null where no service is set. */
  readonly service: (ServiceChoice & SetPlace) | null;
  /** Where the key stands; null where none is set. */
  readonly key: SetPlace | null;
  /** The zone that holds, IANA. */
  readonly zone: string;
  /** Where that zone is set; null where the machine's is followed. */
  readonly zoneSet: SetPlace | null;
  /** The machine's own zone, IANA. */
  readonly machineZone: string;
  /** Names of the channels that are set. */
  readonly channels: readonly string[];
  /** The command of the channel for one, as a line; null where none is set. */
  readonly notifyCommand: string | null;
  /** The file that is written, ready to be shown. */
  readonly configFile: string;
}

/** The checks of a proof, in their order. */
export const proofCheckNames = ['address', 'connection', 'answer', 'key', 'clock'] as const;

/** What one check of a proof is about: the host's name, the connection with proxy and certificate, whether it is this service, the key with access and quota, the machine's clock. */
export type ProofCheckName = (typeof proofCheckNames)[number];

/** One check of a proof as it stands. */
export interface ProofCheck {
  readonly name: ProofCheckName;
  /** `doubtful` lets the user go on. */
  readonly state: 'waiting' | 'running' | 'ok' | 'doubtful' | 'failed' | 'skipped';
  /** What was found, as half a sentence or a sentence; empty while there is nothing to say. */
  readonly detail: string;
}

/** What came of one check, without its name. */
export type Finding = Pick<ProofCheck, 'state' | 'detail'>;

/** What the checks have found so far; one that is absent is still to come. */
export type Findings = Readonly<Partial<Record<ProofCheckName, Finding>>>;

/** All checks in their order; those without a finding have the state given. */
export function checksOf(findings: Findings, others: ProofCheck['state']): readonly ProofCheck[] {
  return proofCheckNames.map((name) => ({ name, ...(findings[name] ?? { state: others, detail: '' }) }));
}

/** What a proof found. */
export interface Proof {
  /** Whether service and key work together. */
  readonly works: boolean;
  /** All of {@link proofCheckNames}, in their order. */
  readonly checks: readonly ProofCheck[];
  /** What is wrong exactly and what to do, as sentences; null when it works. */
  readonly problem: string | null;
  /** Where the mistake most likely is, so that the screen leads back there; null when it works, or when nobody can say. */
  readonly mistakeIn: 'service' | 'key' | 'elsewhere' | null;
  /** What the call cost and what it answered, as a sentence. */
  readonly summary: string;
}

/** What is proved. */
export interface ProofRequest {
  readonly service: ServiceChoice;
  readonly key: KeySource;
  /** Told whenever a check has got further; all of them each time. */
  readonly onProgress: (checks: readonly ProofCheck[]) => void;
  /** Aborted when the user does not want to wait any longer. */
  readonly signal: AbortSignal;
}

/** What is saved when service and key have been settled. */
export interface ServiceToSave {
  readonly service: ServiceChoice;
  /**
   * Null when no key is to be set. `present` leaves the key where it is; a `command` is saved as `apiKeyCommand`,
   * and needs no store.
   */
  readonly key: KeySource | null;
  /** Id of the place for a key that was entered; null otherwise. */
  readonly keyStore: string | null;
}

/** How something ended that was to be written. */
export type SetupOutcome =
  | {
      readonly kind: 'done';
      /** What was written and where, as a sentence. */
      readonly summary: string;
      /** What holds all the same or needs attention, as sentences: a variable of the environment that outranks it. */
      readonly warnings: readonly string[];
    }
  /** Nothing was changed, as far as that could be avoided. `message`: what went wrong and what to do, as sentences. */
  | { readonly kind: 'failed'; readonly message: string };

/** The channel whose command is asked for. */
export const commandChannelId = 'command';

/** What the conversation has done for it. */
export interface SetupEffects {
  /** The services that can be chosen by name. */
  readonly knownServices: readonly KnownService[];
  /** Looks what is set now. Rejects with a sentence only when the configuration cannot be read. */
  current(): Promise<SetupNow>;
  /** Makes the one cheap call that shows whether service and key work, and finds out what is wrong when it fails. Never rejects. */
  prove(request: ProofRequest): Promise<Proof>;
  /**
   * Where the key of a service can be kept on this machine, with its id (`file`, `pass`, …), the recommended one first; looked at
   * anew each time. Never rejects.
   */
  keyStores(service: ServiceChoice): Promise<readonly SetupChoice[]>;
  /** Stores the key, reads it back, and writes service and key into the configuration. Never rejects. */
  saveService(settings: ServiceToSave): Promise<SetupOutcome>;
  /** Writes the viewer's zone; null follows the machine's. Never rejects. */
  saveZone(zone: string | null): Promise<SetupOutcome>;
  /** The ways on which changes can be notified here, each with the name that the configuration has for it as its id. Never rejects. */
  channels(): Promise<readonly SetupChoice[]>;
  /** Writes which command each change is given to, split at white space and quotes and run without a shell. Never rejects. */
  saveNotifyCommand(commandLine: string): Promise<SetupOutcome>;
  /** Sends a message on a channel; resolves with how it failed as a sentence, null when it did not. Never rejects. */
  tryChannel(name: string): Promise<string | null>;
  /** Writes the channels on which changes are notified; an empty list notifies nowhere. Never rejects. */
  saveChannels(names: readonly string[]): Promise<SetupOutcome>;
  /** Told whenever the conversation comes onto the screen or leaves it: who ends the program within it is told what was saved. */
  noteShown(isShown: boolean): void;
  /** Whether the board shows the sandbox now, with nothing of the user's. */
  readonly isInSandbox: boolean;
  /** Puts the embedded sandbox on the board, to look around; the board's services are replaced. Rejects with a sentence. */
  enterSandbox(): Promise<void>;
  /** Puts the user's own watchlist on the board again and ends the sandbox. Rejects with a sentence. */
  leaveSandbox(): Promise<void>;
}
