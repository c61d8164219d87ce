import { sql } from 'kysely';
import { dayOf } from '../../../kernel/contract/time.ts';
import { job } from '../../../kernel/server/jobs/declaration.ts';
import { getDepartment } from '../../institution/server/index.ts';
import { doctorPermissions } from '../contract/permissions.ts';
import { own, ownTx } from './database.ts';
import type { Part } from './part.ts';

/** Counts what breaks a rule, over all parts, and tells it; brings names of departments up to date, which no event carries. */
export const nightlyJob = (parts: readonly Part[]) =>
  job({
    name: 'doctor.nightly',
    label: '医生数据核对',
    cron: '40 2 * * *',
    expireSeconds: 3600,
    async run(_data, ctx) {
      const wrong: string[] = [];
      for (const [name, statement] of parts.flatMap(({ invariants }) => invariants ?? [])) {
        const { rows } = await sql.raw<{ n: number }>(statement).execute(ctx.db);
        if (rows[0]!.n > 0) wrong.push(`${name} ${rows[0]!.n}条`);
      }
      if (wrong.length > 0) {
        await ctx.transaction((writing) =>
          ctx.kernel.ports.notices.addAlert(writing.tx, { businessKey: `doctor.invariants:${dayOf(ctx.now)}`, title: '医生数据核对发现异常', body: wrong.join('；'), link: '/doctorManagement', permission: doctorPermissions['qual.enter'].code }, ctx.now),
        );
      }
      const departments = await own(ctx.db).selectFrom('doctorDoctor').select(['departmentId', 'departmentName']).distinct().where('departmentId', 'is not', null).execute();
      for (const { departmentId, departmentName } of departments) {
        if (ctx.signal.aborted) return;
        const department = departmentId === null ? null : await getDepartment(ctx.db, departmentId);
        if (!department || department.name === departmentName) continue;
        await ctx.transaction(async (writing) => {
          await ownTx(writing.tx).updateTable('doctorDoctor').set({ departmentName: department.name, standardDeptCode: department.standardDeptCode }).where('departmentId', '=', departmentId).execute();
        });
      }
    },
  });
