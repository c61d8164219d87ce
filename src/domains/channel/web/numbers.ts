import { numberPlace, type NumberPlace } from '#kernel/web/router/numberPlace.ts';
import { queryChannelList } from '../contract/calls/channels.ts';
import { queryQrBatchList } from '../contract/calls/codes.ts';
import { queryLiveCodeList } from '../contract/calls/liveCodes.ts';
import { queryChannelVipList } from '../contract/calls/vips.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const channelNumbers: readonly NumberPlace[] = [
  numberPlace('QD', '渠道', queryChannelList, 'channelNo', { path: '/channelManagement' }),
  numberPlace('MP', '二维码批次', queryQrBatchList, 'batchNo', { path: '/commonQRcode', tab: 'batches' }),
  numberPlace('HM', '活码', queryLiveCodeList, 'liveCodeNo', { path: '/weChatWorkManagement', tab: 'liveCodes' }),
  numberPlace('VP', '渠道权益', queryChannelVipList, 'vipNo', { path: '/channelVip', tab: 'vips' }),
];
