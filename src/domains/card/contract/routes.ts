import { declareRoutes } from '#kernel/contract/route.ts';

const menu = '保险业务';
const trail = [menu, '卡管理'];
const left = 'insurance';
const permission = 'card.card.view';
const view = { left, kind: 'list', menu, permission } as const;

export const cardRoutes = declareRoutes('card', [
  { path: '/cardBatchManagement', title: '发卡批次', trail, ...view },
  { path: '/cardBatchManagementDetail', title: '发卡批次详情', parent: 'cardBatchManagement', left, kind: 'detail', permission },
  { path: '/cardInformation', title: '卡信息', parent: 'cardManagement', left, kind: 'list', permission },
  { path: '/cardInformationDetail', title: '卡信息详情', parent: 'cardManagement', left, kind: 'detail', permission },
  { path: '/cardManagement', title: '卡列表', trail, ...view },
  { path: '/valueCardGrant', title: '储值发放记录', trail, ...view },
  { path: '/cardGrantCancel', title: '订单卡核销', trail, ...view },
  { path: '/cardCancel', title: '卡核销记录', trail, ...view },
  { path: '/storedCardBatchManage', title: '储值结算批次', trail, ...view },
  { path: '/tHmoCardSettlement', title: '储值结算', trail, ...view, kind: 'lowcode' },
]);
