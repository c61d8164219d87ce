import { stateMachine } from '#kernel/contract/stateMachine.ts';

const shelf = 'insurance.product.shelf';

export const productStates = stateMachine(
  'insurance.product',
  {
    DRAFT: { label: '未上架' },
    ON_SALE: { label: '在售', tone: 'success' },
    SUSPENDED: { label: '停售' },
    RETIRED: { label: '已下架' },
  },
  {
    add: { label: '新增', from: ['DRAFT'], permission: 'system', opinion: 'none' },
    copy: { label: '复制为新产品', from: ['DRAFT'], permission: 'system', opinion: 'none' },
    modify: { label: '编辑', from: ['DRAFT', 'ON_SALE', 'SUSPENDED'], permission: 'insurance.product.edit', opinion: 'none' },
    onSale: { label: '上架', from: ['DRAFT'], to: 'ON_SALE', permission: shelf, opinion: 'optional' },
    suspend: { label: '停售', from: ['ON_SALE'], to: 'SUSPENDED', permission: shelf, opinion: 'required', danger: true },
    resume: { label: '恢复销售', from: ['SUSPENDED'], to: 'ON_SALE', permission: shelf, opinion: 'required' },
    retire: { label: '下架', from: ['ON_SALE', 'SUSPENDED'], to: 'RETIRED', permission: shelf, opinion: 'required', danger: true },
  },
);
export type ProductState = keyof typeof productStates.states;
