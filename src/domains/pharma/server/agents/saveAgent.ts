import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { isIdNumber } from '#kernel/contract/idNumber.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { seenHospitals } from '#domains/institution/server/index.ts';
import { addAgent, addAgentLines, modifyAgent } from '../../contract/calls/agents.ts';
import { agentLabels } from '../../contract/labels.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { agentMachine } from '../../contract/states.ts';
import { agentRecords, companyRecords } from '../access.ts';
import type { Attachments } from '../attachments.ts';
import { PHARMA_PAPER } from '../../contract/purposes.ts';
import { ownTx } from '../database.ts';
import { publishAgent } from './agentEvents.ts';
import { accessAgent } from './accessAgent.ts';
import { agentById, agentMobileColumns } from './agentRows.ts';
import { requireParent, requireRankAbove, lockTree } from './hierarchy.ts';

type AgentInput = Omit<CheckedInputOf<typeof modifyAgent>, 'id' | 'version'>;

const orNull = (text: string | null | undefined) => (text === undefined || text === null || text === '' ? null : text);

/** One live person per mobile and id card. @throws Refusal SCM05049 */
export async function requireUnknownPerson(
  tx: Tx,
  hashes: { mobileHash: string | null; idNoHash: string | null },
  exceptId: string | null,
): Promise<void> {
  const own = ownTx(tx);
  for (const [column, hash] of [
    ['mobileHash', hashes.mobileHash],
    ['idNoHash', hashes.idNoHash],
  ] as const) {
    if (hash === null) continue;
    await lockKeys(tx, 'pharma.agent', [hash]);
    let same = own.selectFrom('pharmaAgent').select('agentNo').where(column, '=', hash).where('state', '<>', 'LEFT');
    if (exceptId !== null) same = same.where('id', '<>', exceptId);
    const other = await same.executeTakeFirst();
    if (!other) continue;
    if (column === 'idNoHash') throw refuseField('idNo', `身份证号已被代表${other.agentNo}使用`);
    throw refuse(
      pharmaErrors.AGENT_MOBILE_TAKEN,
      { agentNo: other.agentNo },
      { fields: [{ path: 'mobile', message: `手机号已被代表${other.agentNo}使用` }] },
    );
  }
}

/** Left out keeps what is stored; an emptied id card is forgotten. */
export function secretColumns(secrets: Secrets, input: { mobile?: string | undefined; idNo?: string | null | undefined }) {
  const idNo = input.idNo === undefined ? undefined : orNull(input.idNo);
  if (idNo !== undefined && idNo !== null && !isIdNumber(idNo)) throw refuseField('idNo', '请输入有效的18位身份证号码');
  return {
    ...(input.mobile === undefined ? {} : agentMobileColumns(secrets, input.mobile)),
    ...(idNo === undefined
      ? {}
      : {
          idNoCipher: idNo === null ? null : secrets.encrypt(idNo),
          idNoHash: idNo === null ? null : secrets.blindIndex('pharma.agent.idNo', idNo),
          idNoMasked: idNo === null ? null : mask('idNo', idNo),
        }),
  };
}

/** Hospitals that are newly named must be there, within the scope of whoever names them. */
async function requireHospitals(ctx: CommandContext, named: readonly string[], had: readonly string[]): Promise<void> {
  const fresh = [...new Set(named)].filter((id) => !had.includes(id));
  const seen = new Set(await seenHospitals(ctx.tx, ctx.staff, fresh));
  const unknown = fresh.filter((id) => !seen.has(id));
  if (unknown.length > 0)
    throw refuseField('hospitalIds', `所选${agentLabels.hospitalIds}中有${unknown.length}家不存在或已删除，请重新选择`);
}

