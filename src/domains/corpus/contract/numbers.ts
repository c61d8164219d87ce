import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryCampaignList } from './campaigns/calls.ts';
import { queryFollowTaskList } from './tasks/calls.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const corpusNumbers: readonly NumberPlace[] = [
  numberPlace('RW', '人工任务', queryFollowTaskList, 'taskNo', { path: '/taskManagement' }),
  numberPlace('QF', '群发', queryCampaignList, 'campaignNo', { path: '/taskManagement', tab: 'campaigns' }),
];
