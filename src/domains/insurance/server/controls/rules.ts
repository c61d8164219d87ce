import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { contentRows, type ControlContent } from '../../contract/controls/content.ts';
import {
  addControlRule,
  addControlRuleVersion,
  copyControlRule,
  modifyControlRule,
  queryControlRuleDetail,
  removeControlRule,
} from '../../contract/controls/rules.ts';
import { controlRuleVersionStates, phaseOf } from '../../contract/documents/states.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { authorColumns, createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { lockVersions } from '../access.ts';
import { ownTx } from '../database.ts';
import { contentColumns, contentOf, requireContent } from './content.ts';
import { moduleRecords, moduleScope, ruleVersionRecords } from './records.ts';
import { copyTestCases, forgetResults } from './testCases.ts';

async function insertVersion(ctx: CommandContext, controlRuleId: string, versionNo: number, content: ControlContent): Promise<string> {
  const { id } = await ownTx(ctx.tx)
    .insertInto('insuranceControlRuleVersion')
    .values({ ...contentColumns(content), controlRuleId, versionNo, state: 'DRAFT', ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function insertRule(ctx: CommandContext, moduleId: string, ruleCode: string): Promise<string> {
  await lockKeys(ctx.tx, 'insurance.controlRule', [ruleCode]);
  const same = await ownTx(ctx.tx).selectFrom('insuranceControlRule').select('id').where('ruleCode', '=', ruleCode).executeTakeFirst();
  if (same) throw refuseField('ruleCode', '规则编码已存在');
  const { id } = await ownTx(ctx.tx)
    .insertInto('insuranceControlRule')
    .values({ ruleCode, moduleId, ...authorColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const add = command(addControlRule, async ({ moduleId, ruleCode, ...facts }, ctx) => {
  const { stage } = await moduleRecords.get(ctx.tx, ctx.staff, moduleId);
  const content = requireContent(facts, stage);
  const ruleId = await insertRule(ctx, moduleId, ruleCode);
  const versionId = await insertVersion(ctx, ruleId, 1, content);
  ctx.target({ type: ruleVersionRecords.type, id: versionId, no: `${ruleCode} V1` });
  return { ruleId, versionId, version: 1 };
});

/** Versions of a rule, newest first; whoever adds one waits for the other. */
async function lockedVersions(ctx: CommandContext, ruleId: string) {
  await lockVersions(ctx.tx, 'insurance_control_rule_version', ruleId);
  const { rows } = await sql<{ id: string }>`select v.id::text from insurance_control_rule_version v
    join insurance_control_rule r on r.id = v.control_rule_id join insurance_control_module m on m.id = r.module_id
    where r.id = ${ruleId} and ${moduleScope(ctx.staff)} order by v.version_no desc`.execute(ctx.tx);
  if (rows.length === 0) throw ruleVersionRecords.missing();
  return Promise.all(rows.map(({ id }) => ruleVersionRecords.get(ctx.tx, ctx.staff, id)));
}

const addVersion = command(addControlRuleVersion, async ({ ruleId, effectiveFrom }, ctx) => {
  const versions = await lockedVersions(ctx, ruleId);
  const open = versions.find(({ state }) => state === 'DRAFT' || state === 'PENDING_AUDIT' || state === 'REJECTED');
  if (open) throw refuse(insuranceErrors.OPEN_VERSION, { n: open.versionNo });
  const [newest] = versions;
  const source = versions.find(({ state }) => state === 'PUBLISHED' || state === 'PAUSED') ?? newest!;
  const versionNo = newest!.versionNo + 1;
  const content = { ...contentOf(source), effectiveFrom: effectiveFrom ?? plusDays(ctx.today, 1), effectiveTo: null, gapNote: '' };
  const versionId = await insertVersion(ctx, ruleId, versionNo, content);
  await copyTestCases(ctx, source.id, versionId);
  ctx.target({ type: ruleVersionRecords.type, id: versionId, no: `${source.ruleCode} V${versionNo}` });
  return { ruleId, versionId, version: 1 };
});

const modify = command(modifyControlRule, async ({ versionId, version, ...facts }, ctx) => {
  const row = await ruleVersionRecords.lockVersion(ctx, versionId, version, contentOf);
  if (row.state !== 'DRAFT' && row.state !== 'REJECTED') throw refuse(insuranceErrors.RULE_PUBLISHED);
  const content = requireContent(facts, row.stage);
  const words = (one: ControlContent) => Object.fromEntries(contentRows(one).map(({ label, text }) => [label, text]));
  const labels = Object.fromEntries(contentRows(content).map(({ label }) => [label, label]));
  await moveState(ctx, controlRuleVersionStates, {
    targetType: ruleVersionRecords.type,
    targetId: versionId,
    targetNo: `${row.ruleCode} V${row.versionNo}`,
    action: 'modify',
    from: row.state,
    differences: differencesOf(words(contentOf(row)), words(content), labels),
  });
  await ownTx(ctx.tx)
    .updateTable('insuranceControlRuleVersion')
    .set({ ...contentColumns(content), version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', versionId)
    .execute();
  await forgetResults(ctx.tx, versionId);
  return { ruleId: row.controlRuleId, versionId, version: version + 1 };
});

const remove = command(removeControlRule, async ({ versionId, version }, ctx) => {
  const row = await ruleVersionRecords.lockVersion(ctx, versionId, version);
  if (row.state !== 'DRAFT' && row.state !== 'REJECTED') throw refuse(insuranceErrors.RULE_PUBLISHED);
  const tx = ownTx(ctx.tx);
  await tx.deleteFrom('insuranceRuleTestCase').where('ownerType', '=', 'CONTROL_RULE_VERSION').where('ownerId', '=', versionId).execute();
  await tx.deleteFrom('insuranceControlRuleVersion').where('id', '=', versionId).execute();
  await sql`delete from insurance_control_rule r where r.id = ${row.controlRuleId}
    and not exists (select from insurance_control_rule_version v where v.control_rule_id = r.id)`.execute(ctx.tx);
  ctx.target({ type: ruleVersionRecords.type, id: versionId, no: `${row.ruleCode} V${row.versionNo}` });
  return {};
});

const copy = command(copyControlRule, async ({ ruleId, moduleId, ruleCode }, ctx) => {
  const [newest] = await lockedVersions(ctx, ruleId);
  const target = await moduleRecords.get(ctx.tx, ctx.staff, moduleId ?? newest!.moduleId);
  const content = requireContent(
    { ...contentOf(newest!), effectiveFrom: plusDays(ctx.today, 1), effectiveTo: null, gapNote: '' },
    target.stage,
  );
  const copied = await insertRule(ctx, target.id, ruleCode);
  const versionId = await insertVersion(ctx, copied, 1, content);
  await copyTestCases(ctx, newest!.id, versionId);
  ctx.target({ type: ruleVersionRecords.type, id: versionId, no: `${ruleCode} V1` });
  return { ruleId: copied, versionId, version: 1 };
});

const detail = query(queryControlRuleDetail, async ({ ruleId }, ctx) => {
  const rows = await ruleVersionRecords
    .seen(ctx.db, ctx.staff)
    .selectAll('v')
    .select(['r.ruleCode', 'r.moduleId', 'm.moduleName', 'm.stage', 'm.observeOnly', 'm.enabled'])
    .where('r.id', '=', ruleId)
    .orderBy('v.versionNo', 'desc')
    .execute();
  const [first] = rows;
  if (!first) throw ruleVersionRecords.missing();
  const { rows: days } = await sql<{ day: string; hits: number; savedFen: string; overturned: number }>`
    select to_char(h.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*)::int as hits, sum(h.saved_fen)::text as saved_fen,
      count(*) filter (where h.overturned)::int as overturned
    from insurance_control_hit h where h.control_rule_id = ${ruleId} and h.at >= ${startOfDay(plusDays(ctx.today, -29))}
    group by 1 order by 1`.execute(ctx.db);
  const nameOf = async (userId: string | null) => (userId === null ? null : ctx.nameOf(userId));
  return {
    id: ruleId,
    ruleCode: first.ruleCode,
    moduleId: first.moduleId,
    moduleName: first.moduleName ?? '',
    stage: first.stage,
    observeOnly: first.observeOnly,
    enabled: first.enabled,
    days: days.map((row) => ({ ...row, savedFen: Number(row.savedFen) })),
    versions: await Promise.all(
      rows.map(async (row) => ({
        id: row.id,
        versionNo: row.versionNo,
        ...contentOf(row),
        state: row.state,
        phase: phaseOf(row, ctx.today),
        changeNote: row.changeNote,
        makerName: await nameOf(row.makerId),
        checkerName: await nameOf(row.checkerId),
        publishedAt: row.publishedAt,
        pausedFrom: row.pausedFrom,
        version: row.version,
        allowedActions: controlRuleVersionStates.allowed(row.state, (code) => ctx.has(code)),
      })),
    ),
  };
});

export const ruleHandlers = [add, addVersion, modify, remove, copy, detail];