async function plainColumns(ctx: CommandContext, companyId: string, input: AgentInput, exceptId: string | null) {
  const companyAgentCode = orNull(input.companyAgentCode);
  if (companyAgentCode !== null) {
    let same = ownTx(ctx.tx)
      .selectFrom('pharmaAgent')
      .select('agentNo')
      .where('companyId', '=', companyId)
      .where('companyAgentCode', '=', companyAgentCode);
    if (exceptId !== null) same = same.where('id', '<>', exceptId);
    const other = await same.executeTakeFirst();
    if (other) throw refuseField('companyAgentCode', `该工号已被代表${other.agentNo}使用`);
  }
  return {
    name: input.name,
    namePinyin: pinyinText(input.name),
    email: orNull(input.email),
    avatarFileId: input.avatarFileId ?? null,
    companyAgentCode,
    rank: input.rank,
    adcodes: [...new Set(input.adcodes)],
    hospitalIds: [...new Set(input.hospitalIds)],
    filingNo: orNull(input.filingNo),
    filingValidTo: input.filingValidTo ?? null,
    filingFileId: input.filingFileId ?? null,
    userId: input.userId ?? null,
    joinedOn: input.joinedOn ?? null,
  };
}

/** Lines are those of the person's own company that were not stopped. */
async function setLines(ctx: CommandContext, agentId: string, companyId: string, lineIds: readonly string[]): Promise<void> {
  const tx = ownTx(ctx.tx);
  const wanted = [...new Set(lineIds)];
  const had = new Set(
    (await tx.selectFrom('pharmaAgentLine').select('lineId').where('agentId', '=', agentId).execute()).map((row) => row.lineId),
  );
  const known =
    wanted.length === 0
      ? []
      : await tx
          .selectFrom('pharmaProductLine')
          .select(['id', 'name', 'state'])
          .where('id', 'in', wanted)
          .where('companyId', '=', companyId)
          .forShare()
          .execute();
  if (known.length < wanted.length) throw refuseField('lineIds', '产品线须属于同一药企');
  const stopped = known.find((line) => line.state === 'STOPPED' && !had.has(line.id));
  if (stopped) throw refuseField('lineIds', `产品线${stopped.name}已终止`);
  const gone = [...had].filter((id) => !wanted.includes(id));
  const fresh = wanted.filter((id) => !had.has(id));
  if (gone.length > 0) await tx.deleteFrom('pharmaAgentLine').where('agentId', '=', agentId).where('lineId', 'in', gone).execute();
  if (fresh.length > 0)
    await tx
      .insertInto('pharmaAgentLine')
      .values(fresh.map((lineId) => ({ agentId, lineId, createdAt: ctx.now })))
      .execute();
}

const keepFiles = async (ctx: CommandContext, attachments: Attachments, id: string, input: AgentInput) => {
  const owner = { ownerType: 'pharma.agent', ownerId: id };
  await attachments.keep(ctx, {
    ...owner,
    field: 'filing',
    purpose: PHARMA_PAPER,
    fileIds: input.filingFileId ? [input.filingFileId] : [],
  });
  await attachments.keep(ctx, {
    ...owner,
    field: 'avatar',
    purpose: PHARMA_PAPER,
    fileIds: input.avatarFileId ? [input.avatarFileId] : [],
  });
};

