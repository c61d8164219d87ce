import { declareRoutes } from '#kernel/contract/route.ts';

const MENU = '渠道与二维码';
const page = (path: string, title: string, permission: string) =>
  ({ path, title, trail: [MENU], kind: 'list', menu: MENU, permission }) as const;

/** `/q/:code` is answered by the server itself, outside of the shell (landing/route.ts). */
export const channelRoutes = declareRoutes('channel', [
  page('/channelVip', 'VIP渠道', 'channel.vip.view'),
  page('/channelManagement', '渠道管理', 'channel.channel.view'),
  page('/sceneCode', '场景码', 'channel.scene.view'),
  page('/commonQRcode', '通用二维码', 'channel.code.view'),
  page('/weChatWorkManagement', '企业微信管理', 'channel.wecom.view'),
]);
