import type { BoardBadge } from '../../board/header.ts';
import type { Clock, Random } from '../../lib/clock.ts';
import type { GlyphSet } from '../../lib/paint.ts';
import type { Zone } from '../../lib/zone.ts';
import type { NotificationSwitch } from '../../notify/notification.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { AccountActions } from '../../polling/account.ts';
import type { ApplyAdditions } from '../../polling/apply-additions.ts';
import type { Monitor } from '../../polling/state.ts';
import type { Scan } from '../../scan/found-number.ts';
import type { CallReport } from '../../service/transport.ts';
import type { WebhookSignature } from '../../service/webhook.ts';
import type { CourierDirectory } from '../../store/courier-directory.ts';
import type { Processes } from '../../store/file/processes.ts';
import type { KeptView, ViewChanges } from '../../store/saved-view.ts';
import { type Environment, onlyPrints } from '../../system/environment.ts';
import type { RunProgram, StartChild } from '../../system/run-program.ts';
import type { LeftScreen } from '../../system/saved-frame.ts';
import type { Output } from '../../system/standard-streams.ts';
import type { SetupEffects } from '../setup/effects.ts';
import type { BoardSetup, Fact } from '../setup/setup-lines.ts';

export type ShowBoard = (request: BoardRequest) => Promise<BoardEnd>;

/**
 * Shows in one row of the terminal what the board waits for: in the last row of the current frame, else on its own
 * line. The next output replaces it; null clears it.
 */
export type TellStart = (text: string | null) => void;

export interface DemoParcel {
  readonly trackNo: string;
  readonly courierCode: string | null;
  readonly label: string | null;
  readonly registeredAgoMs: number;
}

export interface SandboxRequest {
  /** 0 for any free port. */
  readonly port: number;
  /** Simulated seconds per second. */
  readonly speed: number;
  readonly seed: number;
  /** What it does wrong, as written on the command line: `NAME[:p=0.3][:count=5][:OPERATION][:number=A1,B2][:30s]`. */
  readonly faults?: readonly string[];
  /** Called on every change. */
  readonly webhook?: string;
  /** How callbacks are signed; as `hmac` when left out. */
  readonly webhookSignature?: WebhookSignature;
  /** How many registrations and instant calls the account has left; no limit when left out. */
  readonly credit?: number;
  /** How many couriers are listed at least; invented ones fill up. */
  readonly couriers?: number;
  /** The header that carries the key; the service's usual one when left out. */
  readonly header?: string;
  /** Path below which everything is served; none when left out. */
  readonly basePath?: string;
}

export interface RunningSandbox {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headerName: string;
  close(): Promise<void>;
}

/** The embedded service, handed in because commands do not know the sandbox. */
export interface SandboxPort {
  start(request: SandboxRequest): Promise<RunningSandbox>;
  /** Starts the demonstration, which is the same for everybody, with its parcels registered. Rejects as `start`. */
  startDemo(): Promise<RunningSandbox>;
  readonly demoParcels: readonly DemoParcel[];
  /** What it can be made to do wrong, with what each means. */
  readonly faults: Readonly<Record<string, string>>;
}

export interface CommandContext {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether to print results and errors only. */
  readonly isQuiet?: boolean;
  /** Called after each request to the service. */
  readonly onCall?: (call: CallReport) => void;
  readonly stdinIsTerminal: boolean;
  /** What is on standard input, piece by piece; leaving off early closes it. */
  stdin(): AsyncIterable<Uint8Array>;
  /** Reads a line from the terminal, even if standard input is a pipe; empty without a terminal or at an interrupt. */
  readLine(): Promise<string>;
  /** As the program was given them, without its name. */
  readonly arguments: readonly string[];
  readonly environment: Environment;
  /** As the environment or the system names it; null when neither does. */
  readonly homeDirectory: string | null;
  /** Who runs the program; null where the system has no such numbers. */
  readonly userId: number | null;
  readonly platform: string;
  /** The machine's zone, IANA, one that is known; found out only when it is needed. */
  systemZone(): string;
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: Processes;
  readonly version: string;
  readonly nodeVersion: string;
  /** Aborted when the program is to stop, or when its output is closed. */
  readonly signal: AbortSignal;
  /** Starts programs of the user's; nothing else does. */
  readonly startChild: StartChild;
  /** Has something done before the process is ended by force; what it answers is printed. Answers how to take it back. */
  onForcedEnd(farewell: () => string | null): () => void;
  /** Leaves Ctrl+C to a program that has the terminal. Answers how to take it back. */
  leaveInterrupts(): () => void;
  /** Runs a program without a shell and answers its standard output; rejects when it fails or takes longer than 10 s. */
  readonly runProgram: RunProgram;
  loadSandbox(): Promise<SandboxPort>;
  readonly showBoard: ShowBoard;
  /** Absent where nothing can be taken away again. */
  readonly tellStart?: TellStart;
  /** Has q call this before there is a board; null ends that. */
  readonly onStartQuit?: (listener: (() => void) | null) => void;
}

