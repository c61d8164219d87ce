import { plusDays } from '#kernel/contract/time.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import { uploadRows } from '#testing/uploads.ts';
import {
  addEndorsement,
  auditEndorsement,
  exportEndorsement,
  modifyEndorsement,
  previewEndorsement,
  queryEndorsementDetail,
  queryEndorsementList,
} from '../contract/calls/endorsements.ts';
import { exportInsuredPerson, queryInsuredPersonDetail, queryInsuredPersonList, revealInsuredField } from '../contract/calls/persons.ts';
import {
  addPolicy,
  delPolicy,
  exportExcel,
  exportPolicy,
  importPolicy,
  modifyPolicy,
  queryPolicyDetail,
  queryPolicyList,
  queryPolicyTotal,
  renewPolicy,
} from '../contract/calls/policies.ts';
import { policyImporter } from './policies/policyImporter.ts';
import { importRow, makeProduct, policyWish, renewWish } from './testing/fixtures.ts';
import { addWish, anEndorsement, aPolicy, coveredPerson } from './testing/orders.ts';

const NONE = '999999999';
const contact = { holderContact: '13800138001', declaredCount: 3, channelName: '经代' };
const none = { id: NONE, version: 1 };
const reason = '投保人申请';

export const policyCases: readonly CallCase[] = [
  callCase(queryPolicyList, async (app) => {
    await coveredPerson(app);
    return {};
  }),
  callCase(queryPolicyTotal, async (app) => {
    await coveredPerson(app);
    return {};
  }),
  callCase(exportPolicy, async (app) => {
    await coveredPerson(app);
    return {};
  }),
  callCase(exportExcel, async (app) => {
    await coveredPerson(app);
    return { endsWithinDays: 366 };
  }),
  callCase(queryPolicyDetail, async (app) => ({ policyId: (await coveredPerson(app)).policyId }), {
    foreign: async () => ({ policyId: NONE }),
  }),
  callCase(addPolicy, async (app) => policyWish((await makeProduct(app)).productId)),
  callCase(modifyPolicy, async (app) => ({ ...(await aPolicy(app)), ...contact }), { foreign: async () => ({ ...none, ...contact }) }),
  callCase(importPolicy, async (app, as) => ({
    fileId: await uploadRows(app, as!, policyImporter(app.kernel), [importRow(await makeProduct(app))]),
  })),
  callCase(delPolicy, (app) => aPolicy(app), { foreign: async () => none }),
  callCase(renewPolicy, async (app) => renewWish(await aPolicy(app), plusDays(app.clock.today(), 365)), {
    foreign: async (app) => renewWish(none, plusDays(app.clock.today(), 365)),
  }),
  callCase(queryEndorsementList, async (app) => {
    await coveredPerson(app);
    return {};
  }),
  callCase(queryEndorsementDetail, async (app) => ({ endorsementId: (await anEndorsement(app)).id }), {
    foreign: async () => ({ endorsementId: NONE }),
  }),
  callCase(exportEndorsement, async (app) => {
    await coveredPerson(app);
    return {};
  }),
  callCase(previewEndorsement, async (app) => addWish(app, (await aPolicy(app)).id), { foreign: async (app) => addWish(app, NONE) }),
  callCase(addEndorsement, async (app) => ({ ...addWish(app, (await aPolicy(app)).id), reason }), {
    foreign: async (app) => ({ ...addWish(app, NONE), reason }),
  }),
  callCase(
    modifyEndorsement,
    async (app, as) => {
      const { id: policyId } = await aPolicy(app);
      // Nobody but its maker goes on with a draft.
      const draft = await app.ok(addEndorsement, { ...addWish(app, policyId), reason, submit: false }, { ...(as && { as }) });
      const { policyId: _policy, ...wish } = addWish(app, policyId);
      return { id: draft.id, version: draft.version, ...wish, reason };
    },
    {
      foreign: async (app) => {
        const { policyId: _policy, ...wish } = addWish(app, NONE);
        return { ...none, ...wish, reason };
      },
    },
  ),
  callCase(
    auditEndorsement,
    async (app) => {
      const { id, version } = await anEndorsement(app);
      return { id, version, action: 'approve' as const, opinion: '核对无误' };
    },
    { foreign: async () => ({ ...none, action: 'approve' as const, opinion: '核对无误' }) },
  ),
  callCase(queryInsuredPersonList, async (app) => {
    await coveredPerson(app);
    return {};
  }),
  callCase(exportInsuredPerson, async (app) => {
    await coveredPerson(app);
    return {};
  }),
  callCase(queryInsuredPersonDetail, async (app) => ({ insuredItemId: (await coveredPerson(app)).insuredItemId }), {
    foreign: async () => ({ insuredItemId: NONE }),
  }),
  callCase(
    revealInsuredField,
    async (app) => ({ insuredItemId: (await coveredPerson(app)).insuredItemId, field: 'idNo' as const, reason: '核对证件' }),
    { foreign: async () => ({ insuredItemId: NONE, field: 'idNo' as const, reason: '核对证件' }) },
  ),
];
