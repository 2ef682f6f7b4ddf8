import { expect } from 'vitest';
import { planGb } from '../../../src/core/account/plan-size.ts';
import { planText, viewText } from '../../support/bot/view-text.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('s3');

test('s3 list and s3 show have the used space, and no secret key', async ({ runner: drive }) => {
  const secret = drive.sim.state().orders.find(({ storage }) => storage)?.storage?.secretKey ?? '';
  expect(secret).toHaveLength(32);
  const list = viewText(await drive.viewOf('s3 list'));
  expect(list).toMatchInlineSnapshot(`
    "Name │ Used │ Status
    Media bucket │ 232 GB of 250 GB (92 %) │ unpaid · € 2.50 a month
    [Show one in full ▾ [Media bucket → s3 show 664-2041]]
    · 1 bucket · GB is very likely the unit: the API does not say"
  `);
  const show = viewText(await drive.viewOf('s3 show media'));
  expect(show).toContain(
    '\nAccess key: example.8cab052ag4\nSecret key: Not shown here.\nWarning: The API does not say',
  );
  const read = [await drive.reader.s3.list(), await drive.reader.s3.read({ order_id: '664-2041' })];
  expect(JSON.stringify([list, show, read])).not.toContain(secret);
  expect(drive.reader.s3).not.toHaveProperty('secretKey');
});

test('the secret key is the secret of the step, and nowhere else', async ({ runner: drive }) => {
  const secret = drive.sim.state().orders.find(({ storage }) => storage)?.storage?.secretKey ?? '';
  const planned = await drive.planOf('s3 secret media');
  expect(planned.command).toMatchObject({ capability: 'secrets', risk: 'dangerous' });
  const ran = await drive.run(planned);
  expect(ran.secrets).toEqual([{ title: 'The secret key of Media bucket', value: secret }]);
  expect(JSON.stringify([planned.plan, ran.steps, ran.ending, ran.note])).not.toContain(secret);
  drive.sim.fault({ kind: 'shape', match: 'GET /orders/s3/{order_id}/', body: { secret_key: 17, other: secret } });
  const wrong = await drive.ask('s3 secret media');
  expect(JSON.stringify(wrong.kind === 'refused' ? wrong.error.message : wrong)).not.toContain(secret);
});

test('s3 threshold reads the new threshold only from the response', async ({ runner: drive }) => {
  const planned = await drive.planOf('s3 threshold media 20');
  expect(planText(planned.plan)).toContain('Now: Less than that is free already.');
  expect(await drive.run(planned)).toMatchObject({ end: 'done', note: 'the provider answered 20 GB' });
  expect(drive.writes()).toEqual([
    { request: 'PUT /orders/s3/2041/notification_threshold/', body: { space_warning_notify_gb: 20 } },
  ]);
  expect(await drive.refusalOf('s3 threshold media -1')).toMatchObject({ field: 'free' });
});

test('a bucket that the person may not read is not named', async () => {
  const drive = await openRunner({ may: (_, { id }) => id !== '664-2041' });
  expect(viewText(await drive.viewOf('s3 list'))).toBe('There is no object storage that you may see here.');
  expect((await drive.refusalOf('s3 show 664-2041')).reason).toBe('not_found');
});

test.each([
  ['Object storage 250 GB', 250],
  ['S3 1.5TB', 1_500],
  ['S3 storage', undefined],
  ['Plan 0 GB', undefined],
  ['VPS2GB', undefined],
])('the size of %s is %s GB', (plan, size) => {
  expect(planGb(plan)).toBe(size);
});
