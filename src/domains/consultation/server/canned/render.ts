import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { getDepartmentNames } from '#domains/institution/server/index.ts';
import { operatorIdOf, peerOf } from '../../contract/im/ids.ts';
import { own } from '../database.ts';
import { inquiryOfGroup } from '../inquiries/facts.ts';
import { patientLabels, personsOf } from '../partners.ts';
import { seeGroup } from '../people/access.ts';
import { meOf } from '../people/me.ts';
import { secondsBetween } from '../rules/deadlines.ts';
import { remainingText, type Values } from './variables.ts';

const dayText = (today: string): string => `${today.slice(0, 4)}年${Number(today.slice(5, 7))}月${Number(today.slice(8, 10))}日`;

async function patientValues(ctx: QueryContext, patientId: string | undefined): Promise<Values> {
  const [label] = patientId === undefined ? [] : await patientLabels(ctx.db, [patientId]);
  return label ? { 患者姓名: label.name, 患者称呼: label.salutation } : {};
}

/** Values of the variables in a conversation. @throws Refusal SCM90040 for a group that the caller may not see. */
export async function valuesFor(
  ctx: QueryContext,
  where: { groupId?: string | undefined; conversationID?: string | undefined },
): Promise<Values> {
  const me = await meOf(ctx.db, ctx);
  const mine: Values = { 医助姓名: me.name, 当前日期: dayText(ctx.today) };
  const peer =
    where.groupId !== undefined ? { groupID: where.groupId } : where.conversationID !== undefined ? peerOf(where.conversationID) : null;
  if (peer === null) return mine;
  if ('userID' in peer) {
    if (!/^P\d{1,18}$/.test(peer.userID)) throw refuse(platformErrors.NOT_FOUND);
    const [person] = await personsOf(ctx.db, operatorIdOf(peer.userID));
    return { ...mine, ...(await patientValues(ctx, person?.patientId)) };
  }
  const { group } = await seeGroup(ctx.db, ctx, peer.groupID);
  const inquiry = await inquiryOfGroup(ctx.db, group.groupId);
  const place =
    group.doctorId === null
      ? undefined
      : await own(ctx.db).selectFrom('consultationDoctorPlace').selectAll().where('doctorId', '=', group.doctorId).executeTakeFirst();
  const departments = await getDepartmentNames(ctx.db, place?.departmentId ? [place.departmentId] : []);
  const left =
    inquiry && ['2', '3'].includes(inquiry.serverStatus) && inquiry.expireAt !== null ? secondsBetween(ctx.now, inquiry.expireAt) : null;
  return {
    ...mine,
    ...(await patientValues(ctx, inquiry?.patientId ?? group.patientId)),
    医生姓名: place?.doctorName ?? inquiry?.doctorName ?? '',
    医院: place?.hospitalName ?? '',
    科室: place?.departmentId ? (departments.get(place.departmentId) ?? '') : '',
    剩余时间: remainingText(left),
  };
}
