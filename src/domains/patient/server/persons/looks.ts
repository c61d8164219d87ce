import { sql } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '#kernel/server/http/paging.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { queryPatientQueues, queryPatientTrail, queryRecordAccessList } from '../../contract/calls/sufferer.ts';
import { patientPermissions as may } from '../../contract/permissions.ts';
import { openPatient, seesPatient } from '../access.ts';
import { own } from '../database.ts';
import { TARGET } from './save.ts';

/** Who looked, what changed, and the numbers of the finder's queues. */
export const lookHandlers: readonly Handler[] = [
  // No `listOf`: the person is asked for first, and a list has three statements; the page counts itself.
  query(queryRecordAccessList, async ({ patientId, from, to, kind, pageNo, pageSize }, ctx) => {
    const seen = await openPatient(ctx.db, ctx.staff, patientId, ctx.now);
    let rows = own(ctx.db).selectFrom('patientRecordAccess as a').where('a.patientId', 'in', seen.groupIds);
    if (from) rows = rows.where('a.at', '>=', startOfDay(from));
    if (to) rows = rows.where('a.at', '<', startOfDay(plusDays(to, 1)));
    if (kind?.length) rows = rows.where('a.kind', 'in', kind);
    const page = await rows
      .select(['a.id', 'a.userId', 'a.clientId', 'a.role', 'a.kind', 'a.fields', 'a.reason', 'a.fromPage', 'a.at'])
      .select(sql<number>`count(*) over ()::int`.as('total'))
      .orderBy('a.at', 'desc')
      .orderBy('a.id', 'desc')
      .limit(pageSize)
      .offset(offsetOf({ pageNo, pageSize }))
      .execute();
    const total = page[0]?.total ?? (pageNo === 1 ? 0 : await totalUpTo(own(ctx.db), rows));
    const users = new Map(
      (
        await userBrief(
          ctx.db,
          page.flatMap(({ userId }) => userId ?? []),
        )
      ).map((user) => [user.userId, user.displayName]),
    );
    return {
      rows: page.map(({ total: _total, clientId, ...row }) => ({
        ...row,
        displayName: users.get(row.userId ?? '') ?? (clientId ? `接口 ${clientId}` : '系统'),
      })),
      total,
    };
  }),
  query(queryPatientTrail, async ({ patientId }, ctx) => {
    const seen = await openPatient(ctx.db, ctx.staff, patientId, ctx.now);
    const trails = await Promise.all(seen.groupIds.map((id) => trailOf(ctx.db, TARGET, id)));
    return trails.flat().toSorted((a, b) => b.at.localeCompare(a.at) || Number(BigInt(b.id) - BigInt(a.id)));
  }),
  query(queryPatientQueues, async (_input, ctx) => {
    const sees = seesPatient(ctx.staff, ctx.now);
    const { rows } = await sql<{ manual: number; reports: number; merges: number; privacy: number }>`
      select (
        select count(*)::int from patient_patient p where p.real_name_state = 'MANUAL' and p.state in ('ACTIVE', 'FROZEN') and ${sees}
      ) as manual,
        (
          select count(*)::int
            from patient_inspection i
            join patient_patient a on a.id = i.patient_id
            join patient_patient p on p.id = coalesce(a.merged_into_id, a.id)
            where i.status = '1' and i.voided_at is null and ${sees}
        ) as reports,
        (select count(*)::int from patient_merge where state = 'PENDING') as merges,
        (select count(*)::int from patient_privacy_request where state in ('OPEN', 'DOING')) as privacy`.execute(ctx.db);
    const found = rows[0]!;
    return {
      manual: ctx.has(may['realName.audit']) ? found.manual : null,
      reports: ctx.has(may['record.check']) ? found.reports : null,
      merges: ctx.has(may['merge.audit']) ? found.merges : null,
      privacy: ctx.has(may['privacy.handle']) ? found.privacy : null,
    };
  }),
];
