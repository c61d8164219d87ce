import { declareRoutes } from '../../../kernel/contract/route.ts';

const menu = '保险业务';
const trail = [menu, '卡管理'];
const view = { left: 'insurance', kind: 'list', menu, permission: 'card.card.view' } as const;

export const cardRoutes = declareRoutes('card', [
  { path: '/cardBatchManagement', title: '发卡批次', trail, ...view },
  { path: '/cardManagement', title: '卡列表', trail, ...view },
  { path: '/cardGrantCancel', title: '订单卡核销', trail, ...view },
  { path: '/cardCancel', title: '卡核销记录', trail, ...view },
  { path: '/storedCardBatchManage', title: '储值结算批次', trail, ...view },
]);
