import { declareMachinePermissions, declarePermissions } from '#kernel/contract/permission.ts';

const channels = ['channelManagement'];
const vips = ['channelVip'];
const codes = ['commonQRcode'];
const scenes = ['sceneCode'];
const wecom = ['weChatWorkManagement'];

export const channelPermissions = declarePermissions('channel', {
  'channel.view': { label: '查看渠道', roles: 'DOCTOR_OPS|CHANNEL_OPS|OPS_AUDIT|AUDITOR', routes: channels },
  'channel.edit': { label: '维护渠道', roles: 'CHANNEL_OPS', routes: channels },
  'channel.state': { label: '停用、启用渠道', roles: 'CHANNEL_OPS', routes: channels },
  'channel.import': { label: '导入渠道', roles: 'CHANNEL_OPS', routes: channels },
  'channel.export': { label: '导出渠道', roles: 'CHANNEL_OPS|AUDITOR', routes: channels },
  'vip.view': { label: '查看VIP渠道', roles: 'CHANNEL_OPS|OPS_AUDIT|AUDITOR', routes: vips },
  'vip.edit': { label: '维护VIP渠道', roles: 'CHANNEL_OPS', routes: vips },
  'vip.audit': { label: '审核VIP渠道', risk: 'HIGH', roles: 'OPS_AUDIT', routes: vips, decides: { document: 'VIP渠道', of: ['vip.edit'] } },
  'vip.state': { label: '暂停、恢复、终止VIP权益', roles: 'CHANNEL_OPS', routes: vips },
  'vip.export': { label: '导出VIP渠道', roles: 'CHANNEL_OPS|AUDITOR', routes: vips },
  'code.view': { label: '查看二维码与扫码数据', roles: 'CHANNEL_OPS|OPS_AUDIT|AUDITOR', routes: codes },
  'code.edit': { label: '维护二维码', roles: 'CHANNEL_OPS', routes: codes },
  'code.void': { label: '作废二维码', risk: 'HIGH', roles: 'CHANNEL_OPS', routes: codes },
  'code.batch': { label: '批量生成二维码', roles: 'CHANNEL_OPS', routes: codes },
  'code.export': { label: '导出二维码与扫码数据', roles: 'CHANNEL_OPS|AUDITOR', routes: codes },
  'code.host': { label: '维护跳转域名白名单', risk: 'HIGH', roles: 'SYS_ADMIN', routes: codes },
  'scene.view': { label: '查看场景码', roles: 'CORPUS_OPS|DOCTOR_OPS|CHANNEL_OPS|AUDITOR', routes: scenes },
  'scene.edit': { label: '维护场景码', roles: 'CHANNEL_OPS', routes: scenes },
  'scene.export': { label: '导出场景码', roles: 'CHANNEL_OPS|AUDITOR', routes: scenes },
  'wecom.view': { label: '查看企业微信', roles: 'CHANNEL_OPS|AUDITOR|SYS_ADMIN', routes: wecom },
  'wecom.admin': { label: '维护企业微信企业与密钥', risk: 'HIGH', roles: 'SYS_ADMIN', routes: wecom },
  'wecom.bind': { label: '绑定企业微信成员', roles: 'CHANNEL_OPS', routes: wecom },
  'wecom.sync': { label: '同步企业微信', roles: 'CHANNEL_OPS', routes: wecom },
  'liveCode.view': { label: '查看活码', roles: 'CHANNEL_OPS|AUDITOR', routes: wecom },
  'liveCode.edit': { label: '维护活码', roles: 'CHANNEL_OPS', routes: wecom },
  'liveCode.export': { label: '导出活码', roles: 'CHANNEL_OPS|AUDITOR', routes: wecom },
  'contact.view': { label: '查看企业微信客户', roles: 'CHANNEL_OPS|AUDITOR', routes: wecom },
  'contact.transfer': { label: '转接企业微信客户', roles: 'CHANNEL_OPS', routes: wecom },
  'contact.export': { label: '导出企业微信客户', roles: 'CHANNEL_OPS|AUDITOR', routes: wecom },
  'sensitive.reveal': { label: '查看渠道敏感信息明文', risk: 'HIGH', roles: 'CHANNEL_OPS', routes: wecom },
});

/** What machine callers may be given of channel. */
export const channelMachinePermissions = declareMachinePermissions('channel', {
  bindScan: { label: '系统调用：绑定扫码' },
});
