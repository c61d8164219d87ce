import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { extend } from '#kernel/server/command/extend.ts';
import type { CommandContext, Context, Db, Participant, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { UserRole } from '../../contract/dictionaries.ts';
import { operatorIdOf, roleOf } from '../../contract/im/ids.ts';
import type { Deed } from '../deed.ts';

/** Somebody who came by a link, in one group of his. */
export interface Mine {
  groupId: string;
  convId: string;
  userID: string;
  role: UserRole;
  operatorId: string;
  nick: string;
  patientId: string;
  doctorId: string | null;
}

export function participantOf(ctx: Pick<Context, 'participant'>): Participant {
  if (!ctx.participant) throw refuse(platformErrors.SESSION_EXPIRED);
  return ctx.participant;
}

/**
 * The group of a participant's call. @throws Refusal SCM90040 for a group that the link does not open, or that is not his: whether it
 * exists is not told.
 */
export async function requireMine(db: Db | Tx, ctx: Pick<Context, 'participant'>, groupId: string, only?: UserRole): Promise<Mine> {
  const { imUserId, groupId: opened } = participantOf(ctx);
  const role = roleOf(imUserId);
  const { rows } = await sql<Omit<Mine, 'userID' | 'role' | 'operatorId'>>`
    select g.group_id, g.conv_id, u.nick, g.patient_id, g.doctor_id
      from consultation_medical_group g
      join consultation_im_member m on m.conv_id = g.conv_id and m.im_user_id = ${imUserId} and m.left_at is null
      join consultation_im_user u on u.im_user_id = m.im_user_id
      where g.group_id = ${groupId} and (${opened}::text is null or g.group_id = ${opened})`.execute(db);
  const found = rows[0];
  if (!found || role === null || (only !== undefined && role !== only)) throw refuse(platformErrors.NOT_FOUND);
  return { ...found, userID: imUserId, role, operatorId: operatorIdOf(imUserId) };
}

/** A participant's command as a deed: rights of staff are not asked, the trail shows his name. */
export const mineDeed = (kernel: Kernel, ctx: CommandContext, mine: Pick<Mine, 'nick' | 'role'>): CommandContext & Deed =>
  extend(ctx, { kernel, requirePermission: () => {}, actorName: mine.role === 'DOCTOR' ? `${mine.nick}医生` : mine.nick });

/** Uploader as files knows him: negative, because staff users count upwards. */
export const uploaderOf = ({ imUserId }: Pick<Participant, 'imUserId'>): string =>
  `-${operatorIdOf(imUserId)}${roleOf(imUserId) === 'PATIENT' ? 1 : 2}`;