export type Asking = Pick<CommandContext, 'readLine' | 'stderr' | 'stdinIsTerminal'>;

/** Whether a user is at the terminal who can read a question and answer it. */
export const canAsk = ({ stderr, stdinIsTerminal }: Asking): boolean => stdinIsTerminal && stderr.isTerminal;

/** Asks whether to go on; anything but a yes is a no. */
export async function askWhether(context: Asking, question: string): Promise<boolean> {
  context.stderr.write(`parcel-monitor: ${question} [y/N] `);
  return /^\s*y(?:es)?\s*$/i.test(await context.readLine());
}

/** Whether there is a terminal that keys come from and that shows a screen: without one, what needs it prints instead. */
export const hasScreen = ({
  environment,
  stdinIsTerminal,
  stdout,
}: Pick<CommandContext, 'environment' | 'stdinIsTerminal' | 'stdout'>): boolean =>
  stdinIsTerminal && stdout.isTerminal && !onlyPrints(environment);

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
  /** What the conversation that sets it up has done; null where nothing can be set up. */
  readonly setupEffects: SetupEffects | null;
  /** Why nothing can be set up here and how one begins, as sentences; absent where that is not known. */
  readonly whyNoSetup?: string;
  readonly title: boolean;
  /** Null where no channel of notifications is set. */
  readonly notificationSwitch: NotificationSwitch | null;
  /** Facts for the details that only the caller knows: base URL, files. */
  readonly facts: readonly Fact[];
  readonly account: AccountActions;
  /** How far the service's clock is ahead of this machine's, in milliseconds; null while nothing is known. */
  readonly clockSkew: () => number | null;
  /** Whether the configuration has an extra for a courier that needs one. */
  readonly hasDefaultExtra: (courierCode: string) => boolean;
  /** Writes parcels to a file, in the format of its ending. Rejects with an error for the user. Absent without a store. */
  readonly exportParcels?: (file: string, parcels: readonly Parcel[]) => Promise<void>;
  /** What has just been taken over, to be said in passing; another object each time. Null where there is nothing to say. */
  readonly news?: { readonly sentence: string } | null;
}

export interface FoundAlready {
  /** Where the text comes from, such as a file's name, ready to be shown. */
  readonly source: string;
  readonly scan: Scan;
}

/** What the screen is given to show. */
export interface ScreenServices extends ReplaceableServices {
  readonly glyphs: GlyphSet;
  readonly colour: boolean;
  /** Whether the board opens with the setup, even if all is set. */
  readonly opensSetup?: boolean;
  /** How the board was looked at last; it opens like that. */
  readonly view: KeptView;
  /** Remembers what of it has changed for the next start. */
  readonly keepView: (changes: ViewChanges) => void;
  /** Numbers that were found already: then only they are shown, and the screen ends with them. Absent on the board. */
  readonly foundAlready?: FoundAlready;
  /** Saves expected deliveries as a calendar file and returns its path. Absent in the demo. */
  readonly writeCalendar?: (parcels: readonly Parcel[], day: string) => Promise<string>;
  /** How found numbers are added; absent where that is for the board to do, which polls. */
  readonly applyAdditions?: ApplyAdditions;
}

/** What the screen needs to know. Terminal and clock are added by the composition root. */
export interface BoardRequest extends ScreenServices {
  /** Calls the listener with what takes the place of these services while the board is open; answers how to stop. */
  readonly onReplaced?: (listener: (services: ReplaceableServices) => void) => () => void;
  /** Called with the last screen if it shows only the board. */
  readonly keepScreen?: (screen: LeftScreen) => void;
  /** Aborted to end the board, e.g. by a signal; the terminal is restored before it has ended. */
  readonly signal: AbortSignal;
}

/** How the screen ended, `interrupted` by Ctrl-C; the terminal is restored by then. */
export interface BoardEnd {
  readonly reason: 'quit' | 'interrupted' | 'stopped' | 'hangup' | 'error';
  /** What was thrown while drawing; null unless the reason is `error`. */
  readonly error: unknown;
}