export const addAgentHandler = (secrets: Secrets, attachments: Attachments) =>
  command(addAgent, async ({ companyId, parentId, previousAgentId, ...input }, ctx) => {
    const tx = ownTx(ctx.tx);
    await lockTree(ctx.tx, companyId);
    const company = await companyRecords.lock(ctx.tx, ctx.staff, companyId);
    if (company.state !== 'ENABLED') throw refuseField('companyId', '该药企已停用，不能新增代表');
    const parent = parentId ? await requireParent(ctx.tx, { id: null, companyId, rank: input.rank }, parentId, ctx.staff) : null;
    if (previousAgentId) {
      await accessAgent(ctx, previousAgentId);
      const previous = await agentRecords.lock(ctx.tx, ctx.staff, previousAgentId);
      if (previous.state !== 'LEFT') throw refuse(platformErrors.WRONG_STATE, { state: agentMachine.dictionary.label(previous.state) });
    }
    await requireHospitals(ctx, input.hospitalIds, []);
    const hidden = secretColumns(secrets, input);
    await requireUnknownPerson(ctx.tx, { mobileHash: hidden.mobileHash ?? null, idNoHash: hidden.idNoHash ?? null }, null);
    const agentNo = await nextNumber(ctx.tx, 'DB', ctx.today);
    const { id } = await tx
      .insertInto('pharmaAgent')
      .values({
        ...(await plainColumns(ctx, companyId, input, null)),
        mobileCipher: hidden.mobileCipher!,
        mobileHash: hidden.mobileHash!,
        mobileMasked: hidden.mobileMasked!,
        idNoCipher: hidden.idNoCipher ?? null,
        idNoHash: hidden.idNoHash ?? null,
        idNoMasked: hidden.idNoMasked ?? null,
        agentNo,
        companyId,
        parentId: parent?.id ?? null,
        previousAgentId: previousAgentId ?? null,
        state: 'PENDING',
        ...createdColumns(ctx),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('pharmaAgent')
      .set({ path: [...(parent?.path ?? []), id] })
      .where('id', '=', id)
      .execute();
    await setLines(ctx, id, companyId, input.lineIds);
    await keepFiles(ctx, attachments, id, input);
    await publishAgent(ctx, id, ctx.today);
    const added = (await agentById(ctx.tx, id, ctx.today))!;
    ctx.target({ type: 'pharma.agent', id, no: agentNo });
    ctx.changed(differencesOf({}, added, agentLabels));
    return added;
  });

export const modifyAgentHandler = (secrets: Secrets, attachments: Attachments) =>
  command(modifyAgent, async ({ id, version, ...input }, ctx) => {
    const tx = ownTx(ctx.tx);
    const { companyId } = await accessAgent(ctx, id);
    await lockTree(ctx.tx, companyId);
    const stored = await agentRecords.lockVersion(ctx, id, version, async () => (await agentById(ctx.tx, id, ctx.today))!);
    const before = (await agentById(ctx.tx, id, ctx.today))!;
    await requireHospitals(ctx, input.hospitalIds, stored.hospitalIds.map(String));
    const hidden = secretColumns(secrets, input);
    await requireUnknownPerson(ctx.tx, { mobileHash: hidden.mobileHash ?? null, idNoHash: hidden.idNoHash ?? null }, id);
    if (input.rank !== stored.rank) {
      if (stored.parentId !== null) await requireParent(ctx.tx, { id, companyId, rank: input.rank }, stored.parentId, null);
      await requireRankAbove(ctx.tx, id, input.rank);
    }
    if (stored.state !== 'PENDING' && input.lineIds.length === 0)
      throw refuse(pharmaErrors.AGENT_NO_LINE, { fields: [{ path: 'lineIds', message: pharmaErrors.AGENT_NO_LINE.text }] });
    await setLines(ctx, id, companyId, input.lineIds);
    await tx
      .updateTable('pharmaAgent')
      .set({ ...(await plainColumns(ctx, companyId, input, id)), ...hidden, version: version + 1, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .execute();
    await keepFiles(ctx, attachments, id, input);
    const after = (await agentById(ctx.tx, id, ctx.today))!;
    await moveState(ctx, agentMachine, {
      targetType: 'pharma.agent',
      targetId: id,
      targetNo: stored.agentNo,
      action: 'modify',
      from: stored.state,
      differences: differencesOf(before, after, agentLabels),
    });
    await publishAgent(ctx, id, ctx.today);
    return after;
  });

export const addLinesHandler = command(addAgentLines, async ({ id, version, lineIds }, ctx) => {
  const { companyId } = await accessAgent(ctx, id);
  const stored = await agentRecords.lockVersion(ctx, id, version, async () => (await agentById(ctx.tx, id, ctx.today))!);
  const before = (await agentById(ctx.tx, id, ctx.today))!;
  await setLines(ctx, id, companyId, [...before.lines.map((line) => line.lineId), ...lineIds]);
  await ownTx(ctx.tx)
    .updateTable('pharmaAgent')
    .set({ version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  const after = (await agentById(ctx.tx, id, ctx.today))!;
  await moveState(ctx, agentMachine, {
    targetType: 'pharma.agent',
    targetId: id,
    targetNo: stored.agentNo,
    action: 'modify',
    from: before.state,
    differences: differencesOf(before, after, agentLabels),
  });
  await publishAgent(ctx, id, ctx.today);
  return after;
});
