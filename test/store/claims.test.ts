import { OpenWorkflow } from 'openworkflow';
import { BackendPostgres } from 'openworkflow/postgres';
import { BackendSqlite } from 'openworkflow/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/database.ts';
import { engines, freshDatabase } from '../support/databases.ts';

describe.each(engines)('ended runs on %s', (engine) => {
  test('are forgotten after a while; those that go on are kept', async () => {
    const database = await freshDatabase(engine);
    const store = await openStore(database.url);
    const file = engine === 'sqlite' ? `${database.url}-runs` : undefined;
    const backend = file === undefined ? await BackendPostgres.connect(database.url) : BackendSqlite.connect(file);
    onTestFinished(async () => {
      await backend.stop();
      await store.close();
      await database.drop();
    });
    const flow = new OpenWorkflow({ backend });
    const quick = flow.defineWorkflow({ name: 'quick' }, async () => 'done');
    const slow = flow.defineWorkflow({ name: 'slow' }, async ({ step }) => step.waitForSignal({ signal: 'never' }));
    const worker = flow.newWorker({ concurrency: 2 });
    const ended = await quick.run();
    const waiting = await slow.run();
    await worker.start();
    await ended.result();
    await worker.stop();

    await store.claims.forgetRuns(Date.now() - 60_000, file);
    expect(await backend.getWorkflowRun({ workflowRunId: ended.workflowRun.id })).not.toBeNull();
    await store.claims.forgetRuns(Date.now() + 60_000, file);
    expect(await backend.getWorkflowRun({ workflowRunId: ended.workflowRun.id })).toBeNull();
    expect(await backend.getWorkflowRun({ workflowRunId: waiting.workflowRun.id })).not.toBeNull();
  });
});

test('replicas that start together on an empty PostgreSQL make the tables of the durable engine one after another', async () => {
  const database = await freshDatabase('postgres');
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(database.url)));
  const backends = await Promise.all(stores.map((store) => store.alone(() => BackendPostgres.connect(database.url))));
  onTestFinished(async () => {
    await Promise.all(backends.map((backend) => backend.stop()));
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });
  expect(await backends[0]?.countWorkflowRuns()).toMatchObject({ completed: 0 });
});
