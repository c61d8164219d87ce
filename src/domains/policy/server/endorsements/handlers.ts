import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { daysBetween } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { attachAll, detach } from '#domains/files/server/index.ts';
import {
  addEndorsement,
  auditEndorsement,
  modifyEndorsement,
  previewEndorsement,
  type EndorsementImpact,
} from '../../contract/calls/endorsements.ts';
import { endorsementKinds, handKinds, type HandKind } from '../../contract/dictionaries.ts';
import { policyErrors } from '../../contract/errors.ts';
import { policyPermissions as may } from '../../contract/permissions.ts';
import { POLICY_ENDORSE } from '../../contract/purposes.ts';
import { endorsementMachine } from '../../contract/states.ts';
import { endorsementRecords, policyRecords, requireInsurerNumbers, type EndorsementRecord, type PolicyRecord } from '../access.ts';
import { requireNoBatch } from '../batches/records.ts';
import { json, own } from '../database.ts';
import { isLiveContract, isOpenClaim } from '../uses/uses.ts';
import { carryOut, lockedPolicy } from './carryOut.ts';
import { changeOf, continued, draftOf } from './draft.ts';
import { endorsementActionsOf, rightToWrite, summaryOf } from './list.ts';
import { prepare } from './prepare.ts';
import type { Difference, Prepared, Wish } from './prepared.ts';
import { refuseHindered, takeBack, undoHindrances } from './undo.ts';

const MOST_LINES = 200;

export function impactOf(prepared: Prepared, today: string): EndorsementImpact {
  const lines = prepared.persons.flatMap((one) => one.lines.map((line) => ({ ...line, name: one.name })));
  const backdatedDays = Math.max(0, daysBetween(prepared.firstDay, today));
  const nameOf = (id: string) => prepared.persons.find(({ insuredItemId }) => insuredItemId === id)?.name ?? '';
  const named = (uses: Prepared['uses']) => uses.map(({ refNo, insuredItemId }) => ({ refNo, name: nameOf(insuredItemId) }));
  return {
    persons: prepared.persons.length,
    premiumDeltaFen: String(lines.reduce((sum, { amountFen }) => sum + amountFen, 0n)),
    backdatedDays,
    needsOpinion: backdatedDays > 0,
    contracts: named(prepared.uses.filter(isLiveContract)),
    openClaims: named(prepared.uses.filter(isOpenClaim)),
    differences: prepared.differences,
    lines: lines.slice(0, MOST_LINES).map(({ name, planCode, from, to, days, feeFen, amountFen, calc }) => ({
      name,
      planCode,
      from,
      to,
      days,
      feeFen: String(feeFen),
      amountFen: String(amountFen),
      calc,
    })),
  };
}

const askedOf = (db: Db | Tx, secrets: Secrets, policy: PolicyRecord, today: string) => ({ db, secrets, policy, today });
export const preview = ({ secrets }: Kernel) =>
  query(previewEndorsement, async ({ policyId, endorsementId, kind, effectiveOn, after: given }, ctx) => {
    const policy = await policyRecords.get(ctx.db, ctx.staff, policyId);
    const row = endorsementId === undefined ? null : await endorsementRecords.get(ctx.db, ctx.staff, endorsementId);
    if (row && (row.policyId !== policy.id || row.kind !== kind)) throw endorsementRecords.missing();
    if (row) requireOwn(ctx, row);
    const after = row ? continued(changeOf(secrets, row), given) : given;
    return impactOf(await prepare(askedOf(ctx.db, secrets, policy, ctx.today), { kind, effectiveOn, after }), ctx.today);
  });

/** Whoever checks an endorsement wrote none of it, so nobody goes on with another one's. @throws Refusal SCM90010 */
function requireOwn({ staff }: Pick<CommandContext, 'staff'>, row: EndorsementRecord): void {
  if (row.makerId !== staff.userId)
    throw refuse(
      platformErrors.NO_PERMISSION,
      { permission: '经办批单' },
      { message: `批单由${row.makerName}经办，只能由本人修改和提交；他人可作废后重新新增` },
    );
}

