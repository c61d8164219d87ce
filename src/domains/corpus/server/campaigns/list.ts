import { contains, from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportCampaignList, queryCampaignList } from '../../contract/campaigns/calls.ts';
import { campaigns, presentCampaigns, selectCampaigns } from './rows.ts';

export const campaignList = listOf(queryCampaignList)
  .from(({ db }) => campaigns(db))
  .with({
    where: {
      campaignNo: 'c.campaignNo',
      name: contains('c.name'),
      state: 'c.state',
      sendFrom: from('c.sendAt'),
      sendTo: upTo('c.sendAt'),
    },
    id: 'c.id',
    sorts: { campaignNo: 'c.campaignNo', sendAt: 'c.sendAt', previewCount: 'c.previewCount', updatedAt: 'c.updatedAt' },
    bounded: 'campaigns are written by hand: some hundreds a year',
    select: (query) => selectCampaigns(query),
    present: (rows, { has }) => presentCampaigns(rows, has),
  });

export const campaignExport = listExport(campaignList, {
  call: exportCampaignList,
  title: '群发任务',
  routeKey: 'taskManagement:campaigns',
  columns: ['campaignNo', 'name', 'audience', 'summary', 'touchKind', 'target', 'sendAt', 'previewCount', 'progress', 'state', 'updatedAt'],
});
