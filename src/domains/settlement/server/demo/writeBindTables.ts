import { sql } from 'kysely';
import { plusDays } from '#kernel/contract/time.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { perfBindImporter } from '../perf/importer.ts';
import type { Stage } from './stage.ts';

type Row = Record<string, string>;

/** Doctors whom nobody has for a line, each with somebody who serves it. */
async function freePairs({ tx }: Stage): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select distinct on (d.doctor_no) a.agent_no, d.doctor_no, l.line_no
      from settlement_doctor d
      cross join settlement_agent s
      join pharma_agent a on a.id = s.agent_id and a.state = 'ACTIVE'
      join pharma_agent_line al on al.agent_id = a.id
      join pharma_product_line l on l.id = al.line_id and l.state = 'ACTIVE'
      where d.account_state = 'NORMAL'
        and not exists (
          select from settlement_perf_item i where i.doctor_id = d.doctor_id and i.product_line_id = l.id
        )
      order by d.doctor_no, a.agent_no, l.line_no
      limit 16`.execute(tx);
  return rows;
}

/** Doctors who have somebody and about whom nobody asks anything, each with a colleague who serves the same line. */
async function heldPairs({ tx, today }: Stage): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select distinct on (d.doctor_no) a.agent_no, d.doctor_no, l.line_no
      from settlement_perf_relation r
      join settlement_doctor d on d.doctor_id = r.doctor_id
      join pharma_product_line l on l.id = r.product_line_id and l.state = 'ACTIVE'
      join pharma_agent_line al on al.line_id = l.id and al.agent_id <> r.agent_id
      join pharma_agent a on a.id = al.agent_id and a.state = 'ACTIVE'
      where r.end_date is null and not r.revoked and r.start_date <= ${today}::date
        and not exists (
          select from settlement_perf_item i where i.doctor_id = r.doctor_id and i.product_line_id = r.product_line_id and i.is_open
        )
      order by d.doctor_no, a.agent_no, l.line_no
      limit 4`.execute(tx);
  return rows;
}

/** What an operator saves as CSV from the filled-in template. */
function tableOf(rows: readonly Row[]): Buffer {
  const lines = [
    perfBindImporter.columns.map(({ label }) => label),
    ...rows.map((row) => perfBindImporter.columns.map(({ key }) => row[key] ?? '')),
  ];
  return Buffer.from(`\uFEFF${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`);
}

/** Two tables of bindings that the real check takes when the program starts: one with wrong rows, one that waits to be committed. */
export async function writeBindTables(stage: Stage): Promise<void> {
  const { tx, now, today, kernel, writing } = stage;
  const people = await checkersFor(tx, { permission: may['perf.import'].code, today });
  const person = people.find(({ userId }) => userId === stage.staff.chan_ops.id);
  const staff = person && (await kernel.ports.sessions.contextOf(tx, person.userRoleId, now));
  if (!staff) return;
  const bind = (row: Row): Row => ({ ...row, changeType: '绑定', effectiveDate: plusDays(today, 1), remark: '新增签约医生' });
  const rebind = (row: Row): Row => ({ ...row, changeType: '换绑', effectiveDate: plusDays(today, 2), remark: '辖区调整' });
  const [free, held] = [await freePairs(stage), await heldPairs(stage)];
  const first = free[0];
  if (!first) return;
  const wrong = [
    ...free.slice(0, 6).map(bind),
    { ...bind(first), agentNo: 'DB20200101000001' },
    { ...bind(first), doctorNo: 'YS20200101000001' },
    bind(first),
  ];
  const tables = [
    ['绩效绑定_华东区.csv', wrong],
    ['绩效绑定_华东区（已更正）.csv', [...free.slice(0, 12).map(bind), ...held.map(rebind)]],
  ] as const;
  for (const [name, rows] of tables) {
    const file = { purpose: 'IMPORT', name, body: tableOf(rows), contentType: 'text/csv', createdBy: staff.userId, sensitive: true };
    const { fileId } = await kernel.ports.files.store(tx, file, now);
    const { code: importerCode } = perfBindImporter;
    await kernel.ports.importTasks.start(writing, { importerCode, fileId, params: {}, mode: 'ALL_OR_NOTHING', staff }, now);
  }
}
