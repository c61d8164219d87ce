import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { confirmVisitRecord } from '../../contract/calls/participants.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { confirmRecord } from '../visits/confirm.ts';
import { requireMine, mineDeed } from './enter.ts';

/** The doctor's word on the summary of his inquiry, given on his own page. */
export const recordHandlers = (kernel: Kernel): readonly Handler[] => [
  command(confirmVisitRecord, async ({ id, version, action, opinion }, ctx) => {
    const known = await own(ctx.tx)
      .selectFrom('consultationVisitRecord as v')
      .innerJoin('consultationInquiry as i', 'i.id', 'v.inquiryId')
      .select('i.groupId')
      .where('v.id', '=', id)
      .executeTakeFirst();
    if (!known) throw refuse(platformErrors.NOT_FOUND);
    const mine = await requireMine(ctx.tx, ctx, known.groupId ?? '');
    if (mine.role !== 'DOCTOR') throw refuse(errors.NOT_THE_DOCTOR);
    const after = await confirmRecord(mineDeed(kernel, ctx, mine), { id, version, action, opinion, doctorOperatorId: mine.operatorId });
    return { id, state: after.state, version: after.version };
  }),
];
