import { declareRoutes } from '../../../kernel/contract/route.ts';
import { channelPermissions as may } from './permissions.ts';

const MENU = '渠道与二维码';
const page = (path: string, title: string, permission: { code: string }) =>
  ({ path, title, trail: [MENU], kind: 'list', menu: MENU, permission: permission.code }) as const;

/** `/q/:code` is answered by the server itself, outside of the shell (landing/route.ts). */
export const channelRoutes = declareRoutes('channel', [
  page('/channelVip', 'VIP渠道', may['vip.view']),
  page('/channelManagement', '渠道管理', may['channel.view']),
  page('/sceneCode', '场景码', may['scene.view']),
  page('/commonQRcode', '通用二维码', may['code.view']),
  page('/weChatWorkManagement', '企业微信管理', may['wecom.view']),
]);
