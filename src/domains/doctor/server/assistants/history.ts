import { sql, type RawBuilder } from 'kysely';
import { refuseField } from '../../../../kernel/contract/errors.ts';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { QueryContext } from '../../../../kernel/server/context.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { userBrief } from '../../../identity/server/index.ts';
import type { BindRow, queryAssistantBindHistory, queryUnboundDoctorList } from '../../contract/assistantCalls.ts';
import { seesDoctor } from '../access.ts';
import { like, own } from '../database.ts';

/** Binds of an assistant or a doctor, live ones first. */
export async function bindHistory(
  { pageNo, pageSize, assistantId, doctorId, live }: CheckedInputOf<typeof queryAssistantBindHistory>,
  ctx: QueryContext,
) {
  if (!assistantId && !doctorId) throw refuseField('assistantId', '请选择医助或医生');
  let query = own(ctx.db)
    .selectFrom('doctorAssistantBind as b')
    .innerJoin('doctorDoctor as d', 'd.id', 'b.doctorId')
    .innerJoin('doctorAssistant as a', 'a.id', 'b.assistantId')
    .where(seesDoctor(ctx.staff));
  if (assistantId) query = query.where('b.assistantId', '=', assistantId);
  if (doctorId) query = query.where('b.doctorId', '=', doctorId);
  if (live !== undefined) query = query.where('b.endedAt', live ? 'is' : 'is not', null);
  const open: RawBuilder<number> = sql`(select count(*)::int from doctor_assistant_load l where b.ended_at is null and l.assistant_id = b.assistant_id and l.doctor_id = b.doctor_id and l.open)`;
  const rows = await query
    .leftJoin('doctorAssistantTransfer as t', 't.id', 'b.transferId')
    .select([
      'b.id',
      'b.doctorId',
      'd.doctorNo',
      'd.name as doctorName',
      'b.assistantId',
      'a.assistantNo',
      'a.name as assistantName',
      'b.role',
      'b.startedAt',
      'b.startedBy',
      'b.endedAt',
      'b.endedBy',
      'b.endReason',
      't.transferNo',
      open.as('open'),
    ])
    .orderBy(sql`b.ended_at desc nulls first`)
    .orderBy('b.role', 'desc')
    .orderBy('b.id', 'desc')
    .limit(pageSize)
    .offset(offsetOf({ pageNo, pageSize }))
    .execute();
  const users = new Map(
    (
      await userBrief(
        ctx.db,
        rows.flatMap(({ startedBy, endedBy }) => [startedBy, endedBy]).filter((id) => id !== null),
      )
    ).map(({ userId, displayName }) => [userId, displayName]),
  );
  const nameOf = (id: string | null) => (id === null ? null : (users.get(id) ?? null));
  return {
    rows: rows.map(({ startedBy, endedBy, ...row }): BindRow => ({
      ...row,
      startedName: nameOf(startedBy),
      endedName: nameOf(endedBy),
    })),
    total: await totalUpTo(own(ctx.db), query),
  };
}

/** Doctors who may be consulted and have no primary assistant. */
export async function unboundDoctors({ pageNo, pageSize, name }: CheckedInputOf<typeof queryUnboundDoctorList>, ctx: QueryContext) {
  let query = own(ctx.db)
    .selectFrom('doctorDoctor as d')
    .where('d.practiceOk', '=', true)
    .where(seesDoctor(ctx.staff))
    .where(
      sql<boolean>`not exists (select from doctor_assistant_bind b where b.doctor_id = d.id and b.role = 'PRIMARY' and b.ended_at is null)`,
    );
  if (name)
    query = query.where((eb) =>
      eb.or([
        eb('d.name', 'like', like(name)),
        eb('d.namePinyin', 'like', like(name.toLowerCase())),
        eb('d.doctorNo', 'like', like(name.toUpperCase())),
      ]),
    );
  const rows = await query
    .select([
      'd.id',
      'd.doctorNo',
      'd.name',
      'd.titleCode',
      sql<number>`(select count(*)::int from doctor_assistant_bind b where b.doctor_id = d.id and b.ended_at is null)`.as('backupCount'),
    ])
    .orderBy('d.id')
    .limit(pageSize)
    .offset(offsetOf({ pageNo, pageSize }))
    .execute();
  return { rows, total: await totalUpTo(own(ctx.db), query) };
}
