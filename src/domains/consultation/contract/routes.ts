import { declareRoutes } from '#kernel/contract/route.ts';

const place = { trail: ['医生运营'], menu: '医生运营' };

/** Pages of consultation; equal to docs/design/routes.csv and menus.md. `/wx/consult` has an entry of its own (`wx.html`). */
export const consultationRoutes = declareRoutes('consultation', [
  { ...place, path: '/assistantIM', title: '医助工作台', kind: 'tool', permission: 'consultation.chat.send' },
  { ...place, path: '/visitRecords', title: '就诊记录', kind: 'list', permission: 'consultation.visit.view' },
  { path: '/wx/consult', title: '在线问诊', kind: 'wechat' },
]);
