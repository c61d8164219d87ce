import { sql, type SqlBool, type RawBuilder } from 'kysely';
import { query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { signRead } from '#domains/files/server/index.ts';
import { queryDoctorInfoByOperatorId } from '../../../contract/calls/doctors.ts';
import { doctorPermissions } from '../../../contract/permissions.ts';
import { seesDoctor, doctorRecords } from '../../access.ts';
import { getDoctorForChat } from './read.ts';

/** Whether a staff user has a conversation with the account of a doctor (alias `d`), or may take one that waits. */
type Meets = (userId: string) => RawBuilder<SqlBool>;

let answer: Meets = () => sql<SqlBool>`false`;

/** The domain of the conversations knows who is in them; doctor may not ask it itself. */
export function registerMeetings(meets: Meets): void {
  answer = meets;
}

const meetsDoctor: Meets = (userId) => answer(userId);

/** Rights of people who take part in conversations (declared by consultation). */
const CHAT = ['consultation.chat.send', 'consultation.chat.watch', 'consultation.chat.supervise'];

/** The doctor of a conversation: within the data scope, and for who takes part in chats those whom he meets there. */
export const doctorForChat = (kernel: Kernel): Handler =>
  query(queryDoctorInfoByOperatorId, async ({ operatorId }, ctx) => {
    const chats = CHAT.some((code) => ctx.has(code));
    if (!chats) ctx.requirePermission(doctorPermissions['doctor.view']);
    const { userId } = ctx.staff;
    const seen = chats ? sql<SqlBool>`(${seesDoctor(ctx.staff)} or ${meetsDoctor(userId)})` : seesDoctor(ctx.staff);
    const doctor = await getDoctorForChat(ctx.db, { operatorId }, seen);
    if (!doctor) throw doctorRecords.missing();
    return {
      doctorId: doctor.doctorId,
      operatorId: doctor.operatorId,
      doctorName: doctor.name,
      avatar:
        doctor.avatarFileId === null
          ? null
          : signRead(kernel, { fileId: doctor.avatarFileId, use: 'THUMB', original: false, sessionId: null, marks: null }, ctx.now),
      titleCode: doctor.titleCode,
      titleName: doctor.titleName,
      hospitalName: doctor.hospitalName,
      departmentName: doctor.departmentName,
      specialty: doctor.specialty,
      qualState: doctor.qualState,
      practiceOk: doctor.practiceOk,
      acceptState: doctor.acceptState,
      offUntil: doctor.offUntil,
      openings: doctor.openings.map(({ openingId, itemId, name, itemType, priceFen }) => ({
        openingId,
        itemId,
        name,
        itemType,
        priceFen,
      })),
      assistant: doctor.assistant === null ? null : { assistantId: doctor.assistant.assistantId, name: doctor.assistant.name },
    };
  });
