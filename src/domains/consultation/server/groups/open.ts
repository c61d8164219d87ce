import { sql } from 'kysely';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { conversationOpened, memberChanged } from '#events/consultation.ts';
import { operatorIdOf, roleOf } from '../../contract/im/ids.ts';
import type { Deed } from '../deed.ts';
import { ownTx } from '../database.ts';
import { changeConversation, createGroup, addMembers } from '../im/conversations/groups.ts';
import { lockGroup, type GroupRow } from '../inquiries/rows.ts';
import { noteBoard } from '../queue/board.ts';
import { publishQueue } from '../queue/signals.ts';
import { addDutySeconds, FIRST_RESPONSE_SEC, platformHours, type DutyHours } from '../rules/dutyTime.ts';
import { doctorAccount, patientAccount, type DoctorSide, type PatientSide } from './people.ts';

export type GroupSource = 'ORDER' | 'DESK' | 'STAFF' | 'CODE';
export interface DeskSide {
  deskId: string;
  name: string;
  hours: DutyHours;
}
export type Opening = { patient: PatientSide; source: GroupSource } & (
  | { doctor: DoctorSide; desk?: undefined }
  | { desk: DeskSide; doctor?: undefined }
);

const serial = async (ctx: Deed): Promise<string> => {
  const { rows } = await sql<{ n: string }>`select nextval('consultation_group_serial')::text as n`.execute(ctx.tx);
  return rows[0]!.n;
};

const NAME_LENGTH = 60;
const nameOf = (opening: Opening): string =>
  `${opening.patient.name}-${opening.doctor ? `${opening.doctor.name}医生` : opening.desk.name}`.slice(0, NAME_LENGTH);

async function publishOpened(ctx: Deed, group: GroupRow, first: boolean): Promise<void> {
  await ctx.publish(conversationOpened, group.convId, {
    conversationId: group.convId,
    groupId: group.groupId,
    kind: group.kind === 'DOCTOR' ? 'DOCTOR' : 'DESK',
    patientId: group.patientId,
    suffererOperatorId: group.suffererOperatorId,
    doctorId: group.doctorId,
    assistantOperatorId: null,
    deskId: group.deskId,
    source: group.source,
    first,
    at: ctx.now,
  });
}

/** The group of an account with a doctor or a desk, locked; absent when they never met. Two openings of one pair wait for each other. */
async function known(ctx: Deed, opening: Opening): Promise<GroupRow | null> {
  const partner = opening.doctor ? `D${opening.doctor.operatorId}` : `K${opening.desk.deskId}`;
  await lockKeys(ctx.tx, 'consultation.medicalGroup', [`${opening.patient.operatorId}:${partner}`]);
  let query = ownTx(ctx.tx)
    .selectFrom('consultationMedicalGroup')
    .select('groupId')
    .where('suffererOperatorId', '=', opening.patient.operatorId);
  query = opening.doctor
    ? query.where('doctorOperatorId', '=', opening.doctor.operatorId).where('kind', '=', 'DOCTOR')
    : query.where('deskId', '=', opening.desk.deskId).where('kind', '=', 'DESK');
  const row = await query.executeTakeFirst();
  return row ? (await lockGroup(ctx.tx, row.groupId)).group : null;
}

/**
 * Opens the one group of a patient account with a doctor or a desk, or takes the one that is there, also when it was closed.
 * It waits in the queue until `assign` finds an owner.
 */
export async function openGroup(ctx: Deed, opening: Opening): Promise<GroupRow> {
  const tx = ownTx(ctx.tx);
  const patient = await patientAccount(ctx, opening.patient);
  const doctor = opening.doctor ? await doctorAccount(ctx, opening.doctor) : null;
  const present = await known(ctx, opening);
  if (present) {
    if (present.archivedAt === null) return present;
    await changeConversation(ctx.kernel, ctx, present.convId, { dissolved: false }, ctx.now);
    const reopened = await tx
      .updateTable('consultationMedicalGroup')
      .set({ archivedAt: null, updatedAt: ctx.now })
      .where('groupId', '=', present.groupId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await publishOpened(ctx, reopened, false);
    return reopened;
  }
  const groupId = `${opening.doctor ? 'YH' : 'DZT'}${await serial(ctx)}`;
  const people = [patient, ...(doctor === null ? [] : [doctor])];
  const convId = await createGroup(
    ctx.kernel,
    ctx,
    { groupId, name: nameOf(opening), imUserIds: people, createdBy: ctx.staffOrNull?.userId ?? null },
    ctx.now,
  );
  const group = await tx
    .insertInto('consultationMedicalGroup')
    .values({
      groupId,
      convId,
      kind: opening.doctor ? 'DOCTOR' : 'DESK',
      name: nameOf(opening),
      doctorId: opening.doctor?.doctorId ?? null,
      doctorOperatorId: opening.doctor?.operatorId ?? null,
      deskId: opening.desk?.deskId ?? null,
      suffererOperatorId: opening.patient.operatorId,
      patientId: opening.patient.patientId,
      workState: 'QUEUED',
      queuedAt: ctx.now,
      slaDueAt: addDutySeconds(ctx.now, FIRST_RESPONSE_SEC, opening.desk?.hours ?? platformHours),
      sendPolicy: opening.doctor ? 'IN_SERVICE' : 'ALWAYS',
      source: opening.source,
      createdAt: ctx.now,
      createdBy: ctx.staffOrNull?.userId ?? null,
      updatedAt: ctx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const imUserId of people)
    await ctx.publish(memberChanged, convId, {
      conversationId: convId,
      imUserId,
      operatorId: operatorIdOf(imUserId),
      userRole: roleOf(imUserId) ?? 'PATIENT',
      change: 'JOIN',
    });
  if (opening.doctor) await joinPrimary(ctx, group);
  await noteBoard(ctx, group, 'QUEUED');
  publishQueue(ctx.kernel, ctx);
  await publishOpened(ctx, group, true);
  return group;
}

/** The doctor's primary assistant is in every group of his, and is rung only where he owns or helps. */
export async function joinPrimary(ctx: Deed, group: GroupRow): Promise<void> {
  const { rows } = await sql<{ account: string }>`
    select 'A' || d.operator_id as account
      from consultation_bind_copy b
      join consultation_assistant_duty d on d.assistant_id = b.assistant_id
      join consultation_im_user u on u.im_user_id = 'A' || d.operator_id
      where b.doctor_id = ${group.doctorId} and b.role = 'PRIMARY'`.execute(ctx.tx);
  const account = rows[0]?.account;
  if (account) await addMembers(ctx.kernel, ctx, group.convId, [account], {}, ctx.now);
}
