import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryChannelList } from './calls/channels.ts';
import { queryQrBatchList } from './calls/codes.ts';
import { queryLiveCodeList } from './calls/liveCodes.ts';
import { queryChannelVipList } from './calls/vips.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const channelNumbers: readonly NumberPlace[] = [
  numberPlace('QD', '渠道', queryChannelList, 'channelNo', { path: '/channelManagement' }),
  numberPlace('MP', '二维码批次', queryQrBatchList, 'batchNo', { path: '/commonQRcode', tab: 'batches' }),
  numberPlace('HM', '活码', queryLiveCodeList, 'liveCodeNo', { path: '/weChatWorkManagement', tab: 'liveCodes' }),
  numberPlace('VP', '渠道权益', queryChannelVipList, 'vipNo', { path: '/channelVip', tab: 'vips' }),
];
