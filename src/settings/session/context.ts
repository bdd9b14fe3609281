import type { BoardBadge } from '../../board/header.ts';
import type { UserPhrases } from '../../board/phrase-book.ts';
import type { View } from '../../board/views.ts';
import type { Clock, Random } from '../../lib/clock.ts';
import type { Zone } from '../../lib/date-time.ts';
import type { Accent, GlyphSet, Theme } from '../../lib/paint.ts';
import type { NotificationSwitch } from '../../notify/notification.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { AccountActions } from '../../polling/account.ts';
import type { ApplyAdditions } from '../../polling/apply-additions.ts';
import type { Monitor } from '../../polling/monitor.ts';
import type { Scan } from '../../scan/found-number.ts';
import type { CallReport } from '../../service/transport.ts';
import type { WebhookSignature } from '../../service/webhook.ts';
import type { CourierDirectory } from '../../store/courier-directory.ts';
import type { Processes } from '../../store/file/processes.ts';
import type { SavedView, ViewChanges } from '../../store/saved-view.ts';
import { type Environment, isDumbTerminal } from '../../system/environment.ts';
import type { RunProgram, StartChild } from '../../system/run-program.ts';
import type { LastScreen } from '../../system/saved-screen.ts';
import type { Output } from '../../system/standard-streams.ts';
import type { CustomActions, KeyProblem } from '../board-settings.ts';
import type { BoardSetup, Fact, SetupEffects } from '../setup/board-setup.ts';

export type ShowBoard = (request: BoardRequest) => Promise<BoardEnd>;

/**
 * Shows start-up progress in the last row of the current frame, or on a separate line if there is none. The next output
 * replaces it. Null clears it.
 */
export type ShowStartProgress = (text: string | null) => void;

export interface DemoParcel {
  readonly trackNo: string;
  readonly courierCode: string | null;
  readonly label: string | null;
  readonly registeredAgoMs: number;
}

export interface SandboxRequest {
  /** 0 picks any free port. */
  readonly port: number;
  /** Simulated seconds per second. */
  readonly speed: number;
  readonly seed: number;
  /** Faults, as written on the command line: `NAME[:p=0.3][:count=5][:OPERATION][:number=A1,B2][:30s]`. */
  readonly faults?: readonly string[];
  /** URL that is called on every change. */
  readonly webhook?: string;
  /** How callbacks are signed. Defaults to `hmac`. */
  readonly webhookSignature?: WebhookSignature;
  /** Remaining registrations and instant calls of the account. Defaults to no limit. */
  readonly credit?: number;
  /** Minimum length of the courier list, padded with fictional couriers. */
  readonly couriers?: number;
  /** The header that contains the key. Defaults to the service's usual one. */
  readonly header?: string;
  /** Path prefix of all routes. Defaults to none. */
  readonly basePath?: string;
  readonly registered?: readonly DemoParcel[];
}

interface RunningSandbox {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headerName: string;
  close(): Promise<void>;
}

/** The embedded service. It is passed in, because commands do not import the sandbox. */
export interface SandboxPort {
  start(request: SandboxRequest): Promise<RunningSandbox>;
  /** The request for the demo, which is the same for every user. */
  readonly demo: SandboxRequest & { readonly registered: readonly DemoParcel[] };
  /** The faults that it can simulate, with descriptions. */
  readonly faults: Readonly<Record<string, string>>;
}

export interface CommandContext {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether to print results and errors only. */
  readonly isQuiet?: boolean;
  /** Whether to ask no questions, even if standard input is a terminal. */
  readonly isNonInteractive?: boolean;
  /** Shows progress on a line that the next output replaces. An empty string clears it. Absent without a terminal. */
  readonly showLine?: (text: string) => void;
  readonly onCall?: (call: CallReport) => void;
  readonly stdinIsTerminal: boolean;
  /** Yields chunks of standard input. Closes it if the consumer stops early. */
  stdin(): AsyncIterable<Uint8Array>;
  /**
   * Reads a line from the terminal, even if standard input is a pipe. Resolves with an empty string if there is no
   * terminal or the user interrupts.
   */
  readLine(): Promise<string>;
  /** The command's name. Absent for the board. */
  readonly command?: string;
  /** The program's arguments, without its name. */
  readonly arguments: readonly string[];
  readonly environment: Environment;
  /** From the environment or the system. Null if unknown. */
  readonly homeDirectory: string | null;
  /** The user who runs the program. Null if the system has no user ids. */
  readonly userId: number | null;
  readonly platform: string;
  /** Returns the machine's zone, a known IANA name, which is determined on first use. */
  systemZone(): string;
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: Processes;
  readonly version: string;
  readonly nodeVersion: string;
  /** Where users report bugs. Absent if package.json does not say. */
  readonly reportAt?: string | undefined;
  /** Address of the program's page. Absent if package.json does not say. */
  readonly homepage?: string | undefined;
  /** Aborted when the program should stop, or when the reader of its output is gone. */
  readonly signal: AbortSignal;
  /** The only place that starts the user's programs. */
  readonly startChild: StartChild;
  /** Prints the text returned by `farewell` before a forced exit. Returns a function to cancel. */
  onForcedEnd(farewell: () => string | null): () => void;
  /** Passes Ctrl+C to the program that uses the terminal. Returns a function that restores our handling. */
  passInterruptsOn(): () => void;
  /**
   * Runs a program without a shell and returns its standard output. Rejects if it fails or takes longer than 10 s.
   */
  readonly runProgram: RunProgram;
  /** Returns problems with the user's key bindings. Loads the screen's code. */
  readonly keyProblems?: (actions: CustomActions) => Promise<readonly KeyProblem[]>;
  loadSandbox(): Promise<SandboxPort>;
  readonly showBoard: ShowBoard;
  /** Absent if printed text cannot be erased. */
  readonly showStartProgress?: ShowStartProgress;
  /** Calls the listener if the user presses q before there is a board. Null removes it. */
  readonly onStartQuit?: (listener: (() => void) | null) => void;
}

