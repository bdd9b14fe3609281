/**
 * The launcher: refuses a Node that is too old before anything that such a Node cannot parse is loaded, notes what
 * the user's environment was, and starts the program. Its bundle stays free of static imports and modern syntax.
 */
import { complaintAboutNode } from './commands/node-gate.ts';

const complaint = complaintAboutNode(process.versions.node);
if (complaint === null) {
  const environment = { ...process.env };
  /** Only some commands want to know, and asking takes as long as a small command. */
  const systemZone = (): string => {
    if (environment['TZ'] === undefined) delete process.env['TZ'];
    else process.env['TZ'] = environment['TZ'];
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    process.env['TZ'] = 'UTC';
    return timeZone;
  };
  // date-fns-tz goes through local dates and would show a wrong hour in the gap of the host's summer time.
  process.env['TZ'] = 'UTC';
  import('./main.ts').then(
    ({ main }) => main({ environment, systemZone }),
    (error: unknown) => {
      process.stderr.write(`parcel-monitor: The program cannot be loaded; install it again. ${String(error)}\n`);
      process.exitCode = 1;
    },
  );
} else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
}
