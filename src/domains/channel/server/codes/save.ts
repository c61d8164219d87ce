import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { command } from '#kernel/server/handler.ts';
import type { CommandContext, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { attach } from '#domains/files/server/index.ts';
import type { CodeStyle, Target } from '../../contract/calls/codeFields.ts';
import { addQrCode, modifyQrCode } from '../../contract/calls/codes.ts';
import { channelErrors } from '../../contract/errors.ts';
import { MATERIAL_PURPOSE } from '../../contract/purposes.ts';
import { codeStates } from '../../contract/states.ts';
import { channels, codes } from '../access.ts';
import { ownTx } from '../database.ts';
import { requireReadable, requireStyle, requireTarget, requireValidity } from './target.ts';
import { newToken } from './token.ts';

export const CODE_TARGET = codes.type;
const LABELS = {
  name: '名称',
  target: '跳转目标',
  params: '参数',
  style: '样式',
  validFrom: '生效时间',
  validTo: '失效时间',
  scanLimit: '次数限制',
};

export interface NewCode {
  kind: 'COMMON' | 'SCENE' | 'LIVE';
  name: string;
  channelId: string;
  target: Target;
  params: Record<string, string>;
  style: CodeStyle;
  validFrom?: string | null;
  validTo?: string | null;
  scanLimit?: number | null;
  batchId?: string;
  seqInBatch?: number;
}

/** Inserts codes under tokens that nobody had, in one statement; what met a known token is tried again. */
export async function insertCodes(
  ctx: Pick<Writing, 'tx'>,
  codes: readonly NewCode[],
  stamp: { now: string; userId: string | null },
): Promise<{ id: string; token: string }[]> {
  const made = new Map<NewCode, { id: string; token: string }>();
  for (let left = [...codes]; left.length > 0; left = left.filter((code) => !made.has(code))) {
    const tokens = new Map(left.map((code) => [newToken(), code]));
    const rows = [...tokens].map(
      ([token, { scanLimit = null, validFrom = null, validTo = null, batchId = null, seqInBatch = null, ...code }]) => ({
        ...code,
        token,
        targetType: code.target.type,
        scanLimit,
        validFrom,
        validTo,
        batchId,
        seqInBatch,
      }),
    );
    const inserted = await sql<{ id: string; token: string }>`
      insert into channel_qr_code (
        token, kind, name, channel_id, batch_id, seq_in_batch, target, target_type, params, style, valid_from, valid_to, scan_limit,
        created_at, created_by, updated_at, updated_by
      )
        select token, kind, name, "channelId", "batchId", "seqInBatch", target, "targetType", params, style, "validFrom", "validTo",
            "scanLimit", ${stamp.now}, ${stamp.userId}::bigint, ${stamp.now}, ${stamp.userId}::bigint
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
            token text, kind text, name text, "channelId" bigint, "batchId" bigint, "seqInBatch" int, target jsonb, "targetType" text,
            params jsonb, style jsonb, "validFrom" timestamptz, "validTo" timestamptz, "scanLimit" int
          )
          on conflict (token) do nothing
          returning id, token`.execute(ctx.tx);
    for (const row of inserted.rows) made.set(tokens.get(row.token)!, row);
  }
  return codes.map((code) => made.get(code)!);
}

export async function insertCode(
  ctx: Pick<Writing, 'tx'>,
  code: NewCode,
  stamp: { now: string; userId: string | null },
): Promise<{ id: string; token: string }> {
  const [made] = await insertCodes(ctx, [code], stamp);
  return made!;
}

/** Keeps the logo from being swept away with unused uploads. */
export const keepLogo = (ctx: CommandContext, ownerType: string, ownerId: string, style: CodeStyle) =>
  style.logoFileId === null
    ? Promise.resolve()
    : attach(
        ctx.tx,
        { fileIds: [style.logoFileId], purpose: MATERIAL_PURPOSE, ownerType, ownerId, field: 'logo', userId: ctx.staff.userId },
        ctx.now,
      );

export const addCode = (kernel: Kernel) =>
  command(addQrCode, async (input, ctx) => {
    const channel = await channels.get(ctx.tx, ctx.staff, input.channelId);
    if (channel.state === 'DISABLED') throw refuse(channelErrors.CHANNEL_DISABLED);
    requireValidity(input);
    requireStyle(input.style);
    await requireTarget(ctx.tx, input.target);
    const { id, token } = await insertCode(ctx, { kind: 'COMMON', ...input }, { now: ctx.now, userId: ctx.staff.userId });
    await keepLogo(ctx, CODE_TARGET, id, input.style);
    await requireReadable(kernel, ctx.tx, input.style, token);
    ctx.target({ type: CODE_TARGET, id, no: token });
    return { id, no: token, version: 1 };
  });

/** The printed code stays; what it opens, its dates and its looks may change. */
export const modifyCode = (kernel: Kernel) =>
  command(modifyQrCode, async ({ id, version, ...fields }, ctx) => {
    const before = await codes.lockVersion(ctx, id, version, (row) => row);
    if (before.state === 'VOID' || before.kind !== 'COMMON')
      throw refuse(
        { code: 'SCM90031', text: '当前状态为{state}，不能执行该操作，请刷新后重试' },
        { state: before.state === 'VOID' ? '已作废' : '场景码或活码' },
      );
    requireValidity(fields);
    requireStyle(fields.style);
    await requireTarget(ctx.tx, fields.target);
    // A logo that stays may be somebody else's upload, or the batch's.
    if (fields.style.logoFileId !== (before.style as CodeStyle).logoFileId) await keepLogo(ctx, CODE_TARGET, id, fields.style);
    if (JSON.stringify(before.style) !== JSON.stringify(fields.style)) await requireReadable(kernel, ctx.tx, fields.style, before.token);
    const differences = differencesOf(before, fields, LABELS);
    if (differences.some(({ path }) => path === 'target' || path === 'params')) {
      await sql`insert into channel_qr_target_history (code_id, before, after, user_id, at)
        values (
          ${id}, ${JSON.stringify({ target: before.target, params: before.params })}::jsonb,
          ${JSON.stringify({ target: fields.target, params: fields.params })}::jsonb, ${ctx.staff.userId}, ${ctx.now}
        )`.execute(ctx.tx);
    }
    await ownTx(ctx.tx)
      .updateTable('channelQrCode')
      .set((eb) => ({
        ...fields,
        target: JSON.stringify(fields.target),
        targetType: fields.target.type,
        params: JSON.stringify(fields.params),
        style: JSON.stringify(fields.style),
        // A limit below what was scanned already stops the code without breaking the count.
        scanLimit: fields.scanLimit === null ? null : Math.max(fields.scanLimit, before.okCount, 1),
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .execute();
    ctx.target({ type: CODE_TARGET, id, no: before.token });
    ctx.changed(differences);
    return actionAnswer(ctx, codeStates, { id, state: before.state, version: version + 1 });
  });
