import { stat } from 'node:fs/promises';
import type { Check } from '../../board/json-schemas.ts';
import { ageText, untilText } from '../../board/time.ts';
import { formatOffset } from '../../lib/date-time.ts';
import { asStoreErrors, StoreError } from '../../lib/store-errors.ts';
import { counted } from '../../lib/text.ts';
import { type Budget, noBudget } from '../../polling/gate/budget.ts';
import { activeCoolDown } from '../../polling/gate/call-rules.ts';
import { defaultPollingPolicy } from '../../polling/schedule/timings.ts';
import { ServiceError } from '../../service/port.ts';
import { assumedServiceClock, type ServiceClock, serviceOffset } from '../../service/service-clock.ts';
import { statRegularFile } from '../../store/file/open-file.ts';
import { measuredClock } from '../../store/shared-state.ts';
import type { UsageTotals } from '../../store/usage-meter.ts';
import { type ExitCode, exitCode, worseExit } from '../../system/exit.ts';
import type { ProgramPaths } from '../config-file.ts';
import type { Configuration } from '../configuration.ts';
import { ApiKeyMissingError, describeFailure, UsageError } from '../errors.ts';
import type { CommandContext } from '../session/context.ts';
import { courierDirectory } from '../session/open-stores.ts';
import { missingSettings } from '../session/service.ts';
import type { Session, Stores } from '../session/session.ts';
import { testConnection } from '../setup/check-connection.ts';
import { fail, fixForService, fixForStore, fixForVariable, ok, setupCommand, warn } from './fix-hints.ts';

interface ServiceFinding {
  readonly checks: readonly Check[];
  /** The resulting exit code: 3 for the key, 4 for the network. */
  readonly exitCode: ExitCode;
}

const skippedText = 'not tried (--offline)';

/**
 * Checks the base URL, key, proxy, service and clock. Tests the key by listing the couriers, which costs nothing and
 * refreshes the saved list. With `offline`, nothing is sent.
 */
export async function checkService(session: Session, offline: boolean): Promise<ServiceFinding> {
  const { configuration } = session;
  const missing = missingSettings(session);
  if (missing.length > 0) {
    const isKeyMissing = configuration.apiKey.kind === 'none';
    const checks = missing.map(({ advice, name, what }) => fail(name, what, advice, setupCommand));
    return { checks, exitCode: isKeyMissing ? exitCode.refused : exitCode.failed };
  }
  if (configuration.keyWithheldReason !== null) {
    return {
      checks: [
        fail(
          'service',
          configuration.keyWithheldReason,
          'The API key will not be sent until this is fixed.',
          configuration.storeSource.foreignWriter?.command ?? setupCommand,
        ),
      ],
      exitCode: exitCode.usage,
    };
  }
  if (configuration.proxy.kind === 'unusable') {
    const check = fail(
      'proxy',
      configuration.proxy.message,
      'Correct it; no request is sent until then.',
      fixForVariable(configuration.proxy.setBy, session.context.platform),
    );
    return { checks: [check], exitCode: exitCode.failed };
  }
  const { apiKey } = configuration;
  const found = apiKey.kind === 'none' ? 'not set' : `set (${apiKey.setBy})`;
  try {
    if (offline) {
      // The command that prints the key can also fail.
      await session.apiKey();
      return {
        checks: [
          ok('service', skippedText),
          ok('API key', `${found}, ${skippedText}`),
          ok('clock', `not compared (--offline)`),
        ],
        exitCode: exitCode.done,
      };
    }
    return await queryService(session);
  } catch (error) {
    if (!(error instanceof ApiKeyMissingError || error instanceof UsageError || error instanceof StoreError))
      throw error;
    return {
      checks: [fail('API key', error.message, 'Correct the key or the command that prints it.', fixForKey(session))],
      exitCode: exitCode.refused,
    };
  }
}

/** Returns the command that sets a different key. A variable overrides the file. */
function fixForKey({ configuration: { apiKey }, context }: Session): string {
  const isVariable = apiKey.kind === 'given' && !apiKey.setBy.startsWith('config.json');
  return isVariable ? fixForVariable(apiKey.setBy, context.platform) : setupCommand;
}

async function queryService(session: Session): Promise<ServiceFinding> {
  const { checks, failure } = await testConnection(session, session.context.signal);
  if (failure === null) return { checks, exitCode: exitCode.done };
  const command = failure.kind === 'key-refused' ? fixForKey(session) : fixForService(failure);
  return {
    checks: checks.map((check) =>
      check.status === 'fail' ? fail(check.name, check.found, check.advice ?? '', command) : check,
    ),
    exitCode: worseExit(exitCode.failed, describeFailure(failure).exitCode),
  };
}

/**
 * Checks the saved state: service clock, cool-down, courier list, polling process and service usage. Uses the defaults
 * if there is no usable configuration.
 */
