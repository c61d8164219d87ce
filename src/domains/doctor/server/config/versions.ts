import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, AnswerWithMessage } from '#kernel/server/handler.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { configLabels, publishServiceConfig, saveServiceConfig, type ServiceConfigContent } from '../../contract/calls/config.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { configMachine } from '../../contract/states.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { json, lockKeys, own, ownTx } from '../database.ts';
import { CONFIG_TARGET, useFile } from '../items/files.ts';
import { activeServiceConfig } from './active.ts';
import { configRow } from './rows.ts';
import { activateDueConfig, activateDueConfigJob } from './activateDue.ts';

const numberOf = (versionNo: number) => `V${versionNo}`;

const versions = recordOf((db) => own(db).selectFrom('doctorServiceConfigVersion as v').selectAll('v')).with({
  noun: '记录',
  type: CONFIG_TARGET,
  id: 'v.id',
  scope: unscoped,
});

/** Versions are written one after another. */
const lockVersions = (ctx: CommandContext) => lockKeys(ctx.tx, ['serviceConfig']);

async function lockVersion(ctx: CommandContext, id: string, version: number) {
  await lockVersions(ctx);
  const row = await versions.lockVersion(ctx, id, version, ({ content }) => content as ServiceConfigContent);
  if (row.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: configMachine.dictionary.label(row.state) });
  return { ...row, content: row.content as ServiceConfigContent };
}

const keepAgreement = (ctx: CommandContext, id: string, before: string | null, after: string | null) =>
  useFile(ctx, { ownerType: CONFIG_TARGET, ownerId: id, field: 'agreement', before, after });

/** Keeps the one draft; a published version is never written again. */
export const saveConfig = command(saveServiceConfig, async ({ draft, content, note }, ctx) => {
  await lockVersions(ctx);
  if (draft === null) {
    const there = await ownTx(ctx.tx)
      .selectFrom('doctorServiceConfigVersion')
      .selectAll()
      .where('state', '=', 'DRAFT')
      .where('publishedAt', 'is', null)
      .executeTakeFirst();
    // A colleague has begun a draft meanwhile.
    if (there) await requireVersion(ctx, CONFIG_TARGET, there, 0, () => there.content as ServiceConfigContent);
    const last = await ownTx(ctx.tx)
      .selectFrom('doctorServiceConfigVersion')
      .select((eb) => eb.fn.max('versionNo').as('versionNo'))
      .executeTakeFirst();
    const versionNo = (last?.versionNo ?? 0) + 1;
    const { id } = await ownTx(ctx.tx)
      .insertInto('doctorServiceConfigVersion')
      .values({ versionNo, content: json(content), note, ...createdColumns(ctx) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await keepAgreementOf(ctx, id, content);
    await moveState(ctx, configMachine, {
      targetType: CONFIG_TARGET,
      targetId: id,
      targetNo: numberOf(versionNo),
      action: 'save',
      from: 'DRAFT',
    });
    return configRow(ctx.tx, id, ctx.now);
  }
  const before = await lockVersion(ctx, draft.id, draft.version);
  if (before.publishedAt !== null) throw refuse(platformErrors.WRONG_STATE, { state: '待生效' });
  await ownTx(ctx.tx)
    .updateTable('doctorServiceConfigVersion')
    .set((eb) => ({ content: json(content), note, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', before.id)
    .execute();
  await keepAgreement(ctx, before.id, before.content.agreementFileId, content.agreementFileId);
  await moveState(ctx, configMachine, {
    targetType: CONFIG_TARGET,
    targetId: before.id,
    targetNo: numberOf(before.versionNo),
    action: 'save',
    from: 'DRAFT',
    differences: differencesOf(before.content, content, configLabels),
  });
  return configRow(ctx.tx, before.id, ctx.now);
});

/** A draft made from another version carries that version's agreement, which is nobody's new upload. */
async function keepAgreementOf(ctx: CommandContext, id: string, content: ServiceConfigContent): Promise<void> {
  if (content.agreementFileId === null) return;
  const known = await ownTx(ctx.tx)
    .selectFrom('doctorServiceConfigVersion')
    .select('id')
    .where(sql<boolean>`content ->> 'agreementFileId' = ${content.agreementFileId}`)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  if (!known) await keepAgreement(ctx, id, null, content.agreementFileId);
}

/** Publishes the draft at once or for a later time; a waiting version can be taken back. */
export const publishConfig = command(publishServiceConfig, async ({ id, version, action, effectiveFrom, note }, ctx) => {
  const row = await lockVersion(ctx, id, version);
  const target = { targetType: CONFIG_TARGET, targetId: id, targetNo: numberOf(row.versionNo), from: 'DRAFT' } as const;
  if (action === 'cancel') {
    if (row.publishedAt === null) throw refuse(platformErrors.WRONG_STATE, { state: configMachine.states.DRAFT.label });
    const draft = await ownTx(ctx.tx)
      .selectFrom('doctorServiceConfigVersion')
      .select('id')
      .where('state', '=', 'DRAFT')
      .where('publishedAt', 'is', null)
      .executeTakeFirst();
    if (draft) throw refuseField('id', '已有其他草稿，请先发布该草稿，待生效版本将保留');
    await moveState(ctx, configMachine, { ...target, action: 'cancel' });
    await ownTx(ctx.tx)
      .updateTable('doctorServiceConfigVersion')
      .set((eb) => ({ effectiveFrom: null, publishedAt: null, publishedBy: null, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    return new AnswerWithMessage({ row: await configRow(ctx.tx, id, ctx.now), diff: [] }, '已撤回为草稿');
  }
  if (row.publishedAt !== null) throw refuse(platformErrors.WRONG_STATE, { state: '待生效' });
  const from = effectiveFrom ?? ctx.now;
  if (Date.parse(from) < Date.parse(ctx.now)) throw refuseField('effectiveFrom', '生效时间不能早于当前时间');
  // What is due but not turned yet is turned first.
  await activateDueConfig(ctx);
  const waiting = await ownTx(ctx.tx)
    .selectFrom('doctorServiceConfigVersion')
    .select('id')
    .where('state', '=', 'DRAFT')
    .where('publishedAt', 'is not', null)
    .executeTakeFirst();
  if (waiting) throw refuse(doctorErrors.VERSION_WAITING);
  const diff = differencesOf(await activeServiceConfig(ctx.tx, ctx.now), row.content, configLabels);
  await moveState(ctx, configMachine, { ...target, action: 'publish', ...(note && { opinion: note }), differences: diff });
  await ownTx(ctx.tx)
    .updateTable('doctorServiceConfigVersion')
    .set((eb) => ({
      effectiveFrom: from,
      publishedAt: ctx.now,
      publishedBy: ctx.staff.userId,
      note: note || row.note,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', id)
    .execute();
  await activateDueConfig(ctx);
  if (from !== ctx.now) await ctx.enqueue(activateDueConfigJob, {}, { startAfter: from });
  return { row: await configRow(ctx.tx, id, ctx.now), diff };
});
