import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { isRunning } from '../is-running.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

async function started(): Promise<PostgresServer> {
  const server = await startPostgresServer();
  onTestFinished(() => server.stop());
  return server;
}

async function ask(address: string, statement: string): Promise<readonly object[]> {
  const client = new Client(address);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test('a killed server continues with the committed data', async () => {
  const server = await started();
  await ask(server.address(), 'create table note as select 1 as number');
  const before = server.pid();
  await server.end('kill');
  expect(server.pid()).toBeNull();
  await server.start();
  expect(server.pid()).not.toBe(before);
  expect(await ask(server.address(), 'select number from note')).toEqual([{ number: 1 }]);
});

test('nothing is left of a server whose runner is killed', async () => {
  const runner = startRunner();
  onTestFinished(() => void runner.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: runner.stdout ?? expect.fail() }), 'line');
  const { folder, pid }: { folder: string; pid: number } = JSON.parse(String(line));
  expect(isRunning(pid)).toBe(true);
  runner.kill('SIGKILL');
  await eventually(() => {
    expect(isRunning(pid)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });
});

/** A process that starts a server, prints it and waits forever. */
function startRunner(): ChildProcess {
  const module = fileURLToPath(new URL('postgres-server.ts', import.meta.url));
  const program = `
    const { startPostgresServer } = await import(${JSON.stringify(module)});
    const server = await startPostgresServer();
    console.log(JSON.stringify({ folder: server.folder, pid: server.pid() }));
    setInterval(() => {}, 1_000);`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
