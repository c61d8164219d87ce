import * as z from 'zod/mini';
import { scanFinished } from '#events/files.ts';
import { declareErrors } from '#kernel/contract/errors.ts';
import { dictionary } from '#kernel/contract/dictionary.ts';
import {
  duplicateOut,
  duplicateWork,
  materialOut,
  materialsIn,
  materialWork,
  supplementIn,
  supplementOut,
} from '#kernel/contract/evidence.ts';
import { field } from '#kernel/contract/field.ts';
import { id, text } from '#kernel/contract/fields.ts';
import { declarePermissions } from '#kernel/contract/permission.ts';
import { declareService } from '#kernel/contract/service.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { reviewOf } from '#kernel/server/review/reviewOf.ts';

/** A domain whose cases have materials, as enrolment and claim will have them. */
export const reviewMay = declarePermissions('probe', {
  'paper.review': { label: '审核材料', roles: '' },
  'paper.supervise': { label: '再次通知补件', roles: '' },
});
const errors = declareErrors({
  NOTHING: ['SCM99021', '请选择需要补充的材料'],
  DAYS: ['SCM99022', '补件期限须为1至30天'],
  AGAIN: ['SCM99023', '已通知过补件，再次补件需主管操作'],
  UNANSWERED: ['SCM99024', '请上传补件要求的材料'],
});
const types = dictionary('probe.paper', { DIAGNOSIS: '诊断证明', PATHOLOGY: '病理报告', ID_CARD: '身份证明' });
const signals = dictionary('probe.signal', { FILE: '相同文件', IMAGE: '相似图片', PERSON: '同人', NAME: '同名' });
const service = declareService('ProbePaperService');
const access = reviewMay['paper.review'];
const caseId = field('案件', id);
const done = z.strictObject({});

export const submitPapers = service.act({
  operation: 'submitProbePapers',
  label: '提交材料',
  access,
  input: {
    caseId,
    person: text('人员', 40),
    materials: materialsIn(types),
    namesakes: z.optional(z.array(caseId)),
    ofSamePerson: z.optional(z.boolean()),
  },
  output: done,
});
export const savePapers = service.act({
  operation: 'saveProbePapers',
  label: '保存材料审核',
  access,
  secrets: ['materials'],
  input: { caseId, materials: z.array(materialWork), duplicates: z.array(duplicateWork) },
  output: done,
});
export const askPapers = service.act({
  operation: 'askProbePapers',
  label: '通知补件',
  access,
  input: { caseId, ...supplementIn(types).shape },
  output: supplementOut(types),
});
export const supplyPapers = service.act({
  operation: 'supplyProbePapers',
  label: '提交补件',
  access,
  input: { caseId, materials: materialsIn(types) },
  output: supplementOut(types),
});
export const expirePapers = service.act({
  operation: 'expireProbePapers',
  label: '结束逾期补件',
  access,
  input: {},
  output: z.strictObject({ cases: z.array(z.string()) }),
});
export const readPapers = service.read({
  operation: 'queryProbePapers',
  label: '查询材料',
  access,
  input: { caseId, required: z.array(types.schema) },
  output: z.strictObject({
    materials: z.array(materialOut(types)),
    supplements: z.array(supplementOut(types)),
    duplicates: z.array(duplicateOut(signals)),
    missing: z.array(types.schema),
    pending: z.int(),
  }),
});

export const probeReviewModule: ServerModuleFactory = ({ secrets }) => {
  const { materials, supplements, duplicates } = reviewOf({
    prefix: 'probe_paper',
    secrets,
    types,
    signals,
    refusals: { nothing: errors.NOTHING, days: errors.DAYS, again: errors.AGAIN, unanswered: errors.UNANSWERED },
  });
  const owner = (of: string) => ({ type: 'probe.case', id: of });
  const read = async (db: Db | Tx, of: string, required: readonly (typeof types.codes)[number][]) => ({
    materials: await materials.of(db, owner(of)),
    supplements: await supplements.of(db, owner(of)),
    duplicates: await duplicates.of(db, owner(of)),
    missing: await materials.missing(db, owner(of), required),
    pending: await duplicates.pending(db, owner(of)),
  });
  return {
    domain: 'probe',
    permissions: Object.values(reviewMay),
    routes: [],
    errors,
    consumers: [consumer('probe', scanFinished, ({ payload }, ctx) => duplicates.noteFile(ctx, payload))],
    handlers: [
      command(submitPapers, async ({ caseId: of, person, materials: handedIn, namesakes = [], ofSamePerson = false }, ctx) => {
        await materials.add(ctx, owner(of), handedIn, { personKey: person });
        for (const { id: material, materialType } of await materials.of(ctx.tx, owner(of)))
          if (materialType === 'ID_CARD') await materials.readBy(ctx, owner(of), material, { name: person });
        const also = namesakes.map((otherId) => ({ signal: 'NAME' as const, otherType: 'probe.case', otherId, score: 60 }));
        await duplicates.find(ctx, owner(of), also, { filesOfSamePerson: ofSamePerson });
        return {};
      }),
      command(savePapers, async ({ caseId: of, ...works }, ctx) => {
        await materials.judge(ctx, owner(of), works.materials);
        await duplicates.judge(ctx, owner(of), works.duplicates);
        return {};
      }),
      command(askPapers, ({ caseId: of, ...wish }, ctx) => supplements.ask(ctx, owner(of), wish, ctx.has(reviewMay['paper.supervise']))),
      command(supplyPapers, ({ caseId: of, materials: handedIn }, ctx) => supplements.supply(ctx, owner(of), handedIn)),
      command(expirePapers, async (_input, ctx) => ({ cases: (await supplements.expire(ctx)).map(({ id: of }) => of) })),
      query(readPapers, ({ caseId: of, required }, { db }) => read(db, of, required)),
    ],
  };
};