export type PromptContext = Pick<CommandContext, 'readLine' | 'stderr' | 'stdinIsTerminal'>;

/** Whether there is a user at the terminal who can answer questions. */
export const canAsk = ({ stderr, stdinIsTerminal }: PromptContext): boolean => stdinIsTerminal && stderr.isTerminal;

/** Asks a yes-or-no question. Any other answer means no. */
export async function askYesNo(context: PromptContext, question: string): Promise<boolean> {
  context.stderr.write(`parcel-monitor: ${question} [y/N] `);
  return /^\s*y(?:es)?\s*$/i.test(await context.readLine());
}

/**
 * Whether there is a terminal with keys and a screen. Without one, commands print instead.
 */
export const hasScreen = ({
  environment,
  stdinIsTerminal,
  stdout,
}: Pick<CommandContext, 'environment' | 'stdinIsTerminal' | 'stdout'>): boolean =>
  stdinIsTerminal && stdout.isTerminal && !isDumbTerminal(environment);

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

export interface ReplaceableServices {
  readonly monitor: Monitor;
  readonly couriers: CourierDirectory;
  readonly zone: Zone;
  readonly setup: BoardSetup;
  readonly badge: BoardBadge | null;
  /** What the setup can do. Null if nothing can be set up. */
  readonly setupEffects: SetupEffects | null;
  /** Why nothing can be set up here, and where to do it instead, as sentences. Absent if unknown. */
  readonly setupProblem?: string;
  readonly title: boolean;
  /** The colours that the user chose. Absent for the default ones. */
  readonly theme?: Theme | undefined;
  /** Whether the theme depends on the terminal's background, once that is known. */
  readonly queriesBackground?: boolean;
  readonly accent?: Accent | null;
  /** Whether the board uses the mouse; defaults to false. */
  readonly mouse?: boolean;
  /** The user's views. Absent for the built-in ones. */
  readonly views?: readonly View[];
  /** The user's phrases. The same object until they change. */
  readonly phrases?: UserPhrases;
  /** Saves a view in the configuration, or deletes it if it is null. Absent if nothing can be saved. */
  readonly changeView?: (name: string, view: View | null) => Promise<void>;
  /** Null if no notification channel is set. */
  readonly notificationSwitch: NotificationSwitch | null;
  /** Extra facts for the details pane, such as the base URL and file paths. */
  readonly facts: readonly Fact[];
  readonly account: AccountActions;
  /** The user's keys and commands. The same object until they change. */
  readonly customActions?: CustomActions;
  /** Returns how far the service's clock is ahead of this machine's, in milliseconds, or null while it is unknown. */
  readonly clockSkew: () => number | null;
  /** Whether the configuration has an extra for a courier that needs one. */
  readonly hasDefaultExtra: (courierCode: string) => boolean;
  /**
   * Writes parcels to a file, in the format of its extension. Rejects with an error for the user. Absent without a
   * store.
   */
  readonly exportParcels?: (file: string, parcels: readonly Parcel[]) => Promise<void>;
  /** A message about settings that were just applied, as a new object each time. Null if there is none. */
  readonly news?: { readonly sentence: string } | null;
}

export interface BoardFiles {
  /** Rejects with a `UsageError`. */
  read(file: string): Promise<Uint8Array>;
  /** Whether pasted text is the absolute path of a file, for example one dragged onto the terminal. */
  isPath(pasted: string): boolean;
  /** Returns completions for a typed path. Folders end with a slash. */
  completions(typed: string): readonly string[];
}

export interface InitialScan {
  /** The text's source, such as a file's name, for display. */
  readonly source: string;
  readonly scan: Scan;
}

export interface ScreenServices extends ReplaceableServices {
  readonly glyphs: GlyphSet;
  readonly colour: boolean;
  /** Whether the board opens with the setup, even if everything is set. */
  readonly opensSetup?: boolean;
  /** The saved view that the board opens with. */
  readonly view: SavedView;
  readonly keepView: (changes: ViewChanges) => void;
  /** Numbers that a command found. The screen shows only these, and closes after them. Absent on the board. */
  readonly initialScan?: InitialScan;
  /** Saves expected deliveries as a calendar file and returns its path. Absent in the demo. */
  readonly writeCalendar?: (parcels: readonly Parcel[], day: string) => Promise<string>;
  /** Absent in the demo. */
  readonly files?: BoardFiles;
  /** Adds found numbers. Absent on the board, which adds them itself. */
  readonly applyAdditions?: ApplyAdditions;
}

/** What a command passes to the screen. The composition root adds the terminal and the clock. */
export interface BoardRequest extends ScreenServices {
  /** Calls the listener with services that replace these while the board is open. Returns a function to stop. */
  readonly onReplaced?: (listener: (services: ReplaceableServices) => void) => () => void;
  /** Called with the last screen if it shows only the board. */
  readonly keepScreen?: (screen: LastScreen) => void;
  /** Aborted to end the board, for example by a signal. */
  readonly signal: AbortSignal;
}

/** How the screen ended: `interrupted` means by Ctrl+C. The terminal has been restored by then. */
export interface BoardEnd {
  readonly reason: 'quit' | 'interrupted' | 'stopped' | 'hangup' | 'error';
  /** The error thrown while drawing. Null unless the reason is `error`. */
  readonly error: unknown;
}
