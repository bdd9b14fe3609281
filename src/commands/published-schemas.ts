import {
  changeSchema,
  configSchema,
  couriersSchema,
  doctorSchema,
  exportSchema,
  listSchema,
  showSchema,
  watchSchema,
} from '../board/json-schemas.ts';
import { scanSchema } from './scan-schema.ts';
import { storeCopySchema, storeSchema } from './store-schema.ts';

/** Nothing of this file is loaded when the program runs: the build makes the JSON Schemas of `dist/schemas` of it. */

/** The shapes that are published, by the name of the command that prints them. */
export const publishedSchemas = {
  list: { title: 'parcel-monitor list --json', schema: listSchema },
  show: { title: 'parcel-monitor show NUMBER --json', schema: showSchema },
  watch: { title: 'A line of parcel-monitor watch --json', schema: watchSchema },
  changes: { title: 'A line of parcel-monitor changes --json', schema: changeSchema },
  export: { title: 'parcel-monitor export --format json', schema: exportSchema },
  couriers: { title: 'parcel-monitor couriers --json', schema: couriersSchema },
  'config-list': { title: 'parcel-monitor config list --json', schema: configSchema },
  scan: { title: 'parcel-monitor add --scan FILE --json', schema: scanSchema },
  store: { title: 'parcel-monitor store --json', schema: storeSchema },
  'store-copy': { title: 'parcel-monitor store copy TO --json', schema: storeCopySchema },
  doctor: { title: 'parcel-monitor doctor --json', schema: doctorSchema },
} as const;