/** @throws Refusal SCM13011 */
async function requireNonePending(tx: Tx, { policyId, kind, id }: { policyId: string; kind: HandKind; id?: string }): Promise<void> {
  const pending = await own(tx)
    .selectFrom('policyEndorsement')
    .select(['endorsementNo', 'state'])
    .where('policyId', '=', policyId)
    .where('kind', '=', kind)
    .where('state', 'in', ['DRAFT', 'PENDING_AUDIT'])
    .where('batchId', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '<>', id!))
    .executeTakeFirst();
  if (!pending) return;
  const label = endorsementKinds.label(kind);
  // A draft waits for no check but for its maker.
  throw pending.state === 'DRAFT'
    ? refuse(
        policyErrors.KIND_PENDING,
        { kind: label },
        { message: `该保单已有待提交的${label}批单${pending.endorsementNo}，请先提交或作废` },
      )
    : refuse(policyErrors.KIND_PENDING, { kind: label });
}

/** What is kept of an endorsement until it takes effect: shown without what is sensitive, carried out from what is encrypted. */
export const keptOf = (
  secrets: Secrets,
  policy: PolicyRecord,
  { effectiveOn, after }: Wish,
  prepared: Prepared,
  impact: EndorsementImpact,
) => ({
  effectiveOn,
  before: json({ coverageEnd: policy.coverageEnd, ...(prepared.person && { insuredItemId: prepared.persons[0]?.insuredItemId ?? null }) }),
  after: json({ differences: prepared.differences }),
  payloadCipher: secrets.encrypt(JSON.stringify(after)),
  premiumDeltaFen: impact.premiumDeltaFen,
});

const attachFiles = (ctx: CommandContext, id: string, fileIds: readonly string[]) =>
  attachAll(
    ctx.tx,
    [
      {
        fileIds: [...fileIds],
        purpose: POLICY_ENDORSE,
        ownerType: 'policy.endorsement',
        ownerId: id,
        field: 'files',
        userId: ctx.staff.userId,
      },
    ],
    ctx.now,
  );

const trailOfMove = (row: EndorsementRecord) => ({ targetType: 'policy.endorsement', targetId: row.id, targetNo: row.endorsementNo });
const answerOf = (ctx: CommandContext, row: Pick<EndorsementRecord, 'id' | 'state' | 'version' | 'makerId' | 'batchId' | 'kind'>) => ({
  id: row.id,
  state: row.state,
  version: row.version,
  allowedActions: endorsementActionsOf(row, (permission) => ctx.has(permission), ctx.staff.userId),
});

/** The right of its kind was asked for. */
const actingOn = (ctx: CommandContext, row: EndorsementRecord) => (row.kind === 'CANCEL' ? { ...ctx, requirePermission: () => {} } : ctx);

