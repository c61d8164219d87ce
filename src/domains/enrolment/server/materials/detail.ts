import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { ownAmong } from '#kernel/server/audit/fourEyes.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { leaseOf, shownLease } from '#kernel/server/lease/lease.ts';
import { findCover } from '#domains/policy/server/index.ts';
import { rejectReasons } from '../../contract/applyDictionaries.ts';
import { queryOtherMaterialDetail, revealOtherMaterial, type OtherMaterialDetail } from '../../contract/calls/otherMaterials.ts';
import { otherMaterialMachine, requiredPapers } from '../../contract/materialStates.ts';
import { contractRecords } from '../contracts/access.ts';
import { own } from '../database.ts';
import { enrolReview, OTHER_MATERIAL } from '../review.ts';
import { consequenceOf } from './effects.ts';
import { openFacts, shownFacts } from './facts.ts';
import { MATERIAL_TARGET, otherMaterialRecords, ownerOf, type OtherMaterialRecord } from './records.ts';

/** Duplicates with what they are called; those that somebody may not see are named no further. */
async function shownDuplicates(
  kernel: Kernel,
  ctx: QueryContext,
  material: OtherMaterialRecord,
): Promise<OtherMaterialDetail['duplicates']> {
  const found = await enrolReview(kernel.secrets).duplicates.of(ctx.db, ownerOf(material));
  const ids = found.flatMap(({ otherType, otherId }) => (otherType === OTHER_MATERIAL ? [otherId] : []));
  const others =
    ids.length === 0
      ? []
      : await otherMaterialRecords
          .seen(ctx.db, ctx.staff)
          .select(['m.id', 'm.materialNo', 'c.insuredName', 'm.state'])
          .where('m.id', 'in', ids)
          .execute();
  return found.map((one) => {
    const other = one.otherType === OTHER_MATERIAL ? others.find(({ id }) => id === one.otherId) : undefined;
    const name = one.otherType === OTHER_MATERIAL ? '其他材料' : '入组申请';
    return {
      ...one,
      otherText: other ? `${other.materialNo} · ${other.insuredName} · ${otherMaterialMachine.states[other.state].label}` : name,
    };
  });
}

const MOST_EARLIER = 20;
const earlierOf = (db: Db, { id, contractId, kind }: OtherMaterialRecord) =>
  own(db)
    .selectFrom('enrolmentOtherMaterial')
    .select(['id', 'materialNo', 'submittedAt', 'state', 'outcome'])
    .where('contractId', '=', contractId)
    .where('kind', '=', kind)
    .where('id', '<>', id)
    .orderBy('id', 'desc')
    .limit(MOST_EARLIER)
    .execute();

const knownReasons = (codes: readonly string[]) => rejectReasons.codes.filter((code) => codes.includes(code));

/** What was handed in, with everything that its reviewer needs. */
export const materialDetail = (kernel: Kernel) =>
  query(queryOtherMaterialDetail, async ({ materialId }, ctx) => {
    const row = await otherMaterialRecords.get(ctx.db, ctx.staff, materialId);
    const contract = await contractRecords.get(ctx.db, ctx.staff, row.contractId);
    const review = enrolReview(kernel.secrets);
    const facts = openFacts(kernel.secrets, row.factsCipher);
    const lease = shownLease(await leaseOf(ctx.db, { type: MATERIAL_TARGET, id: row.id }, ctx.now), ctx.staff);
    const covered = (await findCover(ctx.db, { insuredItemId: contract.insuredItemId, day: ctx.today })) !== null;
    return {
      id: row.id,
      materialNo: row.materialNo,
      kind: row.kind,
      state: row.state,
      submittedAt: row.submittedAt,
      enteredName: row.enteredName,
      dueAt: row.slaDueAt,
      facts: shownFacts(facts),
      contract: {
        contractId: contract.id,
        contractNo: contract.contractNo,
        productLine: contract.productLine,
        productName: contract.productName,
        insuredName: contract.insuredName,
        mobileMasked: contract.mobileMasked,
        startDate: contract.startDate,
        endDate: contract.endDate,
        nextReviewOn: contract.nextReviewOn,
        reviewCycleDays: contract.reviewCycleDays,
        payeeName: contract.payeeName,
        payeeAccountMasked: contract.payeeAccountMasked,
        state: contract.state,
      },
      requiredPapers: [...requiredPapers[row.kind]],
      materials: await review.materials.of(ctx.db, ownerOf(row)),
      duplicates: await shownDuplicates(kernel, ctx, row),
      supplements: await review.supplements.of(ctx.db, ownerOf(row)),
      consequence: consequenceOf(row.kind, facts, contract, { today: ctx.today, covered }),
      outcome: row.outcome,
      rejectReasons: knownReasons(row.rejectReasons),
      applicantWording: row.applicantWording,
      internalNote: row.internalNote,
      decidedName: row.decidedName,
      decidedAt: row.decidedAt,
      earlier: await earlierOf(ctx.db, row),
      lease: lease && { ...lease, token: lease.mine ? row.leaseToken : null },
      ownPart: row.enteredBy === ctx.staff.userId || (await ownAmong(ctx.db, ctx.staff, MATERIAL_TARGET, [row.id])).size > 0,
      version: row.version,
      allowedActions: actionAnswer(ctx, otherMaterialMachine, row).allowedActions,
      trail: await trailOf(ctx.db, MATERIAL_TARGET, row.id),
    };
  });

/** Numbers in full; the look is logged with what was handed in. */
export const reveal = (kernel: Kernel) =>
  command(revealOtherMaterial, async ({ materialId }, ctx) => {
    const row = await otherMaterialRecords.get(ctx.tx, ctx.staff, materialId);
    const contract = await contractRecords.get(ctx.tx, ctx.staff, row.contractId);
    const plain = (cipher: string | null) => (cipher === null ? null : kernel.secrets.decrypt(cipher));
    const { mobile = null, payeeAccount = null } = openFacts(kernel.secrets, row.factsCipher);
    ctx.target({ type: MATERIAL_TARGET, id: materialId, no: row.materialNo, looked: true });
    return { insuredIdNo: plain(contract.idNoCipher), insuredMobile: plain(contract.mobileCipher), mobile, payeeAccount };
  });
