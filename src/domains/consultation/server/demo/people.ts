import { sql } from 'kysely';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { bulk } from '#kernel/server/demo/bulk.ts';
import type { Tx } from '#kernel/server/context.ts';
import { assistantUser, type Stage } from './stage.ts';

/** Accounts of the chat, duties and binds, as the events of the other domains would have brought them; those find them written. */
export async function writePeople(tx: Tx, { now, orders, assistants, guests, binds }: Stage): Promise<void> {
  const stamp = { createdAt: now, updatedAt: now };
  await bulk(
    tx,
    'consultation_assistant_duty',
    assistants.map(({ assistantId, operatorId, userId, name, avatarFileId, personState, state }, index) => ({
      assistantId,
      operatorId,
      userId,
      name,
      avatarFileId,
      personState,
      state,
      stateAt: plusMs(now, -minutes(30 + index * 11)),
      maxConcurrent: 20,
      lastAssignedAt: plusMs(now, -minutes(3 + index * 7)),
      lastConnectedAt: state === 'OFF' ? null : now,
      seq: 0,
      version: 1,
      updatedAt: now,
    })),
  );
  await bulk(
    tx,
    'consultation_bind_copy',
    [...binds].flatMap(([doctorId, of]) => of.map((bind) => ({ doctorId, ...bind, updatedAt: now }))),
  );
  const doctors = new Map(orders.map((order) => [order.doctorId, order]));
  const patients = new Map([...orders, ...guests].map((person) => [person.patientId, person]));
  const account = (imUserId: string, kind: string, operatorId: string, refId: string, nick: string, avatar: string | null) => ({
    imUserId,
    kind,
    operatorId,
    refId,
    nick: nick.slice(0, 50),
    avatar,
    lastEventSeq: 0,
    recentSends: [],
    version: 1,
    ...stamp,
  });
  await bulk(tx, 'consultation_im_user', [
    ...assistants.map((one) => account(assistantUser(one), 'ASSISTANT', one.operatorId, one.assistantId, one.name, one.avatarFileId)),
    ...[...doctors.values()].map((one) =>
      account(`D${one.doctorOperatorId}`, 'DOCTOR', one.doctorOperatorId, one.doctorId, one.doctorName, one.doctorAvatar),
    ),
    ...[...patients.values()].map((one) => account(`P${one.operatorId}`, 'PATIENT', one.operatorId, one.patientId, one.patientName, null)),
  ]);
  await sql`
    insert into consultation_doctor_place (
      doctor_id, doctor_name, hospital_id, hospital_name, department_id, adcode, channel_id, updated_at
    )
      select id, name, hospital_id, hospital_name, department_id, adcode, channel_id, ${now}
        from doctor_doctor
        where id = any(${[...doctors.keys()]}::bigint[])
        on conflict do nothing`.execute(tx);
}
