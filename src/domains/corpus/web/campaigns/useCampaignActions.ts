import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import {
  auditCampaign,
  previewCampaign,
  queryCampaignDetail,
  queryCampaignList,
  stopCampaign,
  type CampaignRow,
} from '../../contract/campaigns/calls.ts';
import { campaignMachine, type CampaignAction } from '../../contract/campaigns/dictionaries.ts';

export const campaignReads = [queryCampaignList, queryCampaignDetail];

/**
 * The actions on campaigns, each with its question. Their audit is one of them, at the record itself: there is no queue to work
 * through.
 */
export function useCampaignActions() {
  const audit = useCommand(auditCampaign, { success: SERVER_MESSAGE, refreshes: campaignReads });
  const stop = useCommand(stopCampaign, { success: SERVER_MESSAGE, refreshes: campaignReads });
  const preview = useCommand(previewCampaign, { refreshes: campaignReads });
  const take = async (
    row: Pick<CampaignRow, 'id' | 'version' | 'name' | 'campaignNo' | 'audience' | 'summary' | 'sendAt' | 'counts'>,
    action: CampaignAction,
  ) => {
    const { id, version, name } = row;
    const facts = [
      ...factsIn(queryCampaignList.output, row, ['campaignNo', 'audience', 'summary', 'sendAt']),
      { label: '人数', value: `${row.counts.total}人` },
    ];
    const given = await askTransition(campaignMachine, action, `群发任务“${name}”`, facts);
    if (given === null) return;
    if (action === 'stop') await stop.run({ id, version, opinion: given });
    else await audit.run({ id, version, action, ...(given && { opinion: given }) });
  };
  return { take, preview, busy: audit.busy || stop.busy || preview.busy };
}
