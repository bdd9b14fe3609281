import { spawn } from 'node:child_process';
import { listenTo } from '../support/running-cli.ts';

/** The built program's sandbox, as a process of its own. */
export interface SandboxProcess {
  readonly baseUrl: URL;
  readonly key: string;
  /** Puts these faults in force, as `/sandbox/faults` takes them, and no others. */
  setFaults(faults: readonly object[]): Promise<void>;
  /** Names of all faults. */
  faultNames(): Promise<readonly string[]>;
  /** Calls that it has counted. */
  calls(): Promise<number>;
  close(): Promise<void>;
}

/** Starts `sandbox` of the built program. */
export async function startSandboxProcess(
  cli: string,
  environment: Readonly<Record<string, string>>,
  { speed, seed }: { readonly speed: number; readonly seed: number },
): Promise<SandboxProcess> {
  const running = listenTo(
    spawn(process.execPath, [cli, 'sandbox', '--speed', `${speed}`, '--seed', `${seed}`], { env: { ...environment } }),
  );
  await running.until(({ stdout }) => stdout.includes('API key: '));
  const said = (pattern: RegExp): string => pattern.exec(running.stdout())?.[1] ?? '';
  const baseUrl = new URL(said(/base URL: (\S+)/));
  const key = said(/API key: (\S+)/);
  const control = async (path: string, method = 'GET', body?: unknown): Promise<unknown> => {
    const answer = await fetch(new URL(`/sandbox/${path}`, baseUrl), {
      method,
      headers: { 'service-api-secret': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`);
    return await answer.json();
  };
  return {
    baseUrl,
    key,
    setFaults: async (faults) => void (await control('faults', 'PUT', faults)),
    faultNames: async () => Object.keys((await control('fault-names')) as object),
    calls: async () => {
      const { calls } = (await control('state')) as { readonly calls: Readonly<Record<string, number>> };
      return Object.values(calls).reduce((sum, count) => sum + count, 0);
    },
    close: async () => void (await running.end('SIGTERM')),
  };
}
