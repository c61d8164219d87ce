import { sql } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { queryAssistantBindHistory, queryUnboundDoctorList } from '../../contract/calls/assistants.ts';
import { seesDoctor } from '../access.ts';
import { isDoctor, own } from '../database.ts';

/** Binds of an assistant or a doctor, live ones first. */
export const bindHistory = listOf(queryAssistantBindHistory)
  .from(({ db, staff, filter: { assistantId, doctorId } }) => {
    if (!assistantId && !doctorId) throw refuseField('assistantId', '请选择医助或医生');
    return own(db)
      .selectFrom('doctorAssistantBind as b')
      .innerJoin('doctorDoctor as d', 'd.id', 'b.doctorId')
      .innerJoin('doctorAssistant as a', 'a.id', 'b.assistantId')
      .leftJoin('doctorAssistantTransfer as t', 't.id', 'b.transferId')
      .where(seesDoctor(staff));
  })
  .with({
    where: { assistantId: 'b.assistantId', doctorId: 'b.doctorId', live: (eb, live) => eb('b.endedAt', live ? 'is' : 'is not', null) },
    id: 'b.id',
    unsorted: 'who is bound stands before who was',
    order: [
      [sql`(b.ended_at is null)`, 'desc'],
      ['b.endedAt', 'desc'],
      ['b.role', 'desc'],
    ],
    select: (query) =>
      query.select([
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
        sql<number>`(
          select count(*)::int
            from doctor_assistant_load l
            where b.ended_at is null and l.assistant_id = b.assistant_id and l.doctor_id = b.doctor_id and l.open
        )`.as('open'),
      ]),
    async present(rows, { db }) {
      const users = new Map(
        (
          await userBrief(
            db,
            rows.flatMap(({ startedBy, endedBy }) => [startedBy, endedBy]).filter((id) => id !== null),
          )
        ).map(({ userId, displayName }) => [userId, displayName]),
      );
      const nameOf = (id: string | null) => (id === null ? null : (users.get(id) ?? null));
      return rows.map(({ startedBy, endedBy, ...row }) => ({ ...row, startedName: nameOf(startedBy), endedName: nameOf(endedBy) }));
    },
  });

/** Doctors who may be consulted and have no primary assistant. */
export const unboundDoctors = listOf(queryUnboundDoctorList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('doctorDoctor as d')
      .where('d.practiceOk', '=', true)
      .where(seesDoctor(staff))
      .where(
        sql<boolean>`
          not exists (select from doctor_assistant_bind b where b.doctor_id = d.id and b.role = 'PRIMARY' and b.ended_at is null)`,
      ),
  )
  .with({
    where: { name: isDoctor },
    id: 'd.id',
    unsorted: 'a queue: who waits longest for an assistant first',
    order: [['d.id', 'asc']],
    select: (query) =>
      query.select([
        'd.id',
        'd.doctorNo',
        'd.name',
        'd.titleCode',
        sql<number>`(select count(*)::int from doctor_assistant_bind b where b.doctor_id = d.id and b.ended_at is null)`.as('backupCount'),
      ]),
    present: (rows) => rows,
  });
