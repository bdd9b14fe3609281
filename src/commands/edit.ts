import type { ParcelEdit } from '../polling/state.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import { openCore } from './core.ts';
import { UsageError } from './errors.ts';
import type { ExitCode } from './exit-code.ts';
import { readCourierCode, readLabel, readPhoneSuffix, readPostalCode } from './extras.ts';
import { oneParcelNamed } from './find-parcel.ts';
import { registerExit, registerPending } from './register.ts';
import type { Session } from './session.ts';

/** Options of `edit`. */
export interface EditOptions {
  readonly label?: string;
  readonly courier?: string;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
  readonly archive?: boolean;
  readonly restore?: boolean;
}

/** Changes what is kept about a parcel; a new courier or new extra information is registered where that is possible. */
export async function runEdit(session: Session, number: string, options: EditOptions): Promise<ExitCode> {
  const edit = readEdit(options);
  if (Object.keys(edit).length === 0 && options.archive !== true && options.restore !== true) {
    throw new UsageError(
      'Say what to change: --label, --courier, --postal-code, --phone-suffix, --archive or --restore.',
    );
  }
  const parcel = await change(session, number, edit, options);
  const concernsService = 'courierCode' in edit || 'postalCode' in edit || 'phoneSuffix' in edit;
  const registration = await registerPending(session, concernsService && parcel.archivedAt === null ? [parcel.id] : []);
  session.context.stdout.write(`${parcel.trackNo}  ${doneWord(options)}\n`);
  return registerExit(session, registration);
}

/** Applies the edit to the watchlist; answers the parcel as it is then. */
async function change(session: Session, number: string, edit: ParcelEdit, options: EditOptions): Promise<Parcel> {
  const core = await openCore(session, null);
  try {
    const { monitor } = core;
    const parcel = oneParcelNamed(monitor.getState().parcels, number, null);
    if (Object.keys(edit).length > 0) await monitor.edit(parcel.id, edit);
    if (options.archive === true) await monitor.archive(parcel.id);
    if (options.restore === true) await monitor.restore(parcel.id);
    return monitor.getState().parcels.find((one) => one.id === parcel.id) ?? parcel;
  } finally {
    await core.close();
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
