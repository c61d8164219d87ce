import { firstCharacters } from '#kernel/contract/plainText.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { addAssistant, assistantLabels, modifyAssistant, revealAssistantMobile } from '../../contract/calls/assistants.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { cellsOf, spansOf, type DutySpan } from '../../contract/rules/duty.ts';
import { assistantMachine } from '../../contract/staffStates.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { json, ownTx } from '../database.ts';
import { mobileColumns } from '../doctors/entry/person.ts';
import { ASSISTANT_TARGET, assistantRecords } from './access.ts';
import { publishAssistant } from './events.ts';
import { useAssistantAvatar } from './files.ts';

interface Fields {
  avatarFileId: string | null;
  leaderId: string | null;
  diseaseIds: readonly string[];
  dutyWeek: readonly DutySpan[];
}

/** Overlapping and neighbouring spans become one. */
const tidy = (week: readonly DutySpan[]) => spansOf(cellsOf(week));

/** @throws Refusal SCM90020 for a leader or disease that is not to be had. */
async function requireParts(ctx: CommandContext, id: string | null, { leaderId, diseaseIds }: Fields): Promise<void> {
  if (leaderId !== null) {
    if (leaderId === id) throw refuseField('leaderId', '组长不能是本人');
    const leader = await ownTx(ctx.tx).selectFrom('doctorAssistant').select('state').where('id', '=', leaderId).executeTakeFirst();
    if (!leader) throw refuseField('leaderId', '组长不存在');
    if (leader.state === 'DISABLED') throw refuse(doctorErrors.ASSISTANT_DISABLED);
  }
  if (diseaseIds.length === 0) return;
  const known = await ownTx(ctx.tx)
    .selectFrom('doctorRefCopy')
    .select('refId')
    .where('kind', '=', 'DISEASE')
    .where('refId', 'in', [...diseaseIds])
    .execute();
  if (known.length < new Set(diseaseIds).size) throw refuseField('diseaseIds', '所选病种不存在');
}

/** Makes an assistant of a staff user; everybody can be one once. */
export const add = (kernel: Kernel) =>
  command(addAssistant, async ({ userId, mobile, ...fields }, ctx) => {
    const [user] = await userBrief(ctx.tx, [userId]);
    if (!user || user.state !== 'ENABLED') throw refuseField('userId', '所选员工不存在或已停用');
    await requireParts(ctx, null, fields);
    const assistantNo = await nextNumber(ctx.tx, 'YZ', ctx.today);
    const row = await ownTx(ctx.tx)
      .insertInto('doctorAssistant')
      .values({
        assistantNo,
        userId,
        name: firstCharacters(user.displayName, 30),
        ...mobileColumns(kernel.secrets, mobile),
        ...fields,
        dutyWeek: json(tidy(fields.dutyWeek)),
        state: 'OFF_DUTY',
        ...createdColumns(ctx),
      })
      .onConflict((conflict) => conflict.column('userId').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!row) throw refuseField('userId', '该员工已是医助');
    await useAssistantAvatar(ctx, row.id, null, fields.avatarFileId);
    await moveState(ctx, assistantMachine, {
      targetType: ASSISTANT_TARGET,
      targetId: row.id,
      targetNo: assistantNo,
      action: 'add',
      from: 'OFF_DUTY',
    });
    await publishAssistant(ctx, row.id);
    return { id: row.id, assistantNo, version: 1 };
  });

export const modify = (kernel: Kernel) =>
  command(modifyAssistant, async ({ id, version, mobile, ...fields }, ctx) => {
    const before = await assistantRecords.lock(ctx.tx, ctx.staff, id);
    const shown = {
      groupName: before.groupName,
      leaderId: before.leaderId,
      capacity: before.capacity,
      diseaseIds: before.diseaseIds,
      dutyWeek: before.dutyWeek,
      avatarFileId: before.avatarFileId,
    };
    await requireVersion(ctx, ASSISTANT_TARGET, before, version, () => shown);
    await requireParts(ctx, id, fields);
    await useAssistantAvatar(ctx, id, before.avatarFileId, fields.avatarFileId);
    const dutyWeek = tidy(fields.dutyWeek);
    const columns = mobile === undefined ? null : mobileColumns(kernel.secrets, mobile);
    const differences = differencesOf(
      { ...shown, mobile: before.mobileMasked, diseaseIds: before.diseaseIds.map(String) },
      { ...fields, dutyWeek, ...(columns && { mobile: columns.mobileMasked }) },
      assistantLabels,
    );
    await moveState(ctx, assistantMachine, {
      targetType: ASSISTANT_TARGET,
      targetId: id,
      targetNo: before.assistantNo,
      action: 'modify',
      from: before.state,
      differences,
    });
    await ownTx(ctx.tx)
      .updateTable('doctorAssistant')
      .set((eb) => ({ ...fields, ...columns, dutyWeek: json(dutyWeek), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    if (before.avatarFileId !== fields.avatarFileId) await publishAssistant(ctx, id);
    return actionAnswer(ctx, assistantMachine, { id, state: before.state, version: version + 1 });
  });

export const reveal = (kernel: Kernel) =>
  command(revealAssistantMobile, async ({ id }, ctx) => {
    const row = await assistantRecords.lock(ctx.tx, ctx.staff, id);
    ctx.target({ type: ASSISTANT_TARGET, id, no: row.assistantNo });
    return { value: kernel.secrets.decrypt(row.mobileCipher) };
  });
