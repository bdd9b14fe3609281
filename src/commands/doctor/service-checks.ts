import { type ExitCode, exitCode, worseExit } from '../../process/exit-code.ts';
import type { ServiceError } from '../../service/failures/errors.ts';
import { StoreError } from '../../watchlist/errors.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Check } from '../output/json-schemas.ts';
import { ApiKeyMissingError, UsageError } from '../session/errors.ts';
import { describeFailure } from '../session/failure.ts';
import { provingCall } from '../session/proving-call.ts';
import type { Session } from '../session/session.ts';
import { clockFinding } from '../setup/proof-findings.ts';
import { fail, ok, warn, withheldCheck } from './check.ts';
import { mendService, mendVariable, setUp } from './mending.ts';

/** What came of looking at the service. */
interface ServiceFinding {
  readonly checks: readonly Check[];
  /** How the command ends because of it: 3 for the key, 4 for the network. */
  readonly exitCode: ExitCode;
}

const notTried = 'not tried (--offline)';

/**
 * Looks at base URL, key, proxy, service and clock. The key is proved by listing the couriers, which costs nothing and renews
 * the kept list; with `offline` nothing is sent.
 */
export async function checkService(session: Session, offline: boolean): Promise<ServiceFinding> {
  const { configuration } = session;
  const missing = missingSettings(configuration, session.paths.config);
  if (missing.length > 0) {
    const isKeyMissing = configuration.apiKey.kind === 'none';
    return { checks: missing, exitCode: isKeyMissing ? exitCode.refused : exitCode.failed };
  }
  if (configuration.keyWithheld !== null) {
    return {
      checks: [withheldCheck('service', configuration.keyWithheld, 'Until then the API key is sent nowhere.')],
      exitCode: exitCode.usage,
    };
  }
  if (configuration.proxy.kind === 'unusable') {
    const check = fail(
      'proxy',
      configuration.proxy.message,
      'Correct it; no call is made until then.',
      mendVariable(configuration.proxy.setBy, session.context.platform),
    );
    return { checks: [check], exitCode: exitCode.failed };
  }
  const { apiKey } = configuration;
  const found = apiKey.kind === 'none' ? 'not set' : `set (${apiKey.setBy})`;
  try {
    if (offline) {
      // A command that has to be run for the key can fail, too.
      await session.apiKey();
      return {
        checks: [
          ok('service', notTried),
          ok('API key', `${found}, ${notTried}`),
          ok('clock', `not compared (--offline)`),
        ],
        exitCode: exitCode.done,
      };
    }
    return await queryService(session, found);
  } catch (error) {
    if (!(error instanceof ApiKeyMissingError || error instanceof UsageError || error instanceof StoreError))
      throw error;
    return {
      checks: [fail('API key', error.message, 'Correct the key or the command that prints it.', mendKey(session))],
      exitCode: exitCode.refused,
    };
  }
}

/** The command that gives another key: a variable outranks whatever setting up would save. */
function mendKey({ configuration: { apiKey }, context }: Session): string {
  const isVariable = apiKey.kind === 'given' && !apiKey.setBy.startsWith('config.json');
  return isVariable ? mendVariable(apiKey.setBy, context.platform) : setUp;
}

function missingSettings({ apiKey, baseUrl }: Configuration, configFile: string): readonly Check[] {
  const addressAdvice = `Give --base-url or --profile, set PARCEL_MONITOR_BASE_URL, or put "baseUrl" in ${configFile}.`;
  const keyAdvice = `Set PARCEL_MONITOR_API_KEY, or put "apiKey" or "apiKeyCommand" in ${configFile}. The provider's portal has it (Developers, API).`;
  return [
    ...(baseUrl === null ? [fail('service', 'no base URL is set', addressAdvice, setUp)] : []),
    ...(apiKey.kind === 'none' ? [fail('API key', 'no key is set', keyAdvice, setUp)] : []),
  ];
}

async function queryService(session: Session, keyFound: string): Promise<ServiceFinding> {
  const { clockSkew, failure } = await provingCall(session, session.context.signal);
  const host = session.configuration.baseUrl?.host ?? '';
  const checks = failure === null ? proved(host, keyFound) : refuted(failure, host, keyFound, mendKey(session));
  return {
    checks: [...checks, clockCheck(clockSkew)],
    exitCode: failure === null ? exitCode.done : worseExit(exitCode.failed, describeFailure(failure).exitCode),
  };
}

function proved(host: string, keyFound: string): readonly Check[] {
  return [ok('service', `${host} answers`), ok('API key', `${keyFound}, accepted`)];
}

/** Which of service and key a failure is about; the message says what to do. */
function refuted(failure: ServiceError, host: string, keyFound: string, mendsKey: string): readonly Check[] {
  const { message } = describeFailure(failure);
  const unverified = warn('API key', `${keyFound}, not verified`, 'Run the check again when the service answers.');
  const refusal = (command: string): readonly Check[] => [
    ok('service', `${host} answers`),
    fail('API key', `${keyFound}, refused`, message, command),
  ];
  switch (failure.kind) {
    case 'key-refused':
      return refusal(mendsKey);
    case 'quota-exhausted':
      return refusal(mendService(failure));
    case 'operation-missing':
    case 'rate-limited':
    case 'request-refused':
      return [fail('service', `${host} answers, but not as it should`, message, mendService(failure)), unverified];
    case 'unreachable':
    case 'timeout':
    case 'bad-answer':
    case 'answer-too-large':
    case 'redirect-refused':
    case 'service-trouble':
    case 'cancelled':
      return [fail('service', `${host} gives no usable answer`, message, mendService(failure)), unverified];
  }
}

function clockCheck(skewMs: number | null): Check {
  const { detail, state } = clockFinding(skewMs);
  return state === 'doubtful' ? warn('clock', detail, 'Set the clock of this machine.') : ok('clock', detail);
}
