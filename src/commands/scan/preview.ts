import { createAccountActions } from '../../polling/account/account-actions.ts';
import { type AppliedAddition, type ApplyAdditions, applyAdditions } from '../../polling/additions/apply-additions.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { Zone } from '../../service/clock/zone.ts';
import { cleanText } from '../../service/text/clean-text.ts';
import { identityKey } from '../../watchlist/model/identity.ts';
import type { NewParcel } from '../../watchlist/model/parcel-factory.ts';
import { createCourierDirectory } from '../../watchlist/state/courier-directory.ts';
import { firstView } from '../../watchlist/state/view-memory.ts';
import { lacksExtra } from '../input/missing-extras.ts';
import { type Core, openCore } from '../session/core.ts';
import { type Connection, connect } from '../session/service.ts';
import { type Session, say } from '../session/session.ts';
import { batchLimitsOf, type CommonFields, isRejected, printResult } from '../write/additions.ts';
import { rejectedAdvice } from '../write/register.ts';
import type { ScannedSource } from './read-source.ts';

/** What came of the numbers that somebody has chosen, by what names them; the last try counts. */
type Results = Map<string, AppliedAddition>;

/**
 * Has somebody at the terminal choose among the numbers that were found, and adds those: the board's list of found numbers
 * alone, whose keys come from the terminal where standard input is the text. Prints a line for each that was added.
 */
export async function runPreview(
  session: Session,
  source: string,
  { scan }: ScannedSource,
  common: CommonFields,
): Promise<ExitCode> {
  const connection = await connect(session);
  const core = await openCore(session, connection.service);
  try {
    const results: Results = new Map();
    const adding = createAdding(session, core, connection, common, results);
    const end = await session.context.showBoard({
      ...servicesOf(session, core, connection),
      foundAlready: { source: source === '-' ? 'standard input' : cleanText(source), scan },
      applyAdditions: adding.apply,
    });
    // Whoever leaves the screen while numbers are added is told how far that came.
    const left = await adding.stop();
    if (end.reason === 'error') throw end.error;
    return conclude(session, connection, [...results.values()], left);
  } finally {
    await core.close();
  }
}

/** Adds what is chosen, and can be stopped. */
interface Adding {
  readonly apply: ApplyAdditions;
  /** Stops what is under way, and waits for that; answers what was to be added last and was not. */
  stop(): Promise<readonly NewParcel[]>;
}

/** Adds as the command does, batch by batch, so that what is stopped costs no more. */
function createAdding(
  session: Session,
  { monitor }: Core,
  connection: Connection,
  common: CommonFields,
  results: Results,
): Adding {
  const end = new AbortController();
  let left: Promise<readonly NewParcel[]> = Promise.resolve([]);
  const apply: ApplyAdditions = async (parcels, options) => {
    const whole = parcels.map((parcel) => withCommon(parcel, common));
    const applying = applyAdditions(monitor, whole, {
      ...options,
      checks: true,
      registers: connection.service !== null,
      savedTogether: batchLimitsOf(session).register,
      signal: AbortSignal.any([options.signal, end.signal, session.context.signal]),
    });
    const noted = applying.then((applied) => {
      for (const result of applied.results) results.set(identityKey(whole[result.index] ?? result.parcel), result);
      return applied.left.flatMap((index) => whole[index] ?? []);
    });
    // Whoever called it hears of a failure.
    left = noted.catch(() => []);
    return await applying;
  };
  return {
    apply,
    stop: async () => {
      end.abort();
      return await left;
    },
  };
}

const withCommon = (parcel: NewParcel, common: CommonFields): NewParcel => ({
  ...common,
  trackNo: parcel.trackNo,
  label: parcel.label,
  courierCode: parcel.courierCode ?? common.courierCode,
  postalCode: parcel.postalCode ?? common.postalCode,
  phoneSuffix: parcel.phoneSuffix ?? common.phoneSuffix,
});

/** What the screen needs. Nothing is polled meanwhile: only what is chosen is registered. */
function servicesOf(session: Session, { monitor }: Core, { service }: Connection) {
  const { configuration, context, paths, style } = session;
  const { clock, processes, random, signal } = context;
  return {
    monitor: { ...monitor, start: () => undefined },
    couriers: createCourierDirectory({ path: paths.couriers, service, clock, random, processes }),
    zone: new Zone(configuration.zone(), context.readOffsets),
    title: false,
    notificationSwitch: null,
    setup: { kind: 'ready' },
    setupEffects: null,
    facts: [],
    account: createAccountActions(monitor, service),
    clockSkew: () => service?.clockSkew() ?? null,
    hasDefaultExtra: (courierCode: string) => !lacksExtra(configuration, courierCode),
    glyphs: style.glyphs,
    colour: style.colour,
    badge: null,
    view: { ...firstView, newsSeq: monitor.changeSeq() },
    keepView: () => undefined,
    signal,
  } as const;
}

/** Prints what came of what was chosen, behind the screen. */
function conclude(
  session: Session,
  connection: Connection,
  results: readonly AppliedAddition[],
  left: readonly NewParcel[],
): ExitCode {
  const { context } = session;
  for (const result of results) printResult(session, result);
  if (left.length > 0) say(context, `Not added: ${left.map(({ trackNo }) => trackNo).join(', ')}.`);
  if (results.length === 0) {
    say(context, 'Nothing was added.');
    return context.signal.aborted ? exitCode.interrupted : exitCode.failed;
  }
  const parcels = results.map(({ parcel }) => parcel);
  const isPending = parcels.some((parcel) => parcel.registration === 'pending' && parcel.archivedAt === null);
  if (connection.service === null && isPending) say(context, connection.reason);
  if (left.length > 0) return exitCode.failed;
  const rejected = parcels.filter(isRejected);
  if (rejected.length === 0) return connection.service === null && isPending ? connection.exitCode : exitCode.done;
  say(context, rejectedAdvice(rejected));
  return exitCode.rejected;
}
