import { declareService } from '#kernel/contract/service.ts';

export const claimRuleService = declareService('ClaimRuleService', 'product');