export async function checkSavedState(
  context: CommandContext,
  paths: ProgramPaths,
  { configuration, stores }: { readonly configuration: Configuration | null; readonly stores: Stores },
): Promise<readonly Check[]> {
  return [
    ...(await pollingChecks(context, stores, configuration?.serviceClock ?? null)),
    await couriersCheck(context, paths),
    ...(stores.files !== null ? [await leaseCheck(context, paths, stores)] : []),
    await usageCheck(stores, configuration?.budget ?? noBudget),
  ];
}

const clockSources: Readonly<Record<ServiceClock['source'], string>> = {
  configured: 'as configured',
  measured: 'measured',
  assumed: 'assumed until a registration measures it',
};

async function pollingChecks(
  context: CommandContext,
  { clock, memory: pollingMemory }: Stores,
  configuredClock: ServiceClock | null,
): Promise<readonly Check[]> {
  try {
    const memory = await pollingMemory.read();
    const serviceClock = configuredClock ?? measuredClock(memory) ?? assumedServiceClock;
    const now = clock.now();
    const offset = formatOffset(serviceOffset(serviceClock, now));
    const zoned = serviceClock.zone === undefined ? offset : `${serviceClock.zone.name}, ${offset} now`;
    const coolDown = activeCoolDown(memory.coolDown, 'query', now, defaultPollingPolicy);
    const registerCoolDown = activeCoolDown(memory.registerCoolDown, 'register', now, defaultPollingPolicy);
    return [
      ok('service clock', `${zoned}, ${clockSources[serviceClock.source]}`),
      coolDown === null
        ? ok('cool-down', 'none')
        : warn(
            'cool-down',
            `no call for another ${untilText(coolDown.until, now)}, after ${counted(coolDown.failures, 'failure')} in a row`,
            'You do not need to do anything.',
          ),
      ...(registerCoolDown === null
        ? []
        : [
            warn(
              'registrations',
              `none for another ${untilText(registerCoolDown.until, now)}, after ${counted(registerCoolDown.failures, 'failure')} in a row`,
              'They are tried again then; "parcel-monitor refresh" tries now.',
            ),
          ]),
      ...(memory.paused ? [warn('pause', 'automatic checks are paused', 'Press P in the board to resume.')] : []),
    ];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [
      fail(
        'memory',
        'the saved state of the checks cannot be read',
        error.message,
        fixForStore(error, context.platform),
      ),
    ];
  }
}

const weekMs = 7 * 24 * 60 * 60_000;

async function couriersCheck(context: CommandContext, paths: ProgramPaths): Promise<Check> {
  const now = context.clock.now();
  try {
    await asStoreErrors(paths.couriers, async () => await statRegularFile(paths.couriers));
    const list = await courierDirectory({ context, paths }).list();
    const age = now - list.fetchedAt;
    const found = `${list.couriers.length} cached, ${ageText(list.fetchedAt, now)} old`;
    return age >= 0 && age < weekMs
      ? ok('couriers', found)
      : warn('couriers', found, 'Run "parcel-monitor couriers --refresh"; the board does this automatically.');
  } catch (error) {
    if (error instanceof StoreError) return warn('couriers', 'the list cannot be saved', error.message);
    if (!(error instanceof ServiceError)) throw error;
    return warn('couriers', `no cached list at ${paths.couriers} yet`, 'It is fetched when it is first needed.');
  }
}

async function leaseCheck(context: CommandContext, paths: ProgramPaths, { lease }: Stores): Promise<Check> {
  if ((await stat(paths.state).catch(() => null)) === null) return ok('other boards', 'none has run yet');
  try {
    const isFree = await lease.hold();
    await lease.release();
    return isFree
      ? ok('other boards', 'none is polling')
      : ok('other boards', 'one is polling; the others show its results');
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return fail('other boards', `${paths.state} cannot be used`, error.message, fixForStore(error, context.platform));
  }
}

async function usageCheck({ meter }: Stores, budget: Budget): Promise<Check> {
  try {
    const totals = await meter.read();
    const found = usageText(totals, budget);
    const isSpent =
      totals.today.queries >= (budget.queriesPerDay ?? Number.POSITIVE_INFINITY) ||
      totals.month.registrations >= (budget.registrationsPerMonth ?? Number.POSITIVE_INFINITY);
    const advice =
      'Your budget is used up: checks resume with the next day or month, or when you raise it. Run: parcel-monitor config set budget.queriesPerDay NUMBER';
    return isSpent ? warn('usage', found, advice) : ok('usage', found);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return warn('usage', 'cannot be read', error.message);
  }
}

/** Returns the service's usage, with the budget if there is one. Days and months are in UTC. */
function usageText({ today, month }: UsageTotals, budget: Budget): string {
  const queries = `${amountText(today.queries, budget.queriesPerDay, ['query', 'queries'])} today, ${month.queries} this month`;
  const registrations = `${amountText(month.registrations, budget.registrationsPerMonth, ['registration', 'registrations'])} this month`;
  return `${queries}; ${registrations}; ${counted(today.calls, 'call')} of all kinds today (UTC)`;
}

function amountText(used: number, limit: number | null, [singular, plural]: readonly [string, string]): string {
  return limit === null ? `${used} ${used === 1 ? singular : plural}` : `${used} of ${limit} ${plural}`;
}
