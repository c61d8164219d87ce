import { callCase, type CallCase } from '#testing/cases.ts';
import { uploadPaper } from '#testing/uploads.ts';
import {
  addOtherMaterial,
  auditOtherMaterial,
  claimNextOtherMaterial,
  claimOtherMaterial,
  exportOtherMaterialList,
  heartbeatOtherMaterial,
  queryOtherMaterialCounts,
  queryOtherMaterialDetail,
  queryOtherMaterialList,
  releaseOtherMaterial,
  revealOtherMaterial,
  saveOtherMaterialWork,
  supplyOtherMaterial,
  takeoverOtherMaterial,
} from '../contract/calls/otherMaterials.ts';
import { OTHER_MATERIAL_PAPER } from '../contract/purposes.ts';
import { enteredMaterial, heldMaterial, key, reviewedContract } from './testing/materials.ts';
import { NONE } from './testing/marks.ts';

const opinion = '材料核对一致';
const supplement = { items: [{ materialType: 'FOLLOW_UP' as const, wording: '请上传完整的复查报告' }], days: 7 };

export const otherMaterialCases: readonly CallCase[] = [
  callCase(queryOtherMaterialList, async (app) => ({ materialNo: (await enteredMaterial(app)).materialNo })),
  callCase(exportOtherMaterialList, async (app) => {
    await enteredMaterial(app);
    return {};
  }),
  callCase(queryOtherMaterialCounts, async () => ({})),
  callCase(queryOtherMaterialDetail, async (app) => ({ materialId: (await enteredMaterial(app)).materialId }), {
    foreign: async () => ({ materialId: NONE }),
  }),
  callCase(revealOtherMaterial, async (app) => ({ materialId: (await enteredMaterial(app)).materialId }), {
    foreign: async () => ({ materialId: NONE }),
  }),
  callCase(
    addOtherMaterial,
    async (app, as) => ({
      contractId: await reviewedContract(app),
      kind: 'OTHER' as const,
      facts: { note: '情况说明' },
      materials: [{ materialType: 'OTHER' as const, fileId: await uploadPaper(app, as!, OTHER_MATERIAL_PAPER) }],
    }),
    {
      foreign: async (app, as) => ({
        contractId: NONE,
        kind: 'OTHER' as const,
        materials: [{ materialType: 'OTHER' as const, fileId: await uploadPaper(app, as!, OTHER_MATERIAL_PAPER) }],
      }),
    },
  ),
  callCase(
    supplyOtherMaterial,
    async (app, as) => {
      const { materialId, leaseToken, version, reviewer } = await heldMaterial(app);
      const asked = await app.ok(auditOtherMaterial, { materialId, version, leaseToken, action: 'supplement', supplement }, key(reviewer));
      return {
        materialId,
        version: asked.version,
        materials: [{ materialType: 'FOLLOW_UP' as const, fileId: await uploadPaper(app, as!, OTHER_MATERIAL_PAPER) }],
      };
    },
    { foreign: async () => ({ materialId: NONE, version: 1, materials: [] }) },
  ),
  callCase(claimOtherMaterial, async (app) => ({ materialId: (await enteredMaterial(app)).materialId }), {
    foreign: async () => ({ materialId: NONE }),
  }),
  callCase(claimNextOtherMaterial, async (app) => {
    await enteredMaterial(app);
    return {};
  }),
  callCase(
    heartbeatOtherMaterial,
    async (app, as) => {
      const { materialId, leaseToken } = await heldMaterial(app, { ...(as && { reviewer: as }) });
      return { materialId, leaseToken };
    },
    { foreign: async () => ({ materialId: NONE, leaseToken: 'none' }) },
  ),
  callCase(
    releaseOtherMaterial,
    async (app, as) => {
      const { materialId, leaseToken } = await heldMaterial(app, { ...(as && { reviewer: as }) });
      return { materialId, leaseToken };
    },
    { foreign: async () => ({ materialId: NONE, leaseToken: 'none' }) },
  ),
  callCase(takeoverOtherMaterial, async (app) => ({ materialId: (await heldMaterial(app)).materialId, opinion }), {
    foreign: async () => ({ materialId: NONE, opinion }),
  }),
  callCase(
    saveOtherMaterialWork,
    async (app, as) => {
      const { materialId, leaseToken } = await heldMaterial(app, { ...(as && { reviewer: as }) });
      return { materialId, leaseToken, facts: { note: '复查结果稳定' } };
    },
    { foreign: async () => ({ materialId: NONE, leaseToken: 'none' }) },
  ),
  callCase(
    auditOtherMaterial,
    async (app, as) => {
      const { materialId, leaseToken, version } = await heldMaterial(app, { ...(as && { reviewer: as }) });
      return { materialId, version, leaseToken, action: 'pass' as const, opinion };
    },
    { foreign: async () => ({ materialId: NONE, version: 1, action: 'pass' as const, opinion }) },
  ),
];
