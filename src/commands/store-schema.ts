import * as v from 'valibot';
import { describe, instant, textOrNull, wholeOrNull } from '../board/json-schemas.ts';
import type { Shape } from '../service/shape.ts';

const whole = v.pipe(v.number(), v.integer());
const numberOrNull = v.nullable(v.number());

const clientSchema = v.object({
  host: v.string(),
  kind: describe(v.string(), '"board", "watch", or the name of another command.'),
  version: v.string(),
  connectedAt: instant,
  seenAt: describe(instant, 'Who was not seen for 15 seconds is not listed.'),
});

export const storeSchema = v.object({
  version: v.literal(1),
  kind: v.picklist(['file', 'database']),
  place: describe(v.string(), 'Path of watchlist.json, or the address of the database without a password.'),
  account: describe(textOrNull, 'Which watchlist of the database; null for files, which hold one.'),
  service: describe(textOrNull, 'Base URL for which the account was made; null for files.'),
  parcels: whole,
  removed: describe(whole, 'Parcels in the trash, which can be brought back.'),
  changes: describe(whole, 'Lines of the change log.'),
  bytes: describe(wholeOrNull, 'On disk; of a database all accounts together. Null when it does not say.'),
  readOnly: describe(textOrNull, 'Why nothing can be written, as a sentence; null when it can.'),
  server: describe(textOrNull, 'How the database names itself; null for files, or when it does not.'),
  schemaVersion: describe(wholeOrNull, 'Version of the tables; null for files.'),
  isReplica: describe(v.nullable(v.boolean()), 'Null for files, or when it is not known.'),
  lagSeconds: describe(numberOrNull, 'How far a replica is behind; null where it is none.'),
  clockAheadSeconds: describe(numberOrNull, "How far the database's clock is ahead of this machine's; null for files."),
  checkedBy: describe(textOrNull, 'The host that polls; null when nobody does, or when the watchlist is in files.'),
  clients: describe(v.array(clientSchema), 'Who is connected to this account; none for files.'),
});

/** What `store --json` prints. */
export type StoreJson = Shape<typeof storeSchema>;

const kindSchema = v.object({
  count: whole,
  digest: describe(v.string(), 'Over all of the kind; the same on both sides.'),
});

export const storeCopySchema = v.object({
  version: v.literal(1),
  from: v.string(),
  to: v.string(),
  isDryRun: v.boolean(),
  copied: v.object({ parcels: kindSchema, histories: kindSchema, trash: kindSchema, changes: kindSchema }),
});

/** What `store copy --json` prints. */
export type StoreCopyJson = Shape<typeof storeCopySchema>;
