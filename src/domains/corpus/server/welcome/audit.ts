import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { materialErrors } from '../../contract/materials/errors.ts';
import { auditWelcomeMessage } from '../../contract/welcome/calls.ts';
import { AUTO_MESSAGE_TARGET, autoKind, autoMachine } from '../../contract/welcome/dictionaries.ts';
import { welcomeErrors } from '../../contract/welcome/errors.ts';
import { ownTx } from '../database.ts';
import { softWords } from '../materials/review.ts';
import { autoRecord } from './rows.ts';

type Message = Awaited<ReturnType<typeof autoRecord.get>>;

/** @throws Refusal SCM11018 naming the materials that nobody gets. */
async function requireMaterials(tx: Tx, { materialIds }: Message): Promise<void> {
  const off = await ownTx(tx)
    .selectFrom('corpusMaterial')
    .select('title')
    .where('id', 'in', materialIds)
    .where('state', '<>', 'ENABLED')
    .orderBy('id')
    .execute();
  if (off.length > 0) throw refuse(corpusErrors.MATERIAL_NOT_ENABLED, { names: off.map(({ title }) => title).join('、') });
}

/** One of a scope is in use at a time; two approvals at once are judged one after the other. @throws Refusal SCM11070 */
async function requireAlone(tx: Tx, { id, kind, triggerType, scopeType, scopeId, validFrom, validTo }: Message): Promise<void> {
  await lockKeys(tx, AUTO_MESSAGE_TARGET, [`${triggerType}:${scopeType}:${scopeId ?? ''}`]);
  const { rows } = await sql<{ name: string }>`
    select name from corpus_auto_message where state = 'ENABLED' and id <> ${id} and kind = ${kind} and trigger_type = ${triggerType}
      and scope_type = ${scopeType} and scope_id is not distinct from ${scopeId}::bigint
      and daterange(valid_from, valid_to, '[]') && daterange(${validFrom}::date, ${validTo}::date, '[]') limit 1`.execute(tx);
  if (rows[0]) throw refuse(welcomeErrors.OVERLAP, { name: rows[0].name });
}

/** Soft words of the text message ask for the auditor's note; the materials' own were judged with them. @throws Refusal SCM11052 */
async function requireWords(tx: Tx, { smsText }: Message, opinion: string | undefined): Promise<void> {
  if (smsText === null) return;
  const soft = await softWords(tx, smsText);
  if (soft.length > 0 && !opinion)
    throw refuse(
      materialErrors.FORBIDDEN_WORDS,
      { words: soft.join('、') },
      { fields: [{ path: 'opinion', message: '文本包含谨慎使用的词，通过时请填写意见' }] },
    );
}

export const auditMessage = (kernel: Kernel) =>
  command(auditWelcomeMessage, async ({ id, version, action, opinion }, ctx) => {
    const row = await autoRecord.lockVersion(ctx, id, version);
    const state = await moveState(ctx, autoMachine, {
      targetType: AUTO_MESSAGE_TARGET,
      targetId: id,
      targetNo: row.name,
      action,
      from: row.state,
      opinion,
      contributors: [row.submittedBy, row.createdBy],
    });
    const verdict = action === 'approve' || action === 'reject';
    if (action === 'submit' && row.smsText !== null) await softWords(ctx.tx, row.smsText);
    if (action === 'approve') await requireWords(ctx.tx, row, opinion);
    if (action === 'submit' || state === 'ENABLED') await requireMaterials(ctx.tx, row);
    if (action === 'approve' || action === 'enable') await requireAlone(ctx.tx, row);
    await ownTx(ctx.tx)
      .updateTable('corpusAutoMessage')
      .set({
        state,
        version: row.version + 1,
        ...updatedColumns(ctx),
        ...(action === 'submit' && { submittedBy: ctx.staff.userId, submittedAt: ctx.now, auditedBy: null, auditedAt: null }),
        ...(verdict && { auditedBy: ctx.staff.userId, auditedAt: ctx.now }),
      })
      .where('id', '=', id)
      .execute();
    if (verdict && row.submittedBy !== null)
      await kernel.ports.notices.addResult(
        ctx.tx,
        {
          businessKey: `${AUTO_MESSAGE_TARGET}:${id}:${row.version}`,
          title: `${autoKind.label(row.kind)}“${row.name}”${action === 'approve' ? '已通过审核' : '被驳回'}`,
          ...(opinion && { body: opinion }),
          link: `/welcomeMessage?messageId=${id}`,
          userIds: [row.submittedBy],
        },
        ctx.now,
      );
    return actionAnswer(ctx, autoMachine, { id, state, version: row.version + 1 });
  });
