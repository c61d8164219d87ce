import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import { goodsNames } from '#domains/pharma/server/index.ts';
import { addShieldGoods, delShieldGoods, disableShieldGoods, enableShieldGoods, modifyShieldGoods } from '../../contract/calls/shield.ts';
import { shieldStatuses } from '../../contract/dictionaries.ts';
import { shieldRecords, type ShieldRecord } from '../access.ts';
import type { Channels } from '../channels.ts';
import { own } from '../database.ts';
import { requireFree } from './free.ts';
import { scopeColumns } from './scope.ts';
import { statusOn } from './status.ts';

type Wish = CheckedInputOf<typeof addShieldGoods>;

type Writer = Pick<Acting, 'tx' | 'now' | 'staffOrNull' | 'actorName'>;
const editorOf = ({ staffOrNull, actorName }: Writer) => staffOrNull?.displayName ?? actorName ?? null;

/** Hides goods, a row each; the answer names them in the order of the goods. @throws Refusal SCM90020, SCM16070 */
export async function addShields(
  ctx: Writer,
  channels: Channels,
  { goodsCodes, displayText, reason, effectiveFrom, effectiveTo, ...wish }: Wish,
): Promise<string[]> {
  const codes = [...new Set(goodsCodes)];
  const goods = await goodsNames(ctx.tx, codes);
  const unknown = codes.find((code) => !goods.has(code));
  if (unknown !== undefined) throw refuseField('goodsCodes', `商品${unknown}不存在，请重新选择`);
  const scope = await scopeColumns(ctx.tx, channels, wish);
  const rows = codes.map((goodsCode) => ({ goodsCode, ...scope, effectiveFrom, effectiveTo }));
  await requireFree(ctx.tx, rows);
  const made = await own(ctx.tx)
    .insertInto('orderShield')
    .values(
      rows.map((row) => ({
        ...row,
        goodsName: goods.get(row.goodsCode) ?? row.goodsCode,
        displayText,
        reason,
        editorName: editorOf(ctx),
        ...createdColumns(ctx),
      })),
    )
    .returning('id')
    .execute();
  return made.map(({ id }) => id);
}

const asForm = ({ scope, scopeValues, displayText, reason, effectiveFrom, effectiveTo }: ShieldRecord) => ({
  scope,
  scopeValues,
  displayText,
  reason,
  effectiveFrom,
  effectiveTo,
});

type Changed = Pick<ShieldRecord, 'id' | 'version' | 'enabled' | 'effectiveFrom' | 'effectiveTo'>;
const answerOf = ({ id, version, ...row }: Changed, { today }: CommandContext) => ({ id, version, status: statusOn(row, today) });

/** Changes columns of a row that the caller has locked. */
export async function writeShield(
  ctx: Writer & Pick<Acting, 'target'>,
  row: Pick<ShieldRecord, 'id' | 'goodsCode'>,
  columns: Partial<Omit<ShieldRecord, 'id' | 'version'>>,
): Promise<Changed> {
  const changed = await own(ctx.tx)
    .updateTable('orderShield')
    .set((eb) => ({ ...columns, editorName: editorOf(ctx), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', row.id)
    .returning(['id', 'version', 'enabled', 'effectiveFrom', 'effectiveTo'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: shieldRecords.type, id: row.id, no: row.goodsCode });
  return changed;
}

const switchTo = (call: typeof enableShieldGoods, enabled: boolean) =>
  command(call, async ({ id, version }, ctx) => {
    const row = await shieldRecords.lockVersion(ctx, id, version ?? null, asForm);
    if (row.enabled === enabled) throw refuse(platformErrors.WRONG_STATE, { state: shieldStatuses.label(statusOn(row, ctx.today)) });
    if (enabled) await requireFree(ctx.tx, [row], id);
    return answerOf(await writeShield(ctx, row, { enabled }), ctx);
  });

export const shieldHandlers = (channels: Channels): Handler[] => [
  command(addShieldGoods, async (input, ctx) => {
    const ids = await addShields(ctx, channels, input);
    for (const [at, id] of ids.entries()) ctx.target({ type: shieldRecords.type, id, no: input.goodsCodes[at] ?? id });
    return { ids };
  }),
  command(modifyShieldGoods, async ({ id, version, scope, scopeValues, ...facts }, ctx) => {
    const row = await shieldRecords.lockVersion(ctx, id, version, asForm);
    const columns = { ...(await scopeColumns(ctx.tx, channels, { scope, scopeValues })), ...facts };
    if (row.enabled) await requireFree(ctx.tx, [{ ...columns, goodsCode: row.goodsCode }], id);
    return answerOf(await writeShield(ctx, row, columns), ctx);
  }),
  command(delShieldGoods, async ({ id, version }, ctx) => {
    const row = await shieldRecords.lockVersion(ctx, id, version, asForm);
    await own(ctx.tx).deleteFrom('orderShield').where('id', '=', id).execute();
    ctx.target({ type: shieldRecords.type, id, no: row.goodsCode });
    return { id };
  }),
  switchTo(enableShieldGoods, true),
  switchTo(disableShieldGoods, false),
];
