import { declarePermissions } from '#kernel/contract/permission.ts';

const page = { routes: ['markContent'] } as const;

export const rulePermissions = declarePermissions('content', {
  'mark.rule': { label: '维护打标规则', roles: 'CORPUS_OPS', ...page },
  'mark.supervise': {
    label: '发布超限打标规则',
    risk: 'HIGH',
    roles: 'MEDICAL_AUDIT',
    ...page,
    decides: { document: '打标规则', of: ['mark.rule'] },
  },
});
