import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { exceptionHandlers } from './handlers.ts';

/** 异常工单: what of orders no rule could finish. */
export const exceptionsModule: FeatureModule = { handlers: exceptionHandlers };
