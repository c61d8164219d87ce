import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitImportTask, queryImportResult } from '#domains/files/contract/calls/imports.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { sql } from 'kysely';
import { own } from '../database.ts';
import { refreshPairs } from '../hospitals/candidates.ts';
import { keeper, makeHospital } from '../testing/fixtures.ts';
import { uploadRows } from '#testing/uploads.ts';
import { hospitalImporter } from './hospitalImporter.ts';
import { importHospital } from '../../contract/importCalls.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const ENDS = ['人民医院', '第一人民医院', '人民医院东院', '中心医院', '中医医院', '第一人民医院分院'];
const AREAS = ['余杭临平', '余杭', '良渚瓶窑', '良渚', '闲林'];
const rows = AREAS.flatMap((area, place) =>
  ENDS.map((end, index) => ({
    name: `${area}${end}`,
    level: '二级甲等',
    kind: index === 4 ? '中医医院' : '综合医院',
    ownership: '公立',
    province: '浙江省',
    city: '杭州市',
    district: '西湖区',
    address: `文一路${place * 10 + index}号`,
    phone: index % 2 === 0 ? `0571-8600${1000 + place}` : '',
    former: index === 1 ? `${area}卫生院` : index === 5 ? `${AREAS[(place + 1) % AREAS.length]!}卫生院` : '',
  })),
);
const pairs = () =>
  own(app.db)
    .selectFrom('institutionDuplicatePair')
    .select(['leftId', 'rightId', 'score', 'why'])
    .orderBy('leftId')
    .orderBy('rightId')
    .execute();

it('finds after an import the same doubles as hospital by hospital, and tells the others of each', async () => {
  const as = await keeper(app);
  await makeHospital(app, { name: '余杭第一人民医院集团', phone: '0571-86001001' });
  const { importTaskId } = await app.ok(importHospital, { fileId: await uploadRows(app, as, hospitalImporter, rows) }, { as });
  await app.runDue();
  const checked = await app.ok(queryImportResult, { importTaskId }, { as });
  expect(checked).toMatchObject({ state: 'READY', newRows: rows.length });
  await app.ok(commitImportTask, { importTaskId, version: checked.version }, { as, idempotencyKey: 'commit-of-the-scoring-test' });
  await app.runDue();
  const scored = await pairs();
  expect(scored.length).toBeGreaterThan(5);
  const written = await own(app.db)
    .selectFrom('institutionHospital')
    .select('id')
    .where('importBatchNo', '=', checked.batchNo)
    .orderBy('id')
    .execute();
  await app.kernel.transactions.run('test', async ({ tx }) => {
    for (const { id } of written) await refreshPairs(tx, id, app.clock.now());
  });
  const again = await pairs();
  // The reasons are told from the side that asked last.
  const bare = (all: typeof again) => all.map(({ leftId, rightId, score }) => ({ leftId, rightId, score }));
  expect(bare(scored)).toEqual(bare(again));
  const { rows: told } = await sql<{ n: number }>`
    select count(distinct o.id)::int as n from kernel_outbox o join kernel_outbox_delivery d on d.outbox_id = o.id
    where o.name = 'institution.hospital.changed'
      and o.aggregate_id = any(${written.map(({ id }) => id)}::text[])
      and d.state = 'DONE'`.execute(app.db);
  expect(told[0]!.n).toBe(rows.length);
});
