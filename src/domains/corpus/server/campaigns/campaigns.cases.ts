import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addCampaign,
  auditCampaign,
  exportCampaignList,
  modifyCampaign,
  previewCampaign,
  queryCampaignDetail,
  queryCampaignList,
  stopCampaign,
} from '../../contract/campaigns/calls.ts';
import { campaignFields, makeCampaign, makeScheduled } from '../testing/campaignFixtures.ts';

const NONE = '999999999';

/** Cases of 群发任务. */
export const campaignCases: readonly CallCase[] = [
  callCase(queryCampaignList, async () => ({})),
  callCase(exportCampaignList, async (app) => {
    const { name } = await campaignFields(app);
    await makeCampaign(app, { name });
    return { name };
  }),
  callCase(queryCampaignDetail, async (app) => ({ id: (await makeCampaign(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addCampaign, (app) => campaignFields(app)),
  callCase(modifyCampaign, async (app) => ({ ...(await makeCampaign(app)), ...(await campaignFields(app)) }), {
    foreign: async (app) => ({ id: NONE, version: 1, ...(await campaignFields(app)) }),
  }),
  callCase(previewCampaign, (app) => makeCampaign(app), { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(
    auditCampaign,
    async (app, as) => {
      const made = await makeCampaign(app);
      const { version } = await app.ok(previewCampaign, made, { as: as! });
      return { id: made.id, version, action: 'submit' as const };
    },
    { foreign: async () => ({ id: NONE, version: 1, action: 'submit' as const }) },
  ),
  callCase(
    stopCampaign,
    async (app) => {
      const { id, version } = await makeScheduled(app);
      return { id, version, opinion: '内容有误' };
    },
    { foreign: async () => ({ id: NONE, version: 1, opinion: '内容有误' }) },
  ),
];
