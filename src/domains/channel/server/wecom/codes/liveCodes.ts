import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { command } from '#kernel/server/handler.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import type { JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import {
  addLiveCode,
  changeLiveCodeState,
  modifyLiveCode,
  retryContactWay,
  saveLiveCodeMembers,
  type LiveMemberInput,
  type Welcome,
} from '../../../contract/calls/liveCodes.ts';
import { plainStyle } from '../../../contract/calls/codeFields.ts';
import { channelErrors } from '../../../contract/errors.ts';
import { liveCodeStates } from '../../../contract/states.ts';
import { channels, liveCodes } from '../../access.ts';
import { attach } from '#domains/files/server/index.ts';
import { MATERIAL_PURPOSE } from '../../../contract/purposes.ts';
import { insertCode } from '../../codes/save.ts';
import { ownTx } from '../../database.ts';
import { requireTags } from '../contacts/tags.ts';
import { settleLiveCodes, type WaysJob } from './ways.ts';

export const LIVE_TARGET = liveCodes.type;

/** Keeps the files of a welcome from being swept away with unused uploads. */
const keepMaterials = (ctx: CommandContext, id: string, welcome: Welcome) =>
  attach(
    ctx.tx,
    {
      fileIds: welcome.attachments.flatMap(({ fileId }) => fileId ?? []),
      purpose: MATERIAL_PURPOSE,
      ownerType: LIVE_TARGET,
      ownerId: id,
      field: 'welcome',
      userId: ctx.staff.userId,
    },
    ctx.now,
  );

/** @throws Refusal SCM08055, SCM08056; SCM90040 for members of another company. */
async function requireMembers(tx: Tx, corpRowId: string, members: readonly LiveMemberInput[]): Promise<void> {
  const ids = [...new Set(members.map(({ memberId }) => memberId))];
  const rows =
    ids.length === 0
      ? []
      : await ownTx(tx)
          .selectFrom('channelWecomMember')
          .select(['id', 'status', 'canContact'])
          .where('id', 'in', ids)
          .where('corpRowId', '=', corpRowId)
          .execute();
  if (rows.length < ids.length) throw refuse(platformErrors.NOT_FOUND);
  const usable = new Set(rows.filter(({ status, canContact }) => status === 1 && canContact).map(({ id }) => id));
  if (!members.some(({ memberId, isBackup }) => !isBackup && usable.has(memberId))) throw refuse(channelErrors.NO_MEMBER);
  const bounded = members.some(({ dailyLimit, spans, isBackup }) => !isBackup && (dailyLimit > 0 || spans.length > 0));
  if (bounded && !members.some(({ memberId, isBackup }) => isBackup && usable.has(memberId))) throw refuse(channelErrors.NO_BACKUP);
}

/** Members that are no longer named stay as rows: their numbers and contacts name them. */
async function writeMembers(ctx: CommandContext, liveCodeId: string, members: readonly LiveMemberInput[]): Promise<void> {
  await ownTx(ctx.tx).updateTable('channelLiveCodeMember').set({ removed: true }).where('liveCodeId', '=', liveCodeId).execute();
  for (const { memberId, spans, ...rest } of members) {
    const values = { ...rest, spans: JSON.stringify(spans), removed: false };
    await ownTx(ctx.tx)
      .insertInto('channelLiveCodeMember')
      .values({ liveCodeId, memberId, ...values })
      .onConflict((conflict) => conflict.columns(['liveCodeId', 'memberId']).doUpdateSet(values))
      .execute();
  }
}