const submitted = async (ctx: CommandContext, row: EndorsementRecord, opinion?: string): Promise<EndorsementRecord> => {
  const state = await moveState(actingOn(ctx, row), endorsementMachine, {
    ...trailOfMove(row),
    action: 'submit',
    from: row.state,
    opinion,
  });
  return own(ctx.tx)
    .updateTable('policyEndorsement')
    .set((eb) => ({
      state,
      makerId: ctx.staff.userId,
      makerName: ctx.staff.displayName,
      ...updatedColumns(ctx),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
};

export const add = ({ secrets }: Kernel) =>
  command(
    addEndorsement,
    async ({ policyId, policyVersion, kind, effectiveOn, after, reason, insurerEndorsementNo, fileIds, submit }, ctx) => {
      const policy = await policyRecords.lockVersion(ctx, policyId, policyVersion ?? null);
      requireNumbers(policy, insurerEndorsementNo);
      await requireNonePending(ctx.tx, { policyId: policy.id, kind });
      const wish = { kind, effectiveOn, after };
      const prepared = await prepare(askedOf(ctx.tx, secrets, policy, ctx.today), wish);
      const impact = impactOf(prepared, ctx.today);
      const row = await own(ctx.tx)
        .insertInto('policyEndorsement')
        .values({
          endorsementNo: await nextNumber(ctx.tx, 'PD', ctx.today),
          policyId: policy.id,
          kind,
          ...keptOf(secrets, policy, wish, prepared, impact),
          reason,
          insurerEndorsementNo,
          fileIds,
          state: 'DRAFT',
          makerId: ctx.staff.userId,
          makerName: ctx.staff.displayName,
          ...createdColumns(ctx),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await attachFiles(ctx, row.id, fileIds);
      ctx.target({ type: 'policy.endorsement', id: row.id, no: row.endorsementNo });
      const now = submit ? await submitted(ctx, row, reason) : row;
      return { ...answerOf(ctx, now), endorsementNo: row.endorsementNo, impact };
    },
  );

const requireNumbers = ({ productLine }: PolicyRecord, value: string) =>
  requireInsurerNumbers(productLine, { insurerEndorsementNo: { label: '保司批单号', value } });

/** A draft, or what was rejected, goes on by hand. @throws Refusal SCM90031 */
function handKindOf(row: EndorsementRecord): HandKind {
  const kind = handKinds.find((one) => one === row.kind);
  // A list makes endorsements of its own kind, which are never handed in or passed one by one.
  if (row.payloadCipher === null || row.batchId !== null || !kind) endorsementMachineRefuses(row);
  return kind;
}

/** A draft anew from what is entered of it and how its policy stands now. */
async function keptAnew({ secrets }: Kernel, ctx: CommandContext, row: EndorsementRecord, wish: Wish) {
  const policy = await policyRecords.get(ctx.tx, ctx.staff, row.policyId);
  const prepared = await prepare(askedOf(ctx.tx, secrets, policy, ctx.today), wish);
  const impact = impactOf(prepared, ctx.today);
  return { policy, impact, columns: keptOf(secrets, policy, wish, prepared, impact) };
}

export const modify = (kernel: Kernel) =>
  command(modifyEndorsement, async ({ id, version, kind, effectiveOn, after, reason, insurerEndorsementNo, fileIds, submit }, ctx) => {
    const { secrets } = kernel;
    const row = await endorsementRecords.lockVersion(ctx, id, version, async (now) => ({
      effectiveOn: now.effectiveOn,
      reason: now.reason,
      insurerEndorsementNo: now.insurerEndorsementNo,
      draft: now.makerId === ctx.staff.userId ? await draftOf(ctx.tx, secrets, now) : null,
    }));
    if (handKindOf(row) !== kind) throw refuseField('kind', '批单类型不能修改，请作废后重新新增');
    requireOwn(ctx, row);
    if (submit) await requireNonePending(ctx.tx, { policyId: row.policyId, kind, id });
    const { policy, impact, columns } = await keptAnew(kernel, ctx, row, {
      kind,
      effectiveOn,
      after: continued(changeOf(secrets, row), after),
    });
    requireNumbers(policy, insurerEndorsementNo);
    const { differences = [] } = row.after as { differences?: Difference[] };
    await moveState(actingOn(ctx, row), endorsementMachine, {
      ...trailOfMove(row),
      action: 'modify',
      from: row.state,
      differences: [
        { path: 'effectiveOn', label: '生效日期', before: row.effectiveOn, after: effectiveOn },
        { path: 'summary', label: '批改内容', before: summaryOf(differences), after: summaryOf(impact.differences) },
        { path: 'reason', label: '批改原因', before: row.reason, after: reason },
        { path: 'insurerEndorsementNo', label: '保司批单号', before: row.insurerEndorsementNo, after: insurerEndorsementNo },
        { path: 'fileIds', label: '附件', before: `${row.fileIds.length}个`, after: `${fileIds.length}个` },
      ].filter(({ before, after: then }) => before !== then),
    });
    const written = await own(ctx.tx)
      .updateTable('policyEndorsement')
      .set((eb) => ({ ...columns, reason, insurerEndorsementNo, fileIds, ...updatedColumns(ctx), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const dropped = row.fileIds.filter((fileId) => !fileIds.includes(fileId));
    await detach(ctx.tx, { fileIds: dropped, ownerType: 'policy.endorsement', ownerId: id, field: 'files' }, ctx.now);
    await attachFiles(ctx, id, fileIds);
    const now = submit ? await submitted(ctx, written, reason) : written;
    return { ...answerOf(ctx, now), endorsementNo: row.endorsementNo, impact };
  });

/** @throws Refusal SCM90031 */
function endorsementMachineRefuses(row: EndorsementRecord): never {
  throw refuse(platformErrors.WRONG_STATE, { state: endorsementMachine.states[row.state].label });
}

type Audit = (
  kernel: Kernel,
  ctx: CommandContext,
  row: EndorsementRecord,
  opinion: string,
) => Promise<{ row: EndorsementRecord; premiumOrderNo: string | null }>;

const readAgain = (tx: Tx, id: string) =>
  own(tx).selectFrom('policyEndorsement').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const audits: Record<'submit' | 'approve' | 'reject' | 'undo' | 'discard', Audit> = {
  async submit(kernel, ctx, row, opinion) {
    const kind = handKindOf(row);
    requireOwn(ctx, row);
    await requireNonePending(ctx.tx, { policyId: row.policyId, kind, id: row.id });
    const now = await submitted(ctx, row, opinion);
    // What it does follows from how the policy stands when it is handed in, not when it was written down.
    const { columns } = await keptAnew(kernel, ctx, row, { kind, effectiveOn: row.effectiveOn, after: changeOf(kernel.secrets, row) });
    await own(ctx.tx).updateTable('policyEndorsement').set(columns).where('id', '=', row.id).execute();
    return { row: now, premiumOrderNo: null };
  },
  async approve({ secrets }, ctx, row, opinion) {
    const policy = await lockedPolicy(ctx.tx, row.policyId);
    await requireNoBatch(ctx.tx, [policy.id]);
    const wish = { kind: handKindOf(row), effectiveOn: row.effectiveOn, after: changeOf(secrets, row) };
    await moveState(ctx, endorsementMachine, {
      ...trailOfMove(row),
      action: 'approve',
      from: row.state,
      opinion,
      contributors: [row.makerId, row.createdBy],
    });
    const prepared = await prepare(askedOf(ctx.tx, secrets, policy, ctx.today), wish);
    if (prepared.firstDay < ctx.today && opinion === '') throw refuseField('opinion', '追溯生效的批单请填写审核意见');
    const { order } = await carryOut(ctx, secrets, policy, row, prepared, ctx.staff.userId);
    return { row: await readAgain(ctx.tx, row.id), premiumOrderNo: order?.premiumOrderNo ?? null };
  },
  async reject(_kernel, ctx, row, opinion) {
    const state = await moveState(ctx, endorsementMachine, {
      ...trailOfMove(row),
      action: 'reject',
      from: row.state,
      opinion,
      contributors: [row.makerId, row.createdBy],
    });
    return { row: await stateSet(ctx, row.id, state), premiumOrderNo: null };
  },
  async undo({ secrets }, ctx, row, opinion) {
    if (row.makerId === ctx.staff.userId) throw refuse(policyErrors.OWN_ENDORSEMENT, { message: '经办人不能撤销自己提交的批单' });
    if (row.batchId !== null) throw refuseField('action', '清单批次的批单请在批次中整批撤销');
    const policy = await lockedPolicy(ctx.tx, row.policyId);
    await requireNoBatch(ctx.tx, [policy.id]);
    await moveState(ctx, endorsementMachine, { ...trailOfMove(row), action: 'undo', from: row.state, opinion });
    refuseHindered(await undoHindrances(ctx, [row]));
    await takeBack(ctx, secrets, policy, row, null);
    return { row: await readAgain(ctx.tx, row.id), premiumOrderNo: null };
  },
  async discard(_kernel, ctx, row, opinion) {
    handKindOf(row);
    const state = await moveState(actingOn(ctx, row), endorsementMachine, {
      ...trailOfMove(row),
      action: 'discard',
      from: row.state,
      opinion,
    });
    return { row: await stateSet(ctx, row.id, state), premiumOrderNo: null };
  },
};

const stateSet = (ctx: CommandContext, id: string, state: EndorsementRecord['state']) =>
  own(ctx.tx)
    .updateTable('policyEndorsement')
    .set((eb) => ({ state, ...updatedColumns(ctx), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** What another person than the maker needs; who writes needs the right of the kind. */
const RIGHT_TO: Partial<Record<keyof typeof audits, { code: string }>> = {
  approve: may['endorse.audit'],
  reject: may['endorse.audit'],
  undo: may['endorse.undo'],
};
export const audit = (kernel: Kernel) =>
  command(auditEndorsement, async ({ id, version, action, opinion }, ctx) => {
    const checks = RIGHT_TO[action];
    if (checks) ctx.requirePermission(checks);
    else if (!ctx.has(may['policy.cancel'])) ctx.requirePermission(may['endorse.make']);
    // The policy before its endorsement, in the order that all writers keep.
    const known = await endorsementRecords.get(ctx.tx, ctx.staff, id);
    if (!checks) ctx.requirePermission(rightToWrite(known));
    if (action === 'approve' || action === 'undo') await lockedPolicy(ctx.tx, known.policyId);
    const row = await endorsementRecords.lockVersion(ctx, id, version);
    const done = await audits[action](kernel, ctx, row, opinion.trim());
    return { ...answerOf(ctx, done.row), premiumOrderNo: done.premiumOrderNo };
  });
