import type { ParcelEdit } from '../polling/state.ts';
import { ServiceError } from '../service/errors.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import { openCore } from './core.ts';
import { requireCourier } from './courier-check.ts';
import { warnOfNeeds } from './courier-needs.ts';
import { applyEdit } from './edit-at-service.ts';
import { UsageError } from './errors.ts';
import { type ExitCode, exitCode, worseExit } from './exit-code.ts';
import { readCourierCode, readLabel, readPhoneSuffix, readPostalCode } from './extras.ts';
import { describeFailure } from './failure.ts';
import { oneParcelNamed } from './find-parcel.ts';
import { connect, registerExit, registerPending, reportRejected, warnOfSkew } from './register.ts';
import { type Session, say } from './session.ts';

/** Options of `edit`. */
export interface EditOptions {
  readonly label?: string;
  readonly courier?: string;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
  readonly archive?: boolean;
  readonly restore?: boolean;
}

/** What came of the edit before anything had to be registered. */
interface Edited {
  readonly parcel: Parcel;
  readonly exitCode: ExitCode;
}

/**
 * Changes what is kept about a parcel. What concerns the service goes there first (change courier, edit, else registering
 * anew); while the service fails, nothing is changed.
 */
export async function runEdit(session: Session, number: string, options: EditOptions): Promise<ExitCode> {
  const edit = readEdit(options);
  if (Object.keys(edit).length === 0 && options.archive !== true && options.restore !== true) {
    throw new UsageError(
      'Say what to change: --label, --courier, --postal-code, --phone-suffix, --archive or --restore.',
    );
  }
  await requireCourier(session, edit.courierCode ?? null);
  const concernsService = 'courierCode' in edit || 'postalCode' in edit || 'phoneSuffix' in edit;
  const edited = await change(session, number, edit, { ...options, concernsService });
  if (edited.exitCode !== exitCode.done || !concernsService) return edited.exitCode;
  const { parcel } = edited;
  const isToRegister = parcel.archivedAt === null && parcel.registration !== 'registered';
  const registration = await registerPending(session, isToRegister ? [parcel.id] : []);
  const parcels = registration.parcels.length > 0 ? registration.parcels : [parcel];
  if (isToRegister && ('postalCode' in edit || 'phoneSuffix' in edit)) tellDoubt(session, parcels);
  warnOfNeeds(session, parcels);
  return worseExit(edited.exitCode, registerExit(session, registration));
}

/** Applies the edit at the service and to the watchlist, and prints what was done. */
async function change(
  session: Session,
  number: string,
  edit: ParcelEdit,
  { concernsService, ...options }: EditOptions & { readonly concernsService: boolean },
): Promise<Edited> {
  const { context } = session;
  const service = concernsService ? (await connect(session)).service : null;
  const core = await openCore(session, service);
  try {
    const { monitor } = core;
    const parcel = oneParcelNamed(monitor.getState().parcels, number, null);
    const now = (): Parcel => monitor.getState().parcels.find((one) => one.id === parcel.id) ?? parcel;
    try {
      if (options.restore === true) await monitor.restore(parcel.id);
      const done = await applyEdit(context, { monitor, service }, now(), edit);
      if (options.archive === true) await monitor.archive(parcel.id);
      context.stdout.write(`${parcel.trackNo}  ${[doneWord(options), ...done].join(', ')}\n`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const failure = describeFailure(error);
      say(context, `${parcel.trackNo} stays as it was. ${failure.message}`);
      return { parcel, exitCode: failure.exitCode };
    }
    // What was registered all along is asked about here, the rest when it has been registered.
    if (service !== null && now().registration === 'registered') {
      await monitor.refresh([parcel.id]);
      warnOfSkew(session, service);
    }
    return { parcel: now(), exitCode: reportRejected(session, [now()]) };
  } finally {
    await core.close();
  }
}

/** A number that the service held already tells no time of registration; whether it took what is new, nobody knows. */
function tellDoubt({ context }: Session, parcels: readonly Parcel[]): void {
  for (const { trackNo, registration, registeredAt } of parcels) {
    if (registration !== 'registered' || registeredAt !== null) continue;
    say(
      context,
      `${trackNo}: the service held the number already and may not have taken the change; to be sure, remove it with --remote and add it again.`,
    );
  }
}

/** Only the fields that were given: an absent one stays as it is. */
function readEdit(options: EditOptions): ParcelEdit {
  return {
    ...(options.label === undefined ? {} : { label: readLabel(options.label) }),
    ...(options.courier === undefined ? {} : { courierCode: readCourierCode(options.courier) }),
    ...(options.postalCode === undefined ? {} : { postalCode: readPostalCode(options.postalCode) }),
    ...(options.phoneSuffix === undefined ? {} : { phoneSuffix: readPhoneSuffix(options.phoneSuffix) }),
  };
}

function doneWord(options: EditOptions): string {
  if (options.archive === true) return 'archived';
  return options.restore === true ? 'restored' : 'changed';
}
