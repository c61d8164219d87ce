import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { exportExcel, exportPolicy } from '../../contract/calls/policies.ts';
import { own } from '../database.ts';
import { keeper } from '../testing/fixtures.ts';
import { coveredPerson } from '../testing/orders.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await keeper(app);
});
afterAll(() => app.close());

it('policies by an address are the sheet of the page, without what no address may hold', async () => {
  const { policyId } = await coveredPerson(app);
  const { policyNo } = await own(app.db).selectFrom('policyPolicy').select('policyNo').where('id', '=', policyId).executeTakeFirstOrThrow();
  const viewer = await app.staff({ permissions: ['policy.policy.view'] });
  expect(await app.refused(exportExcel, {}, { as: viewer })).toMatchObject({ code: 'SCM90010' });
  for (const [name, value, label] of [
    ['idNo', '110101199005120010', '证件号'],
    ['mobile', '13900000001', '手机号'],
  ] as const) {
    const { envelope, file } = await app.send(exportExcel, { [name]: value }, { as });
    expect(file).toBeNull();
    expect(envelope).toMatchObject({ code: 'SCM90020', fields: [{ path: name, message: `${label}不能写在网址中，请用页面上的导出` }] });
  }
  expect(await app.refused(exportExcel, { endsWithinDays: 400 }, { as })).toMatchObject({
    fields: [{ path: 'endsWithinDays', message: '天数最大为366' }],
  });
  // A year from today it ends: within 366 days, not within 30.
  expect(await app.refused(exportExcel, { policyNo, endsWithinDays: 30 }, { as })).toMatchObject({ code: 'SCM02020' });
  const filter = { policyNo, state: ['IN_FORCE' as const], endsWithinDays: 366, format: 'CSV' as const };
  const { body, headers } = await app.file(exportExcel, filter, { as });
  expect(headers['content-type']).toContain('text/csv');
  const posted = await app.file(exportPolicy, filter, { as });
  expect(body.toString('utf8')).toBe(posted.body.toString('utf8'));
  expect(body.toString('utf8')).toContain(policyNo);
  const { rows } = await sql<{ kind: string; input: { policyNo?: string } }>`
    select kind, input from identity_operation_log where call like '%PolicyService/exportExcel' and result_code = '0000000'`.execute(
    app.db,
  );
  expect(rows).toMatchObject([{ kind: 'EXPORT', input: { policyNo } }]);
});
