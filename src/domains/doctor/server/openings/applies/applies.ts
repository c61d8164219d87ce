import { moveState } from '#kernel/server/audit/transition.ts';
import { type Acting, asSystem } from '#kernel/server/command/acting.ts';
import { openingApplyMachine } from '../../../contract/states.ts';
import { ownTx, own } from '../../database.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Writing } from '#kernel/server/context.ts';
import { openingApplyKinds } from '../../../contract/dictionaries.ts';
import { doctorPermissions as may } from '../../../contract/permissions.ts';
import { textDoctor } from '../../doctors/entry/person.ts';

const applyKey = (applyId: string) => `doctor.openingApply:${applyId}`;

/** A text message shows no more than this of an opinion. */
const SHOWN = 120;

/**
 * Keeps to-dos and messages in step with an apply: what waits is a to-do, what was decided is told to the doctor and to whoever asked for
 * him.
 */
export const notifyApplyJob = job<{ applyId: string }>({
  name: 'doctor.tellOpeningApply',
  label: '服务开通申请通知',
  async run({ applyId }, ctx) {
    const row = await own(ctx.db)
      .selectFrom('doctorOpeningApply as a')
      .innerJoin('doctorServiceOpening as o', 'o.id', 'a.openingId')
      .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
      .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
      .select([
        'a.applyNo',
        'a.kind',
        'a.state',
        'a.opinion',
        'a.applicantType',
        'a.applicantId',
        'o.doctorId',
        'd.name as doctorName',
        'i.name as itemName',
      ])
      .where('a.id', '=', applyId)
      .executeTakeFirstOrThrow();
    const subject = `${row.doctorName}的${row.itemName}${openingApplyKinds.label(row.kind)}申请`;
    const { notices } = ctx.kernel.ports;
    const link = `/doctorManagementService?applyNo=${row.applyNo}`;
    await ctx.transaction(async (writing) => {
      const { tx } = writing;
      if (row.state === 'PENDING') {
        await notices.addTodo(
          tx,
          { businessKey: applyKey(applyId), title: `${subject}待审核`, link, permission: may['opening.audit'].code },
          ctx.now,
        );
        return;
      }
      await notices.closeTodo(tx, applyKey(applyId), ctx.now);
      if (row.state === 'WITHDRAWN') return;
      const outcome = row.state === 'APPROVED' ? '已通过。' : `未通过${row.opinion ? `：${row.opinion.slice(0, SHOWN)}` : '。'}`;
      await textDoctor(
        ctx.kernel,
        asSystem(writing, ctx),
        row.doctorId,
        `【康桥】您的“${row.itemName}”${openingApplyKinds.label(row.kind)}申请${outcome}`,
      );
      if (row.applicantType !== 'STAFF') return;
      await notices.addResult(
        tx,
        {
          businessKey: `${applyKey(applyId)}:result`,
          title: `${subject}${openingApplyMachine.dictionary.label(row.state)}`,
          ...(row.opinion ? { body: row.opinion } : {}),
          link: `${link}&state=${row.state}`,
          userIds: [row.applicantId],
        },
        ctx.now,
      );
    });
  },
});

export const notifyApply = (writing: Pick<Writing, 'enqueue'>, applyId: string): Promise<void> =>
  writing.enqueue(notifyApplyJob, { applyId });

export const APPLY_TARGET = 'doctor.openingApply';

/** Waiting applies of an opening that ends come to nothing. */
export async function withdrawApplies(ctx: Acting, openingId: string, opinion: string): Promise<void> {
  const rows = await ownTx(ctx.tx)
    .selectFrom('doctorOpeningApply')
    .selectAll()
    .where('openingId', '=', openingId)
    .where('state', '=', 'PENDING')
    .forUpdate()
    .execute();
  for (const row of rows) {
    const state = await moveState(ctx, openingApplyMachine, {
      targetType: APPLY_TARGET,
      targetId: row.id,
      targetNo: row.applyNo,
      action: 'withdrawBySystem',
      from: 'PENDING',
      opinion,
    });
    await ownTx(ctx.tx)
      .updateTable('doctorOpeningApply')
      .set((eb) => ({ state, opinion, decidedAt: ctx.now, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', row.id)
      .execute();
    await notifyApply(ctx, row.id);
  }
}
