import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { changeMyDoctor } from '../../contract/calls/participants.ts';
import { inquiryMachine } from '../../contract/states.ts';
import { openDeskGroup } from '../desks/open.ts';
import { inquiryOfGroup } from '../inquiries/facts.ts';
import { lockGroup } from '../inquiries/rows.ts';
import { requireMine, mineDeed } from './enter.ts';
import { issueTicket } from './issue.ts';

/** States in which an inquiry is over for its patient. */
export const OVER: readonly string[] = ['4', '5', '6', '7'];

/** 换医生: whose inquiry is over is received at the guidance desk, by a link of its own. */
export const changeDoctorHandlers = (kernel: Kernel): readonly Handler[] => [
  command(changeMyDoctor, async ({ groupId }, asked) => {
    const mine = await requireMine(asked.tx, asked, groupId, 'PATIENT');
    const ctx = mineDeed(kernel, asked, mine);
    const { group } = await lockGroup(ctx.tx, groupId);
    const inquiry = await inquiryOfGroup(ctx.tx, groupId);
    if (group.kind !== 'DOCTOR' || !inquiry) throw refuse(platformErrors.NOT_FOUND);
    if (!OVER.includes(inquiry.serverStatus))
      throw refuse(platformErrors.WRONG_STATE, { state: inquiryMachine.states[inquiry.serverStatus].label });
    const desk = await openDeskGroup(ctx, { patientId: inquiry.patientId, operatorId: mine.operatorId, source: null });
    if (!desk) throw refuse(platformErrors.NOT_FOUND);
    const { url } = await issueTicket(ctx, { imUserId: mine.userID, groupId: desk.groupId, reason: '患者更换医生', demo: false });
    return { groupId: desk.groupId, url };
  }),
];
