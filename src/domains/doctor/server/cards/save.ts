import { platformErrors, Refusal, refuse } from '#kernel/contract/errors.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { switchSceneCode } from '#domains/channel/server/index.ts';
import { batchGenerateDoctorCard, disableDoctorCard, generateDoctorCard } from '../../contract/calls/cards.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { cardMachine } from '../../contract/staffStates.ts';
import { doctorRecords } from '../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { json, ownTx } from '../database.ts';
import type { Looks } from './facts.ts';
import { drawBatch, drawOne } from './jobs.ts';
import { CARD_TARGET, keepLooks, lockCard, moveCard } from './make.ts';

/** Sets a card to be drawn with these looks. @throws Refusal SCM07055 for a doctor who may not be shown. */
async function begin(ctx: CommandContext, doctorId: string, looks: Looks, keep: boolean) {
  const doctor = await doctorRecords.get(ctx.tx, ctx.staff, doctorId);
  if (!doctor.practiceOk) throw refuse(doctorErrors.NO_CARD);
  await keepLooks(ctx.tx, doctorId, looks, { now: ctx.now, userId: ctx.staff.userId });
  const row = (await lockCard(ctx.tx, doctorId))!;
  const { template, headline, showFields } = keep && row.state !== 'NONE' ? row : looks;
  const state = await moveCard(ctx, row, 'generate', { template, headline, showFields: [...showFields], updatedBy: ctx.staff.userId });
  return { id: doctorId, state, version: row.version + 1 };
}

export const generate = command(generateDoctorCard, async ({ doctorId, ...looks }, ctx) => {
  const answer = await begin(ctx, doctorId, looks, false);
  await ctx.enqueue(drawOne, { doctorId }, { singletonKey: `draw:${doctorId}:${answer.version}` });
  return actionAnswer(ctx, cardMachine, answer);
});

/** Doctors who cannot have a card are failures of the task from the start; they stop nobody else. */
export const generateMany = command(batchGenerateDoctorCard, async ({ doctorIds, keepLooks: keep, ...looks }, ctx) => {
  const failures: { id: string; name: string; ok: boolean; message: string }[] = [];
  const ids = [...new Set(doctorIds)].toSorted((a, b) => Number(a) - Number(b));
  for (const id of ids) {
    try {
      await begin(ctx, id, looks, keep);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const known = await ownTx(ctx.tx).selectFrom('doctorDoctor').select('name').where('id', '=', id).executeTakeFirst();
      failures.push({
        id,
        name: error.code === platformErrors.NOT_FOUND.code ? '' : (known?.name ?? ''),
        ok: false,
        message: error.message,
      });
    }
  }
  const taskNo = await nextNumber(ctx.tx, 'MS', ctx.today);
  const { id } = await ownTx(ctx.tx)
    .insertInto('doctorCardTask')
    .values({
      taskNo,
      doctorIds: ids,
      total: ids.length,
      failures: json(failures),
      state: 'RUNNING',
      ...authorColumns(ctx),
      updatedAt: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.enqueue(drawBatch, { taskId: id }, { singletonKey: `cards:${id}` });
  ctx.target({ type: 'doctor.cardTask', id, no: taskNo });
  return { taskId: id, taskNo, total: ids.length };
});

/** The printed code no longer opens; making the card again opens it again. */
export const disable = command(disableDoctorCard, async ({ doctorId, version, opinion }, ctx) => {
  await doctorRecords.get(ctx.tx, ctx.staff, doctorId);
  const row = await lockCard(ctx.tx, doctorId);
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  await requireVersion(ctx, CARD_TARGET, row, version, () => ({ state: row.state }));
  const state = await moveCard(ctx, row, 'disable', { updatedBy: ctx.staff.userId }, opinion);
  if (row.sceneCodeId !== null) await switchSceneCode(ctx, row.sceneCodeId, false);
  return actionAnswer(ctx, cardMachine, { id: doctorId, state, version: row.version + 1 });
});
