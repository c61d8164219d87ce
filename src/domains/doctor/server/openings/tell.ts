import { job } from '../../../../kernel/server/jobs/declaration.ts';
import type { Writing } from '../../../../kernel/server/context.ts';
import { openingApplyKinds } from '../../contract/dictionaries.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { openingApplyMachine } from '../../contract/states.ts';
import { own } from '../database.ts';

const applyKey = (applyId: string) => `doctor.openingApply:${applyId}`;

/** Keeps to-dos and messages in step with an apply: what waits is a to-do, what was decided is told to whoever asked. */
export const tellApplyJob = job<{ applyId: string }>({
  name: 'doctor.tellOpeningApply',
  label: '服务开通申请通知',
  async run({ applyId }, ctx) {
    const row = await own(ctx.db)
      .selectFrom('doctorOpeningApply as a')
      .innerJoin('doctorServiceOpening as o', 'o.id', 'a.openingId')
      .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
      .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
      .select(['a.applyNo', 'a.kind', 'a.state', 'a.opinion', 'a.applicantType', 'a.applicantId', 'd.name as doctorName', 'i.name as itemName'])
      .where('a.id', '=', applyId)
      .executeTakeFirstOrThrow();
    const subject = `${row.doctorName}的${row.itemName}${openingApplyKinds.label(row.kind)}申请`;
    const { notices } = ctx.kernel.ports;
    const link = `/doctorManagementService?applyNo=${row.applyNo}`;
    await ctx.transaction(async ({ tx }) => {
      if (row.state === 'PENDING') {
        await notices.addTodo(tx, { businessKey: applyKey(applyId), title: `${subject}待审核`, link, permission: may['opening.audit'].code }, ctx.now);
        return;
      }
      await notices.closeTodo(tx, applyKey(applyId), ctx.now);
      if (row.applicantType !== 'STAFF' || row.state === 'WITHDRAWN') return;
      await notices.addResult(
        tx,
        { businessKey: `${applyKey(applyId)}:result`, title: `${subject}${openingApplyMachine.dictionary.label(row.state)}`, ...(row.opinion ? { body: row.opinion } : {}), link: `${link}&state=${row.state}`, userIds: [row.applicantId] },
        ctx.now,
      );
    });
  },
});

export const tellApply = (writing: Pick<Writing, 'enqueue'>, applyId: string): Promise<void> => writing.enqueue(tellApplyJob, { applyId });