export function liveCodeCommands(ways: JobDeclaration<WaysJob>) {
  const queue = (ctx: CommandContext, liveCodeId: string, refresh = false) =>
    ctx.enqueue(ways, { liveCodeId, refresh }, { singletonKey: `ways:${liveCodeId}:${refresh}` });
  const requireCorp = async (ctx: CommandContext, id: string) => {
    const corp = await ownTx(ctx.tx).selectFrom('channelWecomCorp').select('state').where('id', '=', id).executeTakeFirst();
    if (!corp) throw refuse(platformErrors.NOT_FOUND);
    if (corp.state !== 'CONNECTED') throw refuse(channelErrors.CORP_NOT_CONNECTED);
  };
  return [
    command(addLiveCode, async ({ members, welcome, ...fields }, ctx) => {
      const channel = await channels.get(ctx.tx, ctx.staff, fields.channelId);
      if (channel.state === 'DISABLED') throw refuse(channelErrors.CHANNEL_DISABLED);
      await requireCorp(ctx, fields.corpRowId);
      await requireMembers(ctx.tx, fields.corpRowId, members);
      await requireTags(ctx.tx, fields.corpRowId, fields.tagIds);
      const liveCodeNo = await nextNumber(ctx.tx, 'HM', ctx.today);
      const code = await insertCode(
        ctx,
        {
          kind: 'LIVE',
          name: fields.name,
          channelId: fields.channelId,
          target: { type: 'LIVE', url: null, appId: null, path: null, env: null, refId: null },
          params: {},
          style: plainStyle,
        },
        { now: ctx.now, userId: ctx.staff.userId },
      );
      const { id } = await ownTx(ctx.tx)
        .insertInto('channelLiveCode')
        .values({ ...fields, welcome: JSON.stringify(welcome), liveCodeNo, codeId: code.id, ...createdColumns(ctx) })
        .returning('id')
        .executeTakeFirstOrThrow();
      await writeMembers(ctx, id, members);
      await keepMaterials(ctx, id, welcome);
      await queue(ctx, id);
      ctx.target({ type: LIVE_TARGET, id, no: liveCodeNo });
      return { id, no: liveCodeNo, version: 1 };
    }),
    command(modifyLiveCode, async ({ id, version, welcome, ...fields }, ctx) => {
      const row = await liveCodes.lockVersion(ctx, id, version, (seen) => seen);
      await requireTags(ctx.tx, row.corpRowId, fields.tagIds);
      await keepMaterials(ctx, id, welcome);
      await ownTx(ctx.tx)
        .updateTable('channelLiveCode')
        .set((eb) => ({
          ...fields,
          welcome: JSON.stringify(welcome),
          version: eb('version', '+', 1),
          ...updatedColumns(ctx),
        }))
        .where('id', '=', id)
        .execute();
      await ownTx(ctx.tx)
        .updateTable('channelQrCode')
        .set({ name: fields.name, updatedAt: ctx.now })
        .where('id', '=', row.codeId)
        .execute();
      if (fields.skipVerify !== row.skipVerify) await queue(ctx, id, true);
      ctx.target({ type: LIVE_TARGET, id, no: row.liveCodeNo });
      ctx.changed(
        differencesOf(
          row,
          { ...fields, welcome },
          { name: '名称', strategy: '策略', skipVerify: '免验证', welcome: '欢迎语', offHoursText: '非服务时间提示', tagIds: '标签' },
        ),
      );
      return actionAnswer(ctx, liveCodeStates, { id, state: row.state, version: version + 1 });
    }),
    command(saveLiveCodeMembers, async ({ id, version, members }, ctx) => {
      const row = await liveCodes.lockVersion(ctx, id, version, (seen) => seen);
      await requireMembers(ctx.tx, row.corpRowId, members);
      await writeMembers(ctx, id, members);
      await ownTx(ctx.tx)
        .updateTable('channelLiveCode')
        .set((eb) => ({ version: eb('version', '+', 1), ...updatedColumns(ctx) }))
        .where('id', '=', id)
        .execute();
      await queue(ctx, id);
      ctx.target({ type: LIVE_TARGET, id, no: row.liveCodeNo });
      ctx.changed([{ path: 'members', label: '成员', before: null, after: `${members.length}名成员` }]);
      return actionAnswer(ctx, liveCodeStates, { id, state: row.state, version: version + 1 });
    }),
    command(changeLiveCodeState, async ({ id, version, action }, ctx) => {
      const row = await liveCodes.lockVersion(ctx, id, version, (seen) => seen);
      const state = await moveState(ctx, liveCodeStates, {
        targetType: LIVE_TARGET,
        targetId: id,
        targetNo: row.liveCodeNo,
        action,
        from: row.state,
      });
      await ownTx(ctx.tx)
        .updateTable('channelLiveCode')
        .set((eb) => ({ state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
        .where('id', '=', id)
        .execute();
      // The printed code answers accordingly.
      await ownTx(ctx.tx)
        .updateTable('channelQrCode')
        .set((eb) => ({
          state: state === 'ACTIVE' ? 'ACTIVE' : state === 'DELETED' ? 'VOID' : 'DISABLED',
          version: eb('version', '+', 1),
          updatedAt: ctx.now,
        }))
        .where('id', '=', row.codeId)
        .execute();
      if (state === 'DELETED') await queue(ctx, id);
      return actionAnswer(ctx, liveCodeStates, { id, state, version: version + 1 });
    }),
    command(retryContactWay, async ({ id }, ctx) => {
      const row = await liveCodes.lock(ctx.tx, ctx.staff, id);
      await requireCorp(ctx, row.corpRowId);
      await ownTx(ctx.tx)
        .updateTable('channelLiveCodeMember')
        .set({ wayState: 'NONE', wayError: null })
        .where('liveCodeId', '=', id)
        .where('wayState', '=', 'FAILED')
        .execute();
      const { rows: stale } = await sql`
        select 1 from channel_live_code_member where live_code_id = ${id} and way_error is not null and not removed limit 1`.execute(
        ctx.tx,
      );
      await settleLiveCodes(ctx.tx, { liveCodeId: id }, ctx.now);
      await queue(ctx, id, stale.length > 0);
      ctx.target({ type: LIVE_TARGET, id, no: row.liveCodeNo });
      return { id };
    }),
  ];
}
