import { stat } from 'node:fs/promises';
import { counted } from '../../board/text/counted.ts';
import { ageText, untilText } from '../../board/time/age.ts';
import { type Budget, noBudget } from '../../polling/gate/budget.ts';
import { activeCoolDown } from '../../polling/gate/cool-down.ts';
import { defaultPollingPolicy } from '../../polling/schedule/policy.ts';
import { assumedServiceClock, type ServiceClock, serviceOffset } from '../../service/clock/service-clock.ts';
import { formatOffset } from '../../service/clock/utc-offset.ts';
import { ServiceError } from '../../service/failures/errors.ts';
import { asStoreErrors, StoreError } from '../../watchlist/errors.ts';
import { refuseOtherThanFile } from '../../watchlist/files/open-file.ts';
import { measuredClock } from '../../watchlist/state/polling-memory.ts';
import type { UsageTotals } from '../../watchlist/state/usage.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { ProgramPaths } from '../configuration/paths.ts';
import type { Check } from '../output/json-schemas.ts';
import type { CommandContext } from '../session/context.ts';
import { courierDirectory } from '../session/courier-directory.ts';
import type { Stores } from '../session/opened-stores.ts';
import { fail, ok, warn } from './check.ts';
import { mendStore } from './mending.ts';

/**
 * Looks at what survives a restart: service clock, cool-down, list of couriers, which process polls, and how much of the
 * service was used. Without a configuration that can be used, by the defaults.
 */
export async function checkMemory(
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
    const memory = await pollingMemory.load();
    const serviceClock = configuredClock ?? measuredClock(memory) ?? assumedServiceClock;
    const now = clock.now();
    const offset = formatOffset(serviceOffset(serviceClock, now));
    const zoned = serviceClock.zone === undefined ? offset : `${serviceClock.zone.name}, ${offset} now`;
    const coolDown = activeCoolDown(memory.coolDown, 'query', now, defaultPollingPolicy);
    const registering = activeCoolDown(memory.registerCoolDown, 'register', now, defaultPollingPolicy);
    return [
      ok('service clock', `${zoned}, ${clockSources[serviceClock.source]}`),
      coolDown === null
        ? ok('cool-down', 'none')
        : warn(
            'cool-down',
            `no call for another ${untilText(coolDown.until, now)}, after ${coolDown.failures} failed in a row`,
            'It ends by itself.',
          ),
      ...(registering === null
        ? []
        : [
            warn(
              'registrations',
              `none for another ${untilText(registering.until, now)}, after ${registering.failures} failed in a row`,
              'They are tried again then; "parcel-monitor refresh" tries now.',
            ),
          ]),
      ...(memory.paused ? [warn('pause', 'automatic checks are paused', 'Press P in the board to resume.')] : []),
    ];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [fail('memory', 'what polling remembers cannot be read', error.message, mendStore(error, context.platform))];
  }
}

const weekMs = 7 * 24 * 60 * 60_000;

async function couriersCheck(context: CommandContext, paths: ProgramPaths): Promise<Check> {
  const now = context.clock.now();
  try {
    await asStoreErrors(paths.couriers, async () => await refuseOtherThanFile(paths.couriers));
    const list = await courierDirectory({ context, paths }).list();
    const age = now - list.fetchedAt;
    const found = `${list.couriers.length} kept, ${ageText(list.fetchedAt, now)} old`;
    return age >= 0 && age < weekMs
      ? ok('couriers', found)
      : warn('couriers', found, 'Run "parcel-monitor couriers --refresh"; the board does so by itself.');
  } catch (error) {
    if (error instanceof StoreError) return warn('couriers', 'no list can be kept', error.message);
    if (!(error instanceof ServiceError)) throw error;
    return warn('couriers', `no list kept at ${paths.couriers} yet`, 'It is fetched when it is first needed.');
  }
}

async function leaseCheck(context: CommandContext, paths: ProgramPaths, { lease }: Stores): Promise<Check> {
  if ((await stat(paths.state).catch(() => null)) === null) return ok('other boards', 'none has run yet');
  try {
    const isFree = await lease.hold();
    await lease.release();
    return isFree
      ? ok('other boards', 'none is polling')
      : ok('other boards', 'one is polling; others show what it finds');
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return fail('other boards', `${paths.state} cannot be used`, error.message, mendStore(error, context.platform));
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

/** The use of the service in words, beside the budget where there is one; days and months are UTC's. */
function usageText({ today, month }: UsageTotals, budget: Budget): string {
  const queries = `${ofBudget(today.queries, budget.queriesPerDay, ['query', 'queries'])} today, ${month.queries} this month`;
  const registrations = `${ofBudget(month.registrations, budget.registrationsPerMonth, ['registration', 'registrations'])} this month`;
  return `${queries}; ${registrations}; ${counted(today.calls, 'call')} of all kinds today (UTC)`;
}

function ofBudget(used: number, limit: number | null, [one, several]: readonly [string, string]): string {
  return limit === null ? `${used} ${used === 1 ? one : several}` : `${used} of ${limit} ${several}`;
}
