import * as v from 'valibot';
import { describe, instant, parcelSchema, textOrNull, wholeOrNull } from '../board/json-schemas.ts';
import type { Shape } from '../service/shape.ts';

const whole = v.pipe(v.number(), v.integer());

const scanPlaceSchema = v.object({
  message: describe(wholeOrNull, 'Null: mailboxes are not read.'),
  subject: describe(textOrNull, 'Of the mail; null where there is none.'),
  part: describe(textOrNull, 'Of a mail: text, HTML, or the name of an attachment; null outside of mails.'),
  line: describe(wholeOrNull, 'From 1, in the text or the part; null where lines mean nothing.'),
});

const scannedSchema = v.object({
  trackNo: v.string(),
  courierCode: describe(textOrNull, 'Named by the text or by --courier; null lets the service find the courier.'),
  courierName: textOrNull,
  candidates: describe(
    v.array(v.object({ courierCode: textOrNull, courierName: v.string() })),
    'Couriers that fit, likeliest first; the code is null where the service does not list the courier.',
  ),
  label: textOrNull,
  evidence: describe(
    v.picklist(['parcel-delivery', 'link', 'check-digit', 'pattern', 'looks']),
    'Why it was taken for a number: data for machines, a link to a courier, the form of a courier with or without a check digit, its looks.',
  ),
  trust: v.picklist(['sure', 'likely', 'doubtful']),
  places: describe(v.array(scanPlaceSchema), 'Where it stands, first place first; not all of many.'),
  standing: describe(
    v.picklist(['new', 'watched', 'archived', 'rejected', 'twice', 'no-number', 'unknown-courier']),
    'To the watchlist, before anything was added.',
  ),
  added: describe(v.boolean(), 'Whether it was added, or with --dry-run would be.'),
  remark: describe(textOrNull, 'Why it is doubtful or cannot be added.'),
  result: describe(
    v.nullable(parcelSchema.entries.state),
    'What became of it; null with --dry-run, and where it was not added.',
  ),
});

/** What `add --scan --json` prints, as a schema; nothing of this file is loaded when the program runs. */
export const scanSchema = v.object({
  version: v.literal(1),
  generatedAt: instant,
  format: describe(v.picklist(['text', 'html', 'mail', 'mailbox']), 'What the text was read as.'),
  cost: describe(v.object({ registrations: whole, calls: whole }), 'What adding takes of the account.'),
  numbers: describe(v.array(scannedSchema), 'In the order in which they stand in the text.'),
  problems: describe(
    v.array(v.object({ message: v.string(), place: scanPlaceSchema })),
    'Parts that could not be read.',
  ),
  leftOut: describe(whole, 'How many more numbers there are, beyond what is read at once.'),
});

/** What `add --scan --json` prints. */
export type ScanJson = Shape<typeof scanSchema>;
/** A number that was found. */
export type ScannedJson = Shape<typeof scannedSchema>;
